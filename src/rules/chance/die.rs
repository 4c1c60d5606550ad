//! A die: what it is thrown for, and what it may show.

use std::fmt;
use std::str::FromStr;

use smol_str::SmolStr;

use crate::vocabulary::question::Key;
use crate::vocabulary::seat::Seat;

/// What a die is thrown for: a question of a seat, or something of the whole table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// Whose question; none for the table's own dice, such as a shuffle.
    pub seat: Option<Seat>,
    pub key: Key,
    /// The act in which it is thrown, of those of the open window, counted from 1; none for what is
    /// thrown when the window is resolved.
    pub act: Option<u32>,
}

impl Label {
    /// A die for a seat's question.
    pub fn of(seat: Seat, key: Key) -> Self {
        Self { seat: Some(seat), key, act: None }
    }

    /// A die of the whole table.
    pub fn table(key: Key) -> Self {
        Self { seat: None, key, act: None }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(act) = self.act {
            write!(f, "{ACT}{act}:")?;
        }
        if let Some(seat) = self.seat {
            write!(f, "{seat}:")?;
        }
        write!(f, "{}", self.key)
    }
}

/// What stands before the number of an act.
pub(crate) const ACT: &str = "act";

/// A text that is no [`Label`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is no label of a die; one looks like P2:3#2.card")]
pub struct ParseLabelError(String);

impl FromStr for Label {
    type Err = ParseLabelError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseLabelError(text.to_owned());
        let act = text.strip_prefix(ACT).and_then(|text| text.split_once(':'));
        let act = act.and_then(|(act, rest)| Some((act.parse().ok()?, rest)));
        let (act, text) = act.map_or((None, text), |(act, rest)| (Some(act), rest));
        let (seat, key) = match text.split_once(':') {
            Some((seat, key)) => (Some(seat.parse().map_err(|_| error())?), key),
            None => (None, text),
        };
        Ok(Self { seat, key: key.parse().map_err(|_| error())?, act })
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

#[cfg(test)]
mod tests {
    use crate::chance::die::*;

    #[test]
    fn a_label_is_read_as_it_is_written() {
        for text in ["P2:3#2.card", "deck.actor", "act2:deck.actor", "act12:P3:now.do", "act.way"] {
            let label: Label = text.parse().unwrap();
            assert_eq!(label.to_string(), text);
            assert_eq!(
                label.act.is_some(),
                text.starts_with("act2:") || text.starts_with("act12:")
            );
        }
    }
}
