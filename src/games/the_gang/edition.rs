//! The numbers of the rules, from `data/the_gang/edition.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::options::Mode;
use crate::data::{DataFault, built_in, parse};

/// Where the numbers are, and what stands there.
pub const FILE: (&str, &str) =
    ("data/the_gang/edition.toml", include_str!("../../../data/the_gang/edition.toml"));

/// The edition that is built in. `shimekiri check` and a test hold it against its rules.
pub static EDITION: LazyLock<Edition> = LazyLock::new(|| built_in(Edition::parse(FILE.0, FILE.1)));

/// Every number of the rules; each field's clause stands in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edition {
    pub edition: String,
    pub source: String,
    pub players: Players,
    pub cards: Cards,
    pub goals: Goals,
}

/// How many can play.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    pub least: usize,
    pub most: usize,
}

/// How many cards are dealt and turned up.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cards {
    pub pocket: usize,
    pub pocket_with_cameras: usize,
    pub board: [usize; 4],
}

/// What ends the game.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goals {
    pub vaults: u8,
    pub alarms: u8,
    pub alarms_of_masters: u8,
}

impl Goals {
    /// The red alarms with which a game of this mode is lost (G1.3, G4.4).
    pub fn alarms(self, mode: Mode) -> u8 {
        if mode == Mode::Master { self.alarms_of_masters } else { self.alarms }
    }
}

impl Edition {
    /// Reads the numbers, and holds them against what the rules can deal with.
    pub fn parse(file: &str, text: &str) -> Result<Self, DataFault> {
        let edition: Self = parse(file, text)?;
        let fault = |key, right| Err(DataFault::at_key(file, text, key, right));
        if edition.players.least < 2 || edition.players.most > 6 {
            return fault("[players]", "2 to 6 can play (G1.1)");
        }
        if edition.cards.board.iter().sum::<usize>() != 5 {
            return fault("board", "five cards lie on the board at last (G1.2)");
        }
        if !(1..=3).contains(&edition.cards.pocket_with_cameras) {
            return fault("pocket_with_cameras", "a pocket has at most three cards (G5.10)");
        }
        if !(1..=edition.cards.pocket_with_cameras).contains(&edition.cards.pocket) {
            return fault("pocket", "a pocket has at most three cards (G5.10)");
        }
        Ok(edition)
    }
}
