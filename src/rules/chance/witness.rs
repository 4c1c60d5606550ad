//! A witness of dice: a record of every throw of a table, to check against the seed.
//!
//! `docs/verify.md` says how each throw follows from the seed, the window and the label.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::chance::die::{Faces, Label};
use crate::vocabulary::declaration::Value;
use crate::vocabulary::seat::Seat;

/// A throw of a die, or a shuffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cast {
    /// The root window, counted from 0, which is the deal.
    pub window: u32,
    pub attempt: u32,
    /// The label as text, which [`Label`] parses.
    pub label: String,
    /// The result.
    #[serde(flatten)]
    pub fell: Fell,
    /// True if the GM decided the value.
    pub decided: bool,
}

/// The possible and actual values of a die, or the order of a shuffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fell {
    /// One of several options.
    One {
        /// The options, in order.
        options: Vec<SmolStr>,
        shows: SmolStr,
    },
    /// A draw of several options, without replacement.
    Several {
        /// The options, in order.
        options: Vec<SmolStr>,
        /// The drawn options, in order.
        shows: Vec<SmolStr>,
    },
    /// A number. Its serialized name is `die`, to tell it from the number of a window.
    #[serde(rename = "die")]
    Number { least: i64, most: i64, shows: i64 },
    /// A shuffle: at each position, the position that the card there had before.
    Order(Vec<usize>),
}

impl Cast {
    /// Returns the seat whose question the die answers, `None` for a die of the whole table.
    pub fn seat(&self) -> Option<Seat> {
        self.label.parse::<Label>().ok().and_then(|label| label.seat)
    }
}

impl Fell {
    fn of(faces: Faces, showed: Value) -> Option<Self> {
        match (faces, showed) {
            (Faces::One(options), Value::Choice(shows)) => Some(Self::One { options, shows }),
            (Faces::Several { options, .. }, Value::Picks(shows)) => {
                Some(Self::Several { options, shows })
            }
            (Faces::Number { least, most }, Value::Number(shows)) => {
                Some(Self::Number { least, most, shows })
            }
            _ => None,
        }
    }
}

/// A witness of every throw of the dice it watches ([`crate::Dice::watched_by`]).
#[derive(Clone, Debug, Default)]
pub struct Witness(Arc<Mutex<Vec<Cast>>>);

impl Witness {
    /// Takes the throws since the last call, in order. A throw repeated for the same question, as in a
    /// re-run, is listed once.
    pub fn take(&self) -> Vec<Cast> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, cast: Cast) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|other| {
            (other.window, other.attempt, &other.label) != (cast.window, cast.attempt, &cast.label)
        });
        seen.push(cast);
    }
}

/// A witness of the dice of one root window.
#[derive(Clone, Debug)]
pub(crate) struct WindowWitness {
    pub(crate) witness: Witness,
    pub(crate) window: u32,
    pub(crate) attempt: u32,
}

impl WindowWitness {
    pub(crate) fn saw(&self, label: &Label, faces: Faces, showed: Value, decided: bool) {
        if let Some(fell) = Fell::of(faces, showed) {
            self.note(label, fell, decided);
        }
    }

    pub(crate) fn saw_order(&self, label: &Label, order: Vec<usize>) {
        self.note(label, Fell::Order(order), false);
    }

    fn note(&self, label: &Label, fell: Fell, decided: bool) {
        let Self { window, attempt, .. } = *self;
        self.witness.note(Cast { window, attempt, label: label.to_string(), fell, decided });
    }
}
