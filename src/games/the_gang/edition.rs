//! The numbers of the rules, from `data/the_gang/edition.toml`.

use super::options::Mode;
use crate::registration::edition;

edition! {
    "the_gang" {
        /// The number of players.
        players: Players { least: usize, most: usize },
        /// The number of cards that are dealt and turned up.
        cards: Cards { pocket: usize, pocket_with_cameras: usize, board: [usize; 4] },
        /// The numbers that end the game.
        goals: Goals { vaults: u8, alarms: u8, alarms_of_masters: u8 },
    }
}

impl Goals {
    /// The number of red alarms that loses a game of this mode (G1.3, G4.4).
    pub fn alarms(&self, mode: Mode) -> u8 {
        if mode == Mode::Master { self.alarms_of_masters } else { self.alarms }
    }
}

impl Edition {
    fn needs(&self) -> [(bool, &'static str, &'static str); 4] {
        let (players, cards) = (&self.players, &self.cards);
        let on_board: usize = cards.board.iter().sum();
        let is_pocket = |size, most| (1..=most).contains(&size);
        [
            (players.least >= 2 && players.most <= 6, "[players]", "2 to 6 can play (G1.1)"),
            (on_board == 5, "board", "five cards lie on the board at last (G1.2)"),
            (
                is_pocket(cards.pocket_with_cameras, 3),
                "pocket_with_cameras",
                "a pocket has at most three cards (G5.10)",
            ),
            (
                is_pocket(cards.pocket, cards.pocket_with_cameras),
                "pocket",
                "a pocket has at most three cards (G5.10)",
            ),
        ]
    }
}
