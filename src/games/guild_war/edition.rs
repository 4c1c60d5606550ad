//! The numbers of the rules, from `data/guild_war/edition.toml`.

use crate::registration::edition;

edition! {
    "guild_war" {
        /// The number of seats.
        players: Players { least: usize, most: usize },
        /// The sizes of decks, and the most copies in one.
        deck: Deck { least: usize, most: usize, copies: usize },
        /// The first hand.
        prepare: Prepare { hand: usize },
        /// The last frame, and the levels that each frame allows.
        frames: Frames { last: u8, level: u8 },
        /// The number of accessories.
        gear: Gear { accessories: usize },
        /// The draws at rest.
        draw: Draw { first: usize, second: usize },
        /// The numbers of the resolution.
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
            (
                20 <= deck.least && deck.least < deck.most,
                "least",
                "a deck has 20 cards at least (W1.2)",
            ),
            (self.resolution.critical > 0, "critical", "a critical needs a difference (W7.3)"),
        ]
    }
}
