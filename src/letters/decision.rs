//! A decision of a game master, as letters show it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::Moment;
use rules::{Answer, Declaration, Key, Value};

/// A decision of a game master.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ShownDecision<'a> {
    /// The decision as it is stored.
    pub what: Json,
    /// The moves of the game in the decision; empty if it has none.
    pub moves: Vec<Move>,
    /// The pace set by the decision, as the fields of its letter; `None` if it sets no pace.
    pub pace: Option<Json>,
    /// The absence policy set by the decision, as the fields of its letter; `None` if it sets none.
    pub absence: Option<Json>,
    /// The time named by the decision; `None` if it names none.
    pub time: Option<Moment>,
    /// The reason in the game master's words; empty if none is given yet.
    pub reason: &'a str,
    /// The decision undone by this one; `None` if it undoes none or the letter does not show it.
    pub undone: Option<Box<Self>>,
    /// The deadline in force; `None` if the letter does not show it.
    pub closes: Option<Moment>,
}

/// A move of a game master, which the game's templates turn into a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The section of the declaration that is the move.
    pub part: SmolStr,
    /// The given answers by the names of their questions.
    pub said: BTreeMap<SmolStr, Value>,
}

impl Move {
    /// Returns the moves in a declaration, one for each part.
    pub fn all(declared: &Declaration) -> Vec<Self> {
        let mut moves: BTreeMap<Key, Self> = BTreeMap::new();
        for (key, answer) in declared.iter() {
            let part = || Self { part: key.section.clone(), said: BTreeMap::new() };
            let of_part = moves.entry(key.whole()).or_insert_with(part);
            if let Answer::Given(value) = answer {
                of_part.said.insert(key.name.clone(), value.clone());
            }
        }
        moves.into_values().collect()
    }
}
