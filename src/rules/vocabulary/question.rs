//! The questions of a rule: a key, the legal answers, and the default; and the declarations that answer them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;
use strum::VariantNames;

use crate::Seat;

/// A thing that an answer can name: a card, a slot, a seat, a lettered alternative.
pub trait Piece: Copy + PartialEq {
    /// Returns the id under which `data/<game>/words.toml` has the names of the piece.
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
    /// The section of the declaration, with the rulebook's own number if it has one.
    pub section: SmolStr,
    /// The occurrence of the section, from 1.
    pub number: u8,
    /// The name of the question within the section, empty for the part as a whole.
    pub name: SmolStr,
}

impl Key {
    /// Returns the key of the question `name` in the section's first occurrence.
    pub const fn new(section: &'static str, name: &'static str) -> Self {
        Self { section: SmolStr::new_static(section), number: 1, name: SmolStr::new_static(name) }
    }

    /// Returns the key of the section as a whole.
    pub const fn part(section: &'static str) -> Self {
        Self::new(section, "")
    }

    /// Returns the key with the section's `number`th occurrence, from 1.
    #[must_use]
    pub fn nth(mut self, number: u8) -> Self {
        self.number = number;
        self
    }

    /// Returns the key of another question of the same section and occurrence.
    #[must_use]
    pub fn named(&self, name: &'static str) -> Self {
        Self { name: SmolStr::new_static(name), ..self.clone() }
    }

    /// Returns the key of the part that this question belongs to.
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

/// The parse error of a text that is not a [`Key`].
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

/// The default of a question that nobody answers. The player sees it before the deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Suppose {
    /// A random one of the legal options.
    Die,
    This(SmolStr),
    /// The largest pieces first, until they cover the cost.
    LargestFirst,
    /// The answer to another section of the declaration (a standing answer), or that question's default.
    Standing(SmolStr),
    /// No answer: the rule goes on without one.
    Nothing,
}

/// The fate of an answer that other turns have made impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lapse {
    /// The part is undone and the pieces it used go back.
    Returned,
    /// The answer counts as missing.
    Missing,
}

/// The kind of answer that fits, owned, for forms, parsers and journals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    Choose {
        /// The legal options.
        options: Vec<SmolStr>,
        /// Options that are barred for now: naming one is a fault with its reason.
        barred: Vec<SmolStr>,
    },
    /// Several options, in order. An option listed `n` times may be named `n` times.
    Pick {
        /// The legal options.
        options: Vec<SmolStr>,
        /// The minimum number of picks.
        min: u8,
        /// The maximum number of picks.
        max: u8,
    },
    /// Pieces from a purse, worth at least the cost.
    Pay {
        /// The cost, `None` if it is not known yet.
        cost: Option<u32>,
        /// The pieces to pay with.
        purse: Vec<Denomination>,
        /// The maximum number of pieces, `None` if there is no limit.
        limit: Option<u8>,
    },
    Number {
        min: i64,
        max: i64,
    },
    /// A text in the player's own words.
    Text {
        /// The maximum length in characters.
        max: usize,
        form: TextForm,
    },
}

/// The form of a text in the player's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextForm {
    Line,
    /// Prose of several lines.
    Lines,
    /// A list of things, one per line. It begins after its label or in quotation marks, because any unknown
    /// word could be a thing.
    List,
}

impl TextForm {
    /// True if the text may have several lines.
    pub fn has_lines(self) -> bool {
        self != Self::Line
    }
}

/// One kind of piece in a purse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denomination {
    /// The id of the piece in the game's words.
    pub id: SmolStr,
    /// The worth of one piece.
    pub worth: u32,
    pub count: u8,
}

/// An open question, owned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The seat that is asked.
    pub seat: Seat,
    /// The address of the question in that seat's declaration.
    pub key: Key,
    /// The clause of the rule that asks.
    pub clause: Clause,
    /// The legal answers.
    pub shape: Shape,
    /// The default without an answer.
    pub suppose: Suppose,
    /// The clause of the default.
    pub default: Clause,
    /// The id of a piece that every answer includes without a word, such as the colour of the chips. A player
    /// may type it; another piece of its group is a slip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tacit: Option<SmolStr>,
}

impl Question {
    /// True if the question has a legal answer: none remains if all its options are barred.
    pub fn is_answerable(&self) -> bool {
        !matches!(&self.shape, Shape::Choose { options, .. } if options.is_empty())
    }

    /// True if the question asks for a list.
    pub fn is_list(&self) -> bool {
        matches!(self.shape, Shape::Text { form: TextForm::List, .. })
    }

    /// True if the rule goes on without an answer.
    pub fn can_pass(&self) -> bool {
        self.suppose == Suppose::Nothing
    }

    /// True if the answer can be nothing: the rule goes on without one, or has a default that no die decides.
    pub fn can_be_nothing(&self) -> bool {
        match &self.shape {
            Shape::Text { .. } | Shape::Pick { min: 0, .. } => true,
            _ => matches!(self.suppose, Suppose::Nothing | Suppose::This(_)),
        }
    }
}

/// The content of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// One option, by its id.
    Choice(SmolStr),
    /// Several options, in order.
    Picks(Vec<SmolStr>),
    /// Pieces to pay with, and the number of each.
    Payment(Vec<(SmolStr, u8)>),
    Number(i64),
    /// A text in the player's own words.
    Text(String),
}

/// The answer to a question that a declaration mentions. A question that it does not mention is *not yet*
/// answered, which also counts as left out at the close.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Given(Value),
    /// The answer of the player's standing orders to a question that the player did not answer. `None` goes
    /// on without an answer.
    Ordered(Option<Value>),
    /// The alternatives to a whole part if the player's first answer cannot stand: the first that can stand
    /// counts. Its key is that of the part.
    InReserve(Vec<Declaration>),
    /// The player leaves the question out on purpose.
    LeftOut,
}

impl Answer {
    /// Returns the value that the player or their standing orders gave.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Given(value) => Some(value),
            Self::Ordered(value) => value.as_ref(),
            Self::InReserve(_) | Self::LeftOut => None,
        }
    }
}

/// The answers of one seat for one window (宣言).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Declaration(BTreeMap<Key, Answer>);

impl Declaration {
    /// Returns the answer to this question, if it is mentioned.
    pub fn get(&self, key: &Key) -> Option<&Answer> {
        self.0.get(key)
    }

    /// Returns the alternatives in reserve for a part, in order.
    pub fn reserves(&self, part: &Key) -> &[Self] {
        match self.0.get(part) {
            Some(Answer::InReserve(reserves)) => reserves,
            _ => &[],
        }
    }

    /// True if the declaration has answers in reserve.
    pub fn has_reserves(&self) -> bool {
        self.0.values().any(|answer| matches!(answer, Answer::InReserve(_)))
    }

    /// Returns the answer to a question of a part after passing over this many alternatives. An answer of
    /// standing orders counts for each alternative.
    pub(crate) fn answer_after(&self, key: &Key, passed: usize) -> Option<&Answer> {
        let first = self.0.get(key);
        let Some(at) = passed.checked_sub(1) else { return first };
        let ordered = first.filter(|answer| matches!(answer, Answer::Ordered(_)));
        self.reserves(&key.whole()).get(at)?.get(key).or(ordered)
    }

    /// Returns the declaration after passing over this many alternatives of a part, with none left in
    /// reserve.
    #[must_use]
    pub fn passing_over(&self, part: &Key, passed: usize) -> Self {
        let mut declaration = self.clone();
        if let Some(at) = passed.checked_sub(1) {
            declaration.remove_part(part);
            declaration.extend(self.reserves(part).get(at).cloned().unwrap_or_default());
        } else {
            declaration.remove(part);
        }
        declaration
    }

    /// Returns the answers to the questions of a part, without its reserves.
    #[must_use]
    pub fn of_part(&self, part: &Key) -> Self {
        let answers = self.iter().filter(|(key, _)| **key != *part && key.whole() == *part);
        Self(answers.map(|(key, answer)| (key.clone(), answer.clone())).collect())
    }

    /// Returns the answers with this number in every key.
    pub(crate) fn with_number(&self, number: u8) -> Self {
        let answers = self.iter().map(|(key, answer)| (key.clone().nth(number), answer.clone()));
        Self(answers.collect())
    }

    /// Answers a question, replacing an earlier answer.
    pub fn set(&mut self, key: Key, answer: Answer) {
        self.0.insert(key, answer);
    }

    /// Removes and returns an answer.
    pub fn remove(&mut self, key: &Key) -> Option<Answer> {
        self.0.remove(key)
    }

    /// Returns the player's own answers, without those of standing orders.
    #[must_use]
    pub fn without_orders(&self) -> Self {
        let answers = self.iter().filter(|(_, answer)| !matches!(answer, Answer::Ordered(_)));
        Self(answers.map(|(key, answer)| (key.clone(), answer.clone())).collect())
    }

    /// Keeps the answers for which `is_kept` returns true.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&Key) -> bool) {
        self.0.retain(|key, _| is_kept(key));
    }

    /// Removes all answers to a part.
    pub(crate) fn remove_part(&mut self, part: &Key) {
        self.retain(|key| key.whole() != *part);
    }

    /// True if the declaration has no answers.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns all answers, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Answer)> {
        self.0.iter()
    }

    /// True if the other declaration has all these answers, and perhaps more.
    pub fn is_within(&self, other: &Self) -> bool {
        self.iter().all(|(key, answer)| other.get(key) == Some(answer))
    }

    /// Takes over all answers of the other declaration.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

/// An act that a seat has done while a window was open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    pub seat: Seat,
    /// The answers that make up the act.
    pub declaration: Declaration,
}

/// A numbered clause of a game's rules in `docs/rules/<game>.md`, such as `E3.4`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Clause(SmolStr);

impl Clause {
    /// Returns the clause with this number.
    pub const fn new(number: &'static str) -> Self {
        Self(SmolStr::new_static(number))
    }

    /// Returns the number as it is cited.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Clause {
    fn from(number: &str) -> Self {
        Self(number.into())
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_as_it_is_written() {
        for text in ["3.card", "3#2.card", "strike.way", "5", "3#2"] {
            assert_eq!(text.parse::<Key>().unwrap().to_string(), text);
        }
        assert!(".card".parse::<Key>().is_err());
        assert!("3#x.card".parse::<Key>().is_err());
    }
}
