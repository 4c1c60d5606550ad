//! What a rule asks: a key, the legal answers, and what happens without one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use crate::vocabulary::clause::Clause;
use crate::vocabulary::seat::Seat;

/// A thing that can be named in an answer: a card, a slot, a seat, a lettered alternative.
pub trait Piece: Copy + PartialEq {
    /// The id under which `data/<game>/words.toml` has its names.
    fn id(&self) -> SmolStr;
}

impl Piece for Seat {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(self.name())
    }
}

/// The address of a question within one seat's declaration, such as `3#2.card`: the second
/// time section 3 is played, the card. A key without a name (`3#2`) is the part itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The section of the declaration, in the rulebook's own numbering where it has one.
    pub section: SmolStr,
    /// The how-manieth of that section, from 1.
    pub number: u8,
    /// The question within the section; empty for the part as a whole.
    pub name: SmolStr,
}

impl Key {
    /// The question `name` of the section's first occurrence.
    pub const fn new(section: &'static str, name: &'static str) -> Self {
        Self { section: SmolStr::new_static(section), number: 1, name: SmolStr::new_static(name) }
    }

    /// The section as a whole.
    pub const fn part(section: &'static str) -> Self {
        Self::new(section, "")
    }

    /// It in the section's `number`th occurrence, from 1.
    #[must_use]
    pub fn nth(mut self, number: u8) -> Self {
        self.number = number;
        self
    }

    /// Another question of the same section and occurrence.
    #[must_use]
    pub fn named(&self, name: &'static str) -> Self {
        Self { name: SmolStr::new_static(name), ..self.clone() }
    }

    /// The part this question belongs to.
    #[must_use]
    pub fn whole(&self) -> Self {
        self.named("")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.section)?;
        if self.number != 1 {
            write!(f, "#{}", self.number)?;
        }
        if !self.name.is_empty() {
            write!(f, ".{}", self.name)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no [`Key`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is no question key; one looks like 3#2.card")]
pub struct ParseKeyError(String);

impl FromStr for Key {
    type Err = ParseKeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseKeyError(text.to_owned());
        let (part, name) = text.split_once('.').unwrap_or((text, ""));
        let (section, number) = part.split_once('#').unwrap_or((part, "1"));
        if section.is_empty() {
            return Err(error());
        }
        let number = number.parse().map_err(|_| error())?;
        Ok(Self { section: section.into(), number, name: name.into() })
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// What a question supposes when nobody answers it. It is shown to the player before it strikes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Suppose {
    /// A die among the legal options.
    Die,
    This(SmolStr),
    /// The largest pieces first, until the cost is covered.
    LargestFirst,
    /// The answer to another section of the declaration (a standing answer), and then what that supposes.
    Standing(SmolStr),
    /// The player goes on without it.
    Nothing,
}

/// What becomes of an answer that others have made impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lapse {
    /// The part is undone and what it used goes back.
    Returned,
    /// It counts as if it had not been given.
    Missing,
}

/// The kind of answer that fits, owned: what forms, parsers and journals see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    Choose {
        /// The legal options.
        options: Vec<SmolStr>,
        /// Options that are barred for now: naming one is a fault that says why.
        barred: Vec<SmolStr>,
    },
    /// Several of these, in order; an option that stands `n` times may be named `n` times.
    Pick {
        /// The legal options.
        options: Vec<SmolStr>,
        /// At least this many.
        min: u8,
        /// At most this many.
        max: u8,
    },
    /// Pieces from a purse worth at least the cost.
    Pay {
        /// What is to be paid, where it is known.
        cost: Option<u32>,
        /// What there is to pay with.
        purse: Vec<Denomination>,
        /// At most this many pieces.
        limit: Option<u8>,
    },
    Number {
        min: i64,
        max: i64,
    },
    /// Words of the player's own.
    Text {
        /// At most this many characters.
        max: usize,
        /// True if it may run over several lines.
        lines: bool,
    },
}

/// One kind of piece in a purse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denomination {
    /// Its id in the game's words.
    pub id: SmolStr,
    /// What one piece is worth.
    pub worth: u32,
    pub count: u8,
}

/// An open question, owned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Who is asked.
    pub seat: Seat,
    /// Its address in that seat's declaration.
    pub key: Key,
    /// The rule that asks.
    pub clause: Clause,
    /// What is legal.
    pub shape: Shape,
    /// What happens without an answer.
    pub suppose: Suppose,
    /// The rule for that.
    pub default: Clause,
    /// What goes without saying about every answer, such as the colour of the chips. It can be
    /// said; another piece of its group is a slip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tacit: Option<SmolStr>,
}

impl Question {
    /// True if there is any answer to it: there is none where everything is barred.
    pub fn is_answerable(&self) -> bool {
        !matches!(&self.shape, Shape::Choose { options, .. } if options.is_empty())
    }

    /// True if it can be gone without: nothing is supposed.
    pub fn can_pass(&self) -> bool {
        self.suppose == Suppose::Nothing
    }
}

#[cfg(test)]
mod tests {
    use crate::vocabulary::question::*;

    #[test]
    fn a_key_reads_back_as_it_is_written() {
        for text in ["3.card", "3#2.card", "strike.way", "5", "3#2"] {
            assert_eq!(text.parse::<Key>().unwrap().to_string(), text);
        }
        assert!(".card".parse::<Key>().is_err());
        assert!("3#x.card".parse::<Key>().is_err());
    }
}
