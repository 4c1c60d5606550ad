//! One table in one file: its stored rows, for anybody who wants to verify them and for another database.
//!
//! The file is described in `docs/export.md`. Each line is chained to the one before, so that every change,
//! omission or cut shows in some line.

pub(crate) mod belief;
pub(crate) mod fit;
pub(crate) mod import;
pub(crate) mod kinds;
pub(crate) mod line;
pub(crate) mod read;
#[cfg(test)]
mod test_file;
#[cfg(test)]
mod test_forged;
pub(crate) mod verify;
pub(crate) mod write;

use serde::{Deserialize, Serialize};

use letters::sampled_from;
use rules::Cast;
use tables::ids::{TableCode, WindowNumber};

/// The written format, and the newest format that can be read.
const FORMAT: i64 = 1;

/// The first line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heading {
    pub format: i64,
    pub table: TableCode,
    /// The key of the game.
    pub game: String,
    /// The name of the edition of the rules.
    pub edition: String,
    /// The hash of the edition's data files, in hex digits.
    pub data: String,
    /// True if people are identified only by the names of their seats.
    pub nameless: bool,
    /// True if the file holds what is secret while the game runs, and private data.
    pub secrets: bool,
    /// True if the file holds every die; false if the writing program did not know the edition.
    pub dice: bool,
}

/// The last line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ending {
    /// The number of lines before this one.
    lines: usize,
}

/// The set of cards that the table is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetLine {
    /// The SHA-256 of the text, in hex digits.
    hash: String,
    /// The text of the set's file.
    text: String,
}

/// A die, and the number of the window for which it was thrown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DieLine {
    number: WindowNumber,
    #[serde(flatten)]
    cast: Cast,
}

sampled_from! {
    Heading: [Heading {
        format: 1, table: "K7Q2T".into(), game: "g".to_owned(), edition: "e".to_owned(),
        data: "00ff00ff00ff00ff".to_owned(), nameless: false, secrets: false, dice: true,
    }];
}
