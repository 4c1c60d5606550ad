//! A die: its label and its faces.

use std::fmt;
use std::str::FromStr;

use smol_str::SmolStr;

use crate::vocabulary::question::Key;
use crate::vocabulary::seat::Seat;

/// The purpose of a die: a question of a seat, or a matter of the whole table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The seat whose question the die answers, `None` for the table's own dice, such as a shuffle.
    pub seat: Option<Seat>,
    pub key: Key,
    /// The number of the act that throws the die, counted from 1 in the open window, `None` for the window's
    /// resolution.
    pub act: Option<u32>,
}

impl Label {
    /// Returns the label of a die for a seat's question.
    pub fn of(seat: Seat, key: Key) -> Self {
        Self { seat: Some(seat), key, act: None }
    }

    /// Returns the label of a die of the whole table.
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

/// The prefix of an act's number.
pub(crate) const ACT: &str = "act";

/// The parse error of a text that is not a [`Label`].
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

/// The possible values of a die, which a GM may choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faces {
    /// One of these options, as `Value::Choice`.
    One(Vec<SmolStr>),
    /// Several of these in order, as `Value::Picks`; an option listed twice can come twice.
    Several {
        options: Vec<SmolStr>,
        /// The number of options drawn.
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
