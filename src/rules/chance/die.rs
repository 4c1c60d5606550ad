//! A die: what it is thrown for, and what it may show.

use std::fmt;
use std::str::FromStr;

use smol_str::SmolStr;

use crate::rules::vocabulary::question::Key;
use crate::rules::vocabulary::seat::Seat;

/// What a die is thrown for: a question of a seat, or something of the whole table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// Whose question; none for the table's own dice, such as a shuffle.
    pub seat: Option<Seat>,
    pub key: Key,
}

impl Label {
    /// A die for a seat's question.
    pub fn of(seat: Seat, key: Key) -> Self {
        Self { seat: Some(seat), key }
    }

    /// A die of the whole table.
    pub fn table(key: Key) -> Self {
        Self { seat: None, key }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seat) = self.seat {
            write!(f, "{seat}:")?;
        }
        write!(f, "{}", self.key)
    }
}

/// A text that is no [`Label`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is no label of a die; one looks like P2:3#2.card")]
pub struct ParseLabelError(String);

impl FromStr for Label {
    type Err = ParseLabelError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseLabelError(text.to_owned());
        let (seat, key) = match text.split_once(':') {
            Some((seat, key)) => (Some(seat.parse().map_err(|_| error())?), key),
            None => (None, text),
        };
        Ok(Self { seat, key: key.parse().map_err(|_| error())? })
    }
}

/// What a die may show, and what a GM may let it show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faces {
    /// One of these options, as `Value::Choice`.
    One(Vec<SmolStr>),
    /// So many of these in this order, as `Value::Picks`; an option that stands twice can come
    /// twice.
    Several {
        options: Vec<SmolStr>,
        /// How many of them.
        count: usize,
    },
    /// A number, as `Value::Number`.
    Number { least: i64, most: i64 },
}
