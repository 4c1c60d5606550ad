//! The record of a run: events and rulings in order, and the clauses that applied.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::vocabulary::clause::Clause;
use crate::vocabulary::ruling::Ruling;
use crate::vocabulary::seat::Seat;

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
