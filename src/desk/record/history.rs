//! The history of a table: its journal, read once.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::overrides::{Override, undone};
use crate::record::event::Event;
use store::{JournalRow, Session, StoreError, WindowRow, read_json};
use tables::ids::{EntryNumber, TableCode, WindowNumber};

/// An entry of a table's journal.
#[derive(Debug)]
pub(crate) struct Happened {
    pub(crate) row: JournalRow,
    pub(crate) event: Event,
}

/// All entries of a table's journal, in order.
#[derive(Debug)]
pub(crate) struct History(pub(crate) Vec<Happened>);

impl History {
    pub(crate) async fn load(session: &mut Session, code: &TableCode) -> Result<Self, StoreError> {
        let rows = session.journal(code, EntryNumber::FIRST).await?.into_iter();
        let read = |row: JournalRow| Ok(Happened { event: read_json(&row.body)?, row });
        Ok(Self(rows.map(read).collect::<Result<_, StoreError>>()?))
    }

    pub(crate) fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.0.iter().map(|happened| &happened.event)
    }

    /// Returns the entries with acts that have been taken back.
    fn taken_back(&self) -> BTreeSet<EntryNumber> {
        let decided = self.events().filter_map(|event| match event {
            Event::Overridden { number, what, .. } => Some((*number, what)),
            _ => None,
        });
        let undone = undone(&decided.collect());
        let mut acts: BTreeMap<WindowNumber, Vec<EntryNumber>> = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for Happened { row, event } in &self.0 {
            match event {
                Event::Acted { number, .. } => acts.entry(*number).or_default().push(row.entry),
                Event::Overridden {
                    number,
                    window: Some(window),
                    what: Override::TakeBack { .. },
                    ..
                } if undone.get(number).is_none_or(Option::is_none) => {
                    taken.extend(acts.get_mut(window).and_then(Vec::pop));
                }
                _ => {}
            }
        }
        taken
    }

    /// Returns the events without the acts that have been taken back.
    pub(crate) fn standing(&self) -> impl Iterator<Item = &Event> {
        let taken = self.taken_back();
        let standing = self.0.iter().filter(move |happened| !taken.contains(&happened.row.entry));
        standing.map(|happened| &happened.event)
    }

    /// Returns the whole event that opened a window: the close of the window that it follows, or the deal.
    pub(crate) fn into_opening(self, opened: &WindowRow) -> Option<Event> {
        self.0.into_iter().map(|happened| happened.event).rev().find(|event| match event {
            Event::Closed { number, .. } => Some(*number) == opened.follows,
            Event::Dealt { number, .. } => opened.follows.is_none() && *number <= opened.number,
            _ => false,
        })
    }
}
