//! What happened: events and rulings in order, and the clauses that were met.

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
    /// What became of a declaration.
    Ruling(Ruling),
}

/// One line of the record, with the place where it happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<E> {
    /// In whose turn; none outside of all turns.
    pub turn: Option<Seat>,
    /// In which section of it; empty between sections.
    pub section: SmolStr,
    pub item: Item<E>,
}

/// The record of one run.
#[derive(Clone, Debug)]
pub struct Record<E> {
    entries: Vec<Entry<E>>,
    met: BTreeSet<Clause>,
    /// Play-outs that only count do not collect clauses.
    cites: bool,
}

impl<E> Default for Record<E> {
    fn default() -> Self {
        Self { entries: Vec::new(), met: BTreeSet::new(), cites: true }
    }
}

impl<E> Record<E> {
    /// A record that does not collect the clauses met.
    pub(crate) fn without_clauses() -> Self {
        Self { cites: false, ..Self::default() }
    }

    /// What happened, in order.
    pub fn entries(&self) -> &[Entry<E>] {
        &self.entries
    }

    /// The clauses that were met.
    pub fn met(&self) -> &BTreeSet<Clause> {
        &self.met
    }

    /// The record in its parts.
    pub fn into_parts(self) -> (Vec<Entry<E>>, BTreeSet<Clause>) {
        (self.entries, self.met)
    }

    /// Forgets everything and keeps the room for it.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.met.clear();
    }

    pub(crate) fn push(&mut self, entry: Entry<E>) {
        self.entries.push(entry);
    }

    pub(crate) fn cite(&mut self, clause: &'static str) {
        if self.cites {
            self.met.insert(Clause::new(clause));
        }
    }

    /// The length to rewind to. Clauses stay met: the rule did apply, up to what undid it.
    pub(crate) fn mark(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn rewind(&mut self, mark: usize) {
        self.entries.truncate(mark);
    }
}
