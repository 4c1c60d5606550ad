//! What became of a declaration, and why.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::vocabulary::clause::Clause;
use crate::vocabulary::declaration::Value;
use crate::vocabulary::question::Key;
use crate::vocabulary::seat::{Seat, Viewer};
use crate::vocabulary::window::Sealing;

/// Why an answer cannot stand. The sentence for the player is made from it by a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reason {
    /// It is none of the legal options.
    NotOffered {
        said: Vec<SmolStr>,
        /// What would be right.
        offered: Vec<SmolStr>,
    },
    /// The game bars this option for now, for a reason of its own that has a word.
    Barred {
        said: SmolStr,
        /// The word of the reason.
        why: SmolStr,
    },
    /// The payment is worth less than the cost.
    TooLittle {
        /// What was to be paid.
        cost: u32,
        /// What was offered.
        paid: u32,
    },
    /// The payment names pieces that are not there.
    NotHeld { said: SmolStr, held: u8 },
    /// More pieces than may be used.
    TooMany {
        /// How many may be used.
        limit: u8,
        /// How many were named.
        said: u8,
    },
    /// No payment covers the cost.
    Unaffordable {
        /// What was to be paid.
        cost: u32,
        /// What there is, within the limit.
        purse: u32,
    },
    /// The number, or the count of things picked, is out of bounds.
    OutOfRange { min: i64, max: i64, said: i64 },
    /// The text is longer than what counts of it.
    TooLong {
        /// How many characters count.
        max: usize,
        said: usize,
    },
    /// The answer is of another kind than the question.
    Unfitting,
    /// Nobody asked this.
    NotAsked,
    /// The GM has decided so.
    Decided,
}

/// An answer that cannot stand: where, why, and by which rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{key}: {reason:?} ({clause})")]
pub struct Fault {
    pub key: Key,
    pub reason: Reason,
    pub clause: Clause,
}

/// What became of a declaration or a part of it. What was carried out as declared needs no ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Left out and decided by die.
    ByDie,
    /// Left out, and only one answer was legal.
    Only,
    /// Left out, and the question supposes this.
    Supposed,
    /// Left out, and nothing comes instead of it, by a clause of its own.
    Nothing,
    /// Left out, and answered by the seat's standing orders.
    Ordered,
    /// What was said first could not stand: what was held in reserve for it counts.
    InReserve,
    /// The payment was left out or had become impossible: the largest first.
    LargestFirst,
    /// The cost had fallen: these pieces stay.
    Trimmed,
    /// The text was too long: its beginning counts.
    Cut,
    /// The part was undone and what it used went back.
    Returned,
    /// The turn was skipped, whole.
    Skipped,
    /// The GM decided this.
    Forced,
    /// The turn would have been skipped, and the GM decided that it is not.
    Unskipped,
}

/// A ruling (裁定).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    pub seat: Seat,
    /// Which question or part; none for the turn as a whole.
    pub key: Option<Key>,
    /// What became of it.
    pub outcome: Outcome,
    /// The answer that counts instead, where there is one. The public does not see it:
    /// what it brings about is told by the events.
    pub value: Option<Value>,
    /// Why, where something was wrong. The public does not see it.
    pub fault: Option<Box<Fault>>,
    /// The rule that says so.
    pub clause: Clause,
}

impl Ruling {
    /// What everybody may see: the part, the outcome and the clause, never the card.
    #[must_use]
    pub fn public(&self) -> Self {
        Self { value: None, fault: None, ..self.clone() }
    }

    /// What this viewer may see. Where it is hidden who has declared, others see nothing of what
    /// became of a declaration: that would tell whether there was one.
    pub fn seen_by(&self, viewer: Viewer, sealing: Sealing) -> Option<Self> {
        if viewer == Viewer::All || viewer == Viewer::Seat(self.seat) {
            return Some(self.clone());
        }
        // True if somebody has standing orders is nobody's but theirs.
        if self.outcome == Outcome::Ordered {
            return None;
        }
        let is_told = sealing == Sealing::Open || !self.outcome.is_of_declaration();
        is_told.then(|| self.public())
    }
}

impl Outcome {
    /// True if it came of what was declared or left out, and not of a decision of the GM's or of the
    /// turn as a whole.
    fn is_of_declaration(&self) -> bool {
        !matches!(self, Self::Skipped | Self::Forced | Self::Unskipped)
    }
}
