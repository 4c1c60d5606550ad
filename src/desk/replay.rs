//! A table is played again from what is kept of it, and held against its journal.
//!
//! Each window that was closed is resolved again, from the state of its root window, what had been
//! said and decided there, and what was declared in it. Which of them game masters have touched is
//! told beside it: what they have decided is in what is kept, and so it is played again too.

use std::collections::BTreeMap;

use super::{Desk, Happened, NotDone, Override, by_seat, contest, read_json};
use crate::games::any::AnyGame;
use crate::letters::Refused;
use crate::rules::{Declaration, Viewer, receipt};
use crate::store::{JournalRow, SeatRow, Session, StoreError, TableRow};

/// What came of playing a table again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The first entry of the journal that is not chained to the one before it, or does not tell
    /// what was said before; none if all are.
    pub broken: Option<i64>,
    /// Each window that was closed, in the order in which it was.
    pub windows: Vec<Replayed>,
    /// What game masters have decided: the number of the override, the window that it touched, and
    /// what it is.
    pub touched: Vec<(i64, i64, Override)>,
}

/// A window that was played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Its number.
    pub number: i64,
    /// The root window, counted from 0, which is the deal.
    pub window: u32,
    /// Whether it came to the same state, by the same events.
    pub is_same: bool,
}

impl Replay {
    /// Whether everything is as the journal tells it.
    pub fn is_sound(&self) -> bool {
        self.broken.is_none() && self.windows.iter().all(|window| window.is_same)
    }
}

impl Desk {
    /// Plays a table again. Nothing is changed.
    ///
    /// # Errors
    /// If there is no such table, this program does not know its rules, or the database cannot be
    /// reached.
    pub async fn replay(&self, code: &str) -> Result<Replay, NotDone> {
        let mut session = self.store.read().await?;
        let table = session.table(code).await?.ok_or(Refused::NoTable)?;
        let game = self.games.of(&table)?;
        let seats = session.seats(code).await?;
        let rows = session.journal(code, 0).await?;
        let mut replay =
            Replay { broken: broken(&table, &rows), windows: Vec::new(), touched: Vec::new() };
        let playing = Playing { game, table: &table, seats: &seats };
        for row in &rows {
            match read_json(&row.body)? {
                happened @ Happened::Closed { .. } => {
                    replay.windows.extend(playing.close(&mut session, &happened).await?);
                }
                Happened::Overridden { number, window, what, .. } => {
                    replay.touched.push((number, window, what));
                }
                _ => {}
            }
        }
        Ok(replay)
    }
}

/// The first entry that does not follow from those before it.
fn broken(table: &TableRow, rows: &[JournalRow]) -> Option<i64> {
    let mut chain = receipt::BEGINNING;
    for (entry, row) in (0..).zip(rows) {
        chain = receipt::chain(&chain, &row.line());
        if row.entry != entry || row.hash != hex::encode(chain) {
            return Some(entry);
        }
    }
    let is_last = table.chain == hex::encode(chain);
    (!is_last).then(|| i64::try_from(rows.len()).unwrap_or(i64::MAX))
}

/// A table that is played again.
struct Playing<'a> {
    game: &'static dyn AnyGame,
    table: &'a TableRow,
    seats: &'a [SeatRow],
}

impl Playing<'_> {
    /// Resolves a window again.
    async fn close(
        &self,
        session: &mut Session,
        happened: &Happened,
    ) -> Result<Option<Replayed>, StoreError> {
        let Happened::Closed { number, window, sealed, entries, state, .. } = happened else {
            return Ok(None);
        };
        let (number, window) = (*number, *window);
        let different = Ok(Some(Replayed { number, window, is_same: false }));
        let code = &self.table.code;
        let Some(row) = session.window(code, number).await? else { return different };
        let Ok(mut contest) = contest(session, self.game, self.table, self.seats, &row).await
        else {
            return different;
        };
        let kept = session.declared(code, number).await?;
        let hashes = kept.iter().filter_map(|opened| Some((opened.seat, opened.hash.clone()?)));
        let as_sealed = hashes.collect::<Vec<_>>() == *sealed;
        let mut declared: BTreeMap<_, Declaration> =
            kept.into_iter().map(|opened| (opened.seat, opened.answers)).collect();
        let Ok(told) = contest.close(by_seat(self.table.chairs, |seat| declared.remove(&seat)))
        else {
            return different;
        };
        let as_told = told.entries(Viewer::All) == *entries;
        let is_same = as_sealed && as_told && hex::encode(contest.state_hash()) == *state;
        Ok(Some(Replayed { number, window, is_same }))
    }
}
