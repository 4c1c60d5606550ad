//! The record of a run: events and rulings in order, with the reasons and the clauses that applied.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use strum::VariantNames;

use crate::{Clause, Key, Piece, Sealing, Seat, Value, Viewer};

/// A fact or a ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Item<E> {
    Event(E),
    /// The outcome of a declaration or of a part.
    Ruling(Ruling),
}

/// One line of the record, with the turn and section where it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<E> {
    /// The seat whose turn it is, `None` outside of all turns.
    pub turn: Option<Seat>,
    /// The section of the turn, empty between sections.
    pub section: SmolStr,
    pub item: Item<E>,
}

/// The record of one run.
#[derive(Clone, Debug)]
pub struct Record<E> {
    entries: Vec<Entry<E>>,
    met: BTreeSet<Clause>,
    /// False in play-outs that only count: they do not collect clauses.
    cites: bool,
}

impl<E> Default for Record<E> {
    fn default() -> Self {
        Self { entries: Vec::new(), met: BTreeSet::new(), cites: true }
    }
}

impl<E> Record<E> {
    /// Returns a record that does not collect clauses.
    pub(crate) fn without_clauses() -> Self {
        Self { cites: false, ..Self::default() }
    }

    /// Returns the entries in order.
    pub fn entries(&self) -> &[Entry<E>] {
        &self.entries
    }

    /// Returns the clauses that applied.
    pub fn met(&self) -> &BTreeSet<Clause> {
        &self.met
    }

    /// Splits the record into its entries and clauses.
    pub fn into_parts(self) -> (Vec<Entry<E>>, BTreeSet<Clause>) {
        (self.entries, self.met)
    }

    /// Removes all entries and clauses but keeps the allocated memory.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.met.clear();
    }

    pub(crate) fn insert(&mut self, place: usize, entry: Entry<E>) {
        self.entries.insert(place, entry);
    }

    pub(crate) fn cite(&mut self, clause: &'static str) {
        if self.cites {
            self.met.insert(Clause::new(clause));
        }
    }

    /// Returns the length to rewind to. A rewind keeps the clauses: they did apply before it.
    pub(crate) fn mark(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn rewind(&mut self, mark: usize) {
        self.entries.truncate(mark);
    }
}

/// The reason why an answer cannot stand. A template makes the sentence for the player from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reason {
    /// The answer is none of the legal options.
    NotOffered {
        /// The ids of the answer.
        input: Vec<SmolStr>,
        /// The legal options.
        offered: Vec<SmolStr>,
    },
    /// The game bars this option for now, for a reason of its own.
    Barred {
        input: SmolStr,
        /// The id of the reason in the templates.
        why: SmolStr,
    },
    /// The answer stands, and its player should know something about it: a note of the game.
    Noted {
        /// The pieces that the note is about.
        pieces: Vec<SmolStr>,
        /// The id of the note in the templates.
        why: SmolStr,
    },
    /// The payment is worth less than the cost.
    TooLittle {
        /// The cost.
        cost: u32,
        /// The worth of the named pieces.
        paid: u32,
    },
    /// The payment names more pieces than the player has.
    NotHeld { piece: SmolStr, held: u8 },
    /// The answer names more pieces than the limit.
    TooMany {
        /// The maximum number of pieces.
        limit: u8,
        /// The number of pieces named.
        count: u8,
    },
    /// No payment covers the cost.
    Unaffordable {
        /// The cost.
        cost: u32,
        /// The largest sum that the purse covers within the limit.
        purse: u32,
    },
    /// The number, or the count of picks, is out of bounds.
    OutOfRange { min: i64, max: i64, input: i64 },
    /// The text is longer than its limit.
    TooLong {
        /// The maximum length in characters.
        max: usize,
        /// The length of the text in characters.
        length: usize,
    },
    /// A line of a list, such as a deck, or the list as a whole.
    Listed {
        /// The line, from 1; `None` for the list as a whole.
        line: Option<usize>,
        /// The text of the line, empty for the list as a whole.
        input: String,
        wrong: ListFault,
    },
    /// The answer is of another kind than the question.
    Unfitting,
    /// The answer belongs to no question.
    NotAsked,
    /// The GM made this decision.
    Decided,
}

impl Reason {
    /// Returns a note of the game, by its word in the templates, about these pieces.
    pub fn noted<T: Piece>(why: &str, pieces: &[T]) -> Self {
        Self::Noted { pieces: pieces.iter().map(Piece::id).collect(), why: why.into() }
    }
}

/// A fault of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum ListFault {
    /// The line names no known thing.
    Unknown {
        /// The most similar name, `None` if none is similar.
        near: Option<SmolStr>,
    },
    /// More of a thing than the limit.
    TooMany { limit: usize, count: usize },
    /// The thing is there from the start, and belongs in no list.
    Given,
    /// The whole list is shorter or longer than it may be.
    Size { least: usize, most: usize, count: usize },
    /// The thing is of no use to its player: a warning.
    Useless,
    /// The list needs a choice that is not made: a warning.
    Alone,
    /// The list needs a character, and has none.
    NoCharacter,
    /// The list has a character already, and needs one only.
    OneCharacter,
}

/// An answer that cannot stand: its key, the reason, and the clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{key}: {reason:?} ({clause})")]
pub struct Fault {
    pub key: Key,
    pub reason: Reason,
    pub clause: Clause,
}

/// The outcome of a declaration or of a part. A part carried out as declared needs no ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The answer was left out and decided by die.
    ByDie,
    /// The answer was left out, and only one was legal.
    Only,
    /// The answer was left out, and the question's default counts.
    Supposed,
    /// The answer was left out, and nothing replaces it, by a clause of its own.
    Nothing,
    /// The answer was left out, and the seat's standing orders gave one.
    Ordered,
    /// The first answer could not stand, and an answer in reserve counts.
    InReserve,
    /// The payment was left out or had become impossible: the largest pieces were paid first.
    LargestFirst,
    /// The cost had fallen, and the seat keeps these pieces.
    Trimmed,
    /// The text was too long, and its beginning counts.
    Cut,
    /// The part was undone and the pieces it used went back.
    Returned,
    /// The whole turn was skipped.
    Skipped,
    /// The GM decided the answer.
    Forced,
    /// The GM decided that the turn is not skipped.
    Unskipped,
}

/// A ruling (裁定).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    pub seat: Seat,
    /// The question or part, `None` for the turn as a whole.
    pub key: Option<Key>,
    /// The outcome.
    pub outcome: Outcome,
    /// The answer that counts instead, if there is one. The public does not see it: the events show its
    /// effects.
    pub value: Option<Value>,
    /// The fault of the answer, if it had one. The public does not see it.
    pub fault: Option<Box<Fault>>,
    /// The clause of the ruling.
    pub clause: Clause,
}

impl Ruling {
    /// Returns the ruling for the public: the part, the outcome and the clause, never the card.
    #[must_use]
    pub fn public(&self) -> Self {
        Self { value: None, fault: None, ..self.clone() }
    }

    /// Returns the ruling as this viewer may see it. While sealings are hidden, other viewers see no outcome
    /// of a declaration: it would reveal that there was one.
    pub fn seen_by(&self, viewer: Viewer, sealing: Sealing) -> Option<Self> {
        if viewer == Viewer::All || viewer == Viewer::Seat(self.seat) {
            return Some(self.clone());
        }
        // The existence of standing orders is known to their own seat only.
        if self.outcome == Outcome::Ordered {
            return None;
        }
        let is_visible = sealing == Sealing::Open || !self.outcome.is_of_declaration();
        is_visible.then(|| self.public())
    }
}

impl Outcome {
    /// True if the outcome comes from a declaration or its absence, not from a GM decision or from the turn
    /// as a whole.
    fn is_of_declaration(&self) -> bool {
        !matches!(self, Self::Skipped | Self::Forced | Self::Unskipped)
    }
}
