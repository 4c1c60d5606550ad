//! The numbers of the rules, from `data/tag_g/edition.toml`.

use crate::registration::edition;

edition! {
    "tag_g" {
        /// The number of seats.
        players: Players { least: usize, most: usize },
        /// The speed of every character.
        character: CharacterNumbers { speed: i16 },
        /// The limit of a hand.
        hand: Hand { most: usize },
        /// The number of cards of an extra draw.
        draw: Draw { extra: usize },
        /// The number of triggers in a segment.
        segment: SegmentNumbers { triggers: usize },
        /// The additional stamina of one against three.
        solo: Solo { stamina: usize },
    }
}

impl Edition {
    fn needs(&self) -> [(bool, &'static str, &'static str); 4] {
        [
            (
                self.players.least == 4 && self.players.most == 4,
                "[players]",
                "every format has four players (T1.1)",
            ),
            (self.character.speed > 0, "speed", "a character has a speed (T10.1)"),
            (self.hand.most > 0, "most", "a hand has room (T3.9)"),
            (self.segment.triggers > 0, "triggers", "a segment has room for triggers (T10.3)"),
        ]
    }
}
