//! The numbers of the rules, from `data/guild_war/edition.toml`.

use crate::registration::edition;

edition! {
    "guild_war" {
        /// How many can play.
        players: Players { least: usize, most: usize },
        /// What a deck is made of.
        deck: Deck { cards: usize, copies: usize },
        /// What is drawn at first.
        prepare: Prepare { hand: usize },
        /// How far a round goes, and how high a level a frame allows for each of its number.
        frames: Frames { last: u8, level: u8 },
        /// How many accessories are set.
        gear: Gear { accessories: usize },
        /// What is drawn at rest.
        draw: Draw { first: usize, second: usize },
        /// What attacks come to.
        resolution: Resolution { critical: i16, normal: u8, least: u8 },
    }
}

impl Edition {
    fn needs(&self) -> [(bool, &'static str, &'static str); 4] {
        let (players, deck) = (&self.players, &self.deck);
        [
            (
                players.least.is_multiple_of(2) && players.least <= players.most,
                "[players]",
                "both guilds have the same number of characters (W1.1)",
            ),
            (players.most <= rules::seat::MAX_SEATS, "most", "there are so many seats (W1.1)"),
            ((20..=60).contains(&deck.cards), "cards", "a deck has 20 to 60 cards (W1.2)"),
            (self.resolution.critical > 0, "critical", "a critical needs a difference (W7.3)"),
        ]
    }
}
