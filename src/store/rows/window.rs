//! Windows, and how seats stand in them, as the database keeps them.

use std::fmt;

use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use crate::rows::columns::{Count, Flag, Seats, as_text};
use crate::rows::table::{SeatRow, TableRow};
use rules::{Declaration, Seat, WindowKind};
use tables::ids::{PersonId, WindowNumber};
use tables::time::{Span, Time};
use tables::{Absence, CloseReason};

/// A window of a table, as the database keeps it.
#[derive(Clone, Debug, FromRow)]
pub struct WindowRow {
    /// Its number, from 0.
    pub number: WindowNumber,
    /// The number of the first window of the same root window.
    pub root: WindowNumber,
    pub kind: WindowKind,
    /// What was said in the root window before this window opened.
    pub said: String,
    pub asked: Seats,
    /// The time when it opens.
    pub opens_at: Time,
    pub closes_at: Time,
    /// When it closes early, if everybody has sealed.
    pub settles_at: Option<Time>,
    /// Up to when reminders have been given.
    pub reminded_at: Time,
    /// The number of the window whose end opened it; none for the first.
    pub follows: Option<WindowNumber>,
    /// The number of the window whose sealings count in it, if it is resolved anew.
    pub again: Option<WindowNumber>,
}

/// How a window closed.
#[derive(Clone, Debug, FromRow)]
pub struct ClosedTimes {
    pub number: WindowNumber,
    pub closed_at: Time,
    pub why: CloseReason,
    /// For whom it had waited.
    pub awaited: Seats,
}

/// A declaration, its content left out.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct DeclarationProgressRow {
    pub seat: Seat,
    /// True if it is more than a draft.
    #[sqlx(try_from = "Flag")]
    pub sealed: bool,
    /// True if nothing is left open in it.
    #[sqlx(try_from = "Flag")]
    pub complete: bool,
}

/// A declaration as it is kept, the whole of it.
#[derive(Clone, PartialEq, Eq, FromRow, Serialize, Deserialize)]
pub struct DeclarationRow {
    /// Whose, from 0.
    pub seat: Seat,
    /// What was declared.
    #[serde(with = "as_text")]
    pub answers: Declaration,
    /// True if it is more than a draft.
    pub sealed: Flag,
    /// True if nothing is left open in it.
    pub complete: Flag,
    /// The salt of the sealing, in hex digits, a secret until the end; none for a draft.
    pub salt: Option<String>,
    /// Its salted hash, in hex digits.
    pub hash: Option<String>,
}

impl fmt::Debug for DeclarationRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A declaration must not reach a log.
        f.debug_struct("DeclarationRow").field("seat", &self.seat).finish_non_exhaustive()
    }
}

/// How a seat keeps its windows, and whether anybody is there to.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct PresenceRow {
    pub seat: Seat,
    /// Who sits there; none for a house player.
    pub person: Option<PersonId>,
    /// Windows missed in a row.
    #[sqlx(try_from = "Count<u32>")]
    pub misses: u32,
    /// The number of windows that were put off because it was missing.
    #[sqlx(try_from = "Count<u32>")]
    pub put_off: u32,
    /// Since when no window waits for it.
    pub inactive_at: Option<Time>,
    /// From when its player is away.
    pub away_from: Option<Time>,
    pub away_until: Option<Time>,
    /// Until when somebody stands in.
    pub stood_in_until: Option<Time>,
}

/// What was done about those who were missing in a window.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct LatenessRow {
    /// What was set when it opened.
    pub absence: Absence,
    /// By how many windows' lengths it was put off.
    #[sqlx(try_from = "Count<u32>")]
    pub put_off: u32,
    /// For which seats that were missing it was put off.
    pub missed: Seats,
    /// Which seats may still seal in the time of grace; none before it.
    pub late: Option<Seats>,
    /// The time when the last one who was waited for was told so.
    pub called_at: Option<Time>,
}

impl LatenessRow {
    /// In a window in which nothing was done, what was set when it opened.
    pub fn of(absence: Absence) -> Self {
        Self { absence, put_off: 0, missed: Seats::default(), late: None, called_at: None }
    }
}

/// A time when nobody kept the deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
pub struct OutageRow {
    /// The last sign of life.
    pub began_at: Time,
    /// The first sign of life after it.
    pub ended_at: Time,
}

impl OutageRow {
    pub fn length(&self) -> Span {
        self.ended_at - self.began_at
    }
}

/// A window, who sits at its table, and how they stand in it.
#[derive(Clone, Debug)]
pub struct WholeWindow {
    pub window: WindowRow,
    /// What was done about those who are missing in it.
    pub lateness: LatenessRow,
    /// What is set by now about those who are missing: for the window that follows.
    pub absence: Absence,
    /// Who sits where, by seat.
    pub seats: Vec<SeatRow>,
    /// How they keep their windows.
    pub presences: Vec<PresenceRow>,
    /// Who has declared in it, and how far they are.
    pub progress_rows: Vec<DeclarationProgressRow>,
    /// For which seats something is kept in it, also what came too late.
    pub kept: Vec<Seat>,
    /// For which seats somebody else has declared in it than who sits there.
    pub by_others: Vec<Seat>,
    /// For which seats it is noted how it is kept, which does not count yet.
    pub(crate) noted: Vec<Seat>,
    pub(crate) is_closed: bool,
    /// The outage in which its deadline fell, if it fell in one.
    pub outage: Option<OutageRow>,
    /// What few tables have.
    pub few: Few,
    pub(crate) state: Option<String>,
}

/// What few tables have, so that it is not asked of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is found out by itself")]
pub struct Few {
    /// True if a vote is open.
    pub votes: bool,
    /// Whether somebody stands in for somebody, or did.
    pub substitutes: bool,
    /// True if there may be anybody who hears of it without sitting there.
    pub onlookers: bool,
    /// True if somebody is sought or asked to play.
    pub calls: bool,
    /// True if anybody has left standing orders.
    pub orders: bool,
    /// True if anybody has declared anything for a window that is yet to open.
    pub next_declarations: bool,
    /// True if anybody has written to their side.
    pub side_lines: bool,
}

/// A table that was touched, with its open window.
#[derive(Debug)]
pub(crate) struct Ahead {
    pub(crate) table: TableRow,
    pub(crate) window: Option<WholeWindow>,
    /// What was declared in it, for whoever closes it, and for nobody else.
    pub(crate) declared: Option<Vec<DeclarationRow>>,
}

/// A table as it was a moment ago: who sits there, which of the seats is an account's, and, if one is
/// open, its window.
#[derive(Clone)]
pub struct OpenTable {
    pub table: TableRow,
    /// How often it had been touched. As nobody writes about a table without touching it, nothing of
    /// it is different as long as this is not.
    pub(crate) touched: u64,
    /// Who sits where, by seat.
    pub seats: Vec<SeatRow>,
    pub own: Option<Seat>,
    /// The open window.
    pub window: Option<WholeWindow>,
}

impl fmt::Debug for OpenTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Who looks is shown a part of it.
        f.debug_struct("OpenTable").field("code", &self.table.code).finish_non_exhaustive()
    }
}

impl OpenTable {
    /// True if anybody has left orders for its open window.
    pub fn has_orders(&self) -> bool {
        self.window.as_ref().is_some_and(|whole| whole.few.orders)
    }

    /// The same, for a piece of work that has touched it so often, if nobody else has since it was
    /// seen.
    pub(crate) fn ahead(&self, touched: u64) -> Option<Ahead> {
        let is_same = touched == self.touched + 1;
        let (table, window) = (&self.table, &self.window);
        is_same.then(|| Ahead { table: table.clone(), window: window.clone(), declared: None })
    }
}
