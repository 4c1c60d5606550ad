//! The declarations of players: answers to question keys.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::vocabulary::question::Key;
use crate::vocabulary::seat::Seat;

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
