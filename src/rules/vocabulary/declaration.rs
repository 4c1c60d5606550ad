//! What a player says: answers to question keys.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::vocabulary::question::Key;
use crate::vocabulary::seat::Seat;

/// What one question was answered with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// One option, by its id.
    Choice(SmolStr),
    /// Several options, in order.
    Picks(Vec<SmolStr>),
    /// Pieces to pay with, and how many of each.
    Payment(Vec<(SmolStr, u8)>),
    Number(i64),
    /// Words of the player's own.
    Text(String),
}

/// What a declaration says about a question it mentions. A question it does not mention is
/// *not yet* answered; at the close that, too, counts as left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Given(Value),
    /// What the player's standing orders say to it, where the player has said nothing; none: to go on
    /// without it.
    Ordered(Option<Value>),
    /// What the player says to a whole part if what they say to it first cannot stand: the first of
    /// these that can. It is said to the key of the part.
    InReserve(Vec<Declaration>),
    /// The player goes on without it, on purpose.
    LeftOut,
}

impl Answer {
    /// What is said, by the player or their standing orders.
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
    /// The answer to this question, if it is mentioned.
    pub fn get(&self, key: &Key) -> Option<&Answer> {
        self.0.get(key)
    }

    /// What is held in reserve for a part, in order.
    pub fn reserves(&self, part: &Key) -> &[Self] {
        match self.0.get(part) {
            Some(Answer::InReserve(reserves)) => reserves,
            _ => &[],
        }
    }

    /// True if anything is held in reserve.
    pub fn has_reserves(&self) -> bool {
        self.0.values().any(|answer| matches!(answer, Answer::InReserve(_)))
    }

    /// The answer to a question of a part of which so many were passed over. What standing orders say
    /// counts for each.
    pub(crate) fn said_after(&self, key: &Key, passed: usize) -> Option<&Answer> {
        let first = self.0.get(key);
        let Some(at) = passed.checked_sub(1) else { return first };
        let ordered = first.filter(|answer| matches!(answer, Answer::Ordered(_)));
        self.reserves(&key.whole()).get(at)?.get(key).or(ordered)
    }

    /// The same with nothing in reserve for a part, of which so many are passed over.
    #[must_use]
    pub fn passing_over(&self, part: &Key, passed: usize) -> Self {
        let mut said = self.clone();
        if let Some(at) = passed.checked_sub(1) {
            said.remove_part(part);
            said.extend(self.reserves(part).get(at).cloned().unwrap_or_default());
        } else {
            said.remove(part);
        }
        said
    }

    /// What is said to a part, without what is held in reserve for it.
    #[must_use]
    pub fn of_part(&self, part: &Key) -> Self {
        let said = self.iter().filter(|(key, _)| **key != *part && key.whole() == *part);
        Self(said.map(|(key, answer)| (key.clone(), answer.clone())).collect())
    }

    /// Answers a question; the last word counts.
    pub fn set(&mut self, key: Key, answer: Answer) {
        self.0.insert(key, answer);
    }

    /// Takes an answer back.
    pub fn remove(&mut self, key: &Key) -> Option<Answer> {
        self.0.remove(key)
    }

    /// What the player says, without what their standing orders add.
    #[must_use]
    pub fn without_orders(&self) -> Self {
        let said = self.iter().filter(|(_, answer)| !matches!(answer, Answer::Ordered(_)));
        Self(said.map(|(key, answer)| (key.clone(), answer.clone())).collect())
    }

    /// Takes back what is said to every other question than these.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&Key) -> bool) {
        self.0.retain(|key, _| is_kept(key));
    }

    /// Takes back everything that is said about a part.
    pub(crate) fn remove_part(&mut self, part: &Key) {
        self.retain(|key| key.whole() != *part);
    }

    /// True if nothing is said at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Everything that is said, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Answer)> {
        self.0.iter()
    }

    /// True if the other one says all of this, whatever else it says.
    pub fn is_within(&self, other: &Self) -> bool {
        self.iter().all(|(key, answer)| other.get(key) == Some(answer))
    }

    /// Takes over everything the other one says.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

/// Something that a seat has done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    pub seat: Seat,
    /// What, as it was asked.
    pub said: Declaration,
}
