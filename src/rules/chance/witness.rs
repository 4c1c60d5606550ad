//! Who sees every die fall: what a table's chance came to, to be held against the seed.
//!
//! `docs/verify.md` says how each of them follows from the seed, the window and the label.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::chance::die::{Faces, Label};
use crate::vocabulary::declaration::Value;
use crate::vocabulary::seat::Seat;

/// A die that fell, or a shuffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cast {
    /// The root window, counted from 0, which is the deal.
    pub window: u32,
    pub attempt: u32,
    /// What it was thrown for, as text, which [`Label`] reads back.
    pub label: String,
    /// What it came to.
    #[serde(flatten)]
    pub fell: Fell,
    /// True if the GM has decided what it shows.
    pub decided: bool,
}

/// What a die could show and what it shows, or the order of a shuffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fell {
    /// One of these options.
    One {
        /// The options, in order.
        options: Vec<SmolStr>,
        shows: SmolStr,
    },
    /// Several of these, without putting back.
    Several {
        /// The options, in order.
        options: Vec<SmolStr>,
        /// Those drawn, in order.
        shows: Vec<SmolStr>,
    },
    /// A number. It stands beside that of a window, and goes by another word.
    #[serde(rename = "die")]
    Number { least: i64, most: i64, shows: i64 },
    /// A shuffle: at each position, the position that the card there had before.
    Order(Vec<usize>),
}

impl Cast {
    /// Whose question it answers; none for what is the whole table's.
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

/// A witness of every die that is thrown with the dice it watches ([`crate::Dice::watched_by`]).
#[derive(Clone, Debug, Default)]
pub struct Witness(Arc<Mutex<Vec<Cast>>>);

impl Witness {
    /// What has fallen since this was last asked, in order. What was thrown again for the same
    /// question, as when a rule is run again, fell once.
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
