//! A decision of a game master's, as letters tell it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::template::views::Moment;
use rules::{Answer, Declaration, Key, Value};

/// A decision of a game master's.
#[derive(Clone, Debug, Serialize)]
pub struct ShownDecision<'a> {
    /// What it is, as it is kept.
    pub what: Json,
    /// The moves of the game that it is, if it is any.
    pub moves: Vec<Move>,
    /// The pace it sets, as the letter of its name sees it, if it sets one.
    pub pace: Option<Json>,
    /// The absence policy it sets, the same, if it sets one.
    pub absence: Option<Json>,
    /// The time it names, if it names one.
    pub time: Option<Moment>,
    /// Why, in their words; empty if they have not said it yet.
    pub reason: &'a str,
    /// What it undoes, where that is told with it.
    pub undone: Option<Box<Self>>,
    /// The deadline that holds now, where that is told with it.
    pub closes: Option<Moment>,
}

/// A move of the game master's, of which the game's templates make a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The section that it is.
    pub part: SmolStr,
    /// What is said of it, by the names of the questions.
    pub said: BTreeMap<SmolStr, Value>,
}

impl Move {
    /// The moves that are said.
    pub fn all(said: &Declaration) -> Vec<Self> {
        let mut moves: BTreeMap<Key, Self> = BTreeMap::new();
        for (key, answer) in said.iter() {
            let part = || Self { part: key.section.clone(), said: BTreeMap::new() };
            let of_part = moves.entry(key.whole()).or_insert_with(part);
            if let Answer::Given(value) = answer {
                of_part.said.insert(key.name.clone(), value.clone());
            }
        }
        moves.into_values().collect()
    }
}
