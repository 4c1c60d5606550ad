//! One table in one file: what is kept of it, for whoever does not believe us and for another
//! database.
//!
//! `docs/export.md` says what stands in it. It is written line by line, each chained to the one
//! before it, so that nothing can be changed, left out or cut off without a line that shows it.

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

/// The format that is written, and the newest that is read.
const FORMAT: i64 = 1;

/// What a file begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heading {
    pub format: i64,
    /// The table's code.
    pub table: TableCode,
    /// The game's word.
    pub game: String,
    /// The edition of its rules.
    pub edition: String,
    /// The hash of that edition's data files, in hex digits.
    pub data: String,
    /// True if people stand in it by the names of their seats alone.
    pub nameless: bool,
    /// True if it holds what is secret while the game runs, and what is nobody else's business.
    pub secrets: bool,
    /// True if every die stands in it. Where the program did not know the edition, none does.
    pub dice: bool,
}

/// What a file ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ending {
    /// The number of lines that come before this one.
    lines: usize,
}

/// A die, and the number of the window that it fell for.
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
