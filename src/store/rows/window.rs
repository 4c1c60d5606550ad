//! Rows of windows, and of the seats in them.

use std::fmt;

use sqlx::FromRow;

use crate::rows::columns::{Count, Flag, Seats};
use crate::rows::table::{SeatRow, TableRow};
use rules::{Declaration, Seat, WindowKind};
use tables::ids::{PersonId, WindowNumber};
use tables::time::{Span, Time};
use tables::{Absence, CloseReason};

/// The row of a window.
#[derive(Clone, Debug, FromRow)]
pub struct WindowRow {
    /// The number of the window, from 0.
    pub number: WindowNumber,
    /// The number of the first window of the same root window.
    pub root: WindowNumber,
    pub kind: WindowKind,
    /// The answers in the root window before this window opened.
    pub said: String,
    pub asked: Seats,
    pub opens_at: Time,
    pub closes_at: Time,
    /// The time of the early close, `None` unless all seats have sealed.
    pub settles_at: Option<Time>,
    /// The time up to which reminders have been sent.
    pub reminded_at: Time,
    /// The number of the window whose end opened it, `None` for the first.
    pub follows: Option<WindowNumber>,
    /// The number of the window whose sealings count in it, `None` unless it is resolved anew.
    pub again: Option<WindowNumber>,
}

/// The close of a window.
#[derive(Clone, Debug, FromRow)]
pub struct ClosedTimes {
    pub number: WindowNumber,
    pub closed_at: Time,
    pub why: CloseReason,
    /// The seats that the window had waited for.
    pub awaited: Seats,
}

/// A declaration without its content.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct DeclarationProgressRow {
    pub seat: Seat,
    /// True if the declaration is sealed, false for a draft.
    #[sqlx(try_from = "Flag")]
    pub sealed: bool,
    /// True if no question is left open.
    #[sqlx(try_from = "Flag")]
    pub complete: bool,
}

/// The complete row of a declaration.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct DeclarationRow {
    /// The seat, from 0.
    pub seat: Seat,
    /// The declared answers.
    pub answers: Declaration,
    /// True if the declaration is sealed, false for a draft.
    pub sealed: Flag,
    /// True if no question is left open.
    pub complete: Flag,
    /// The salt of the sealing in hex digits, a secret until the end, `None` for a draft.
    pub salt: Option<String>,
    /// The salted hash, in hex digits, `None` for a draft.
    pub hash: Option<String>,
}

impl fmt::Debug for DeclarationRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A declaration must not reach a log.
        f.debug_struct("DeclarationRow").field("seat", &self.seat).finish_non_exhaustive()
    }
}

/// The attendance of a seat, and the absence of its player.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct PresenceRow {
    pub seat: Seat,
    /// The person on the seat, `None` for a bot player.
    pub person: Option<PersonId>,
    /// The number of consecutive windows missed.
    #[sqlx(try_from = "Count<u32>")]
    pub misses: u32,
    /// The number of windows that were put off for the seat.
    #[sqlx(try_from = "Count<u32>")]
    pub put_off: u32,
    /// The time since which no window waits for the seat, `None` if windows wait.
    pub inactive_at: Option<Time>,
    /// The beginning of the player's absence, `None` if there is none.
    pub away_from: Option<Time>,
    pub away_until: Option<Time>,
    /// The end of the substitution, `None` without a substitute.
    pub stood_in_until: Option<Time>,
}

/// The treatment of missing players in a window.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct LatenessRow {
    /// The settings at the opening.
    pub absence: Absence,
    /// The number of window lengths by which the window was put off.
    #[sqlx(try_from = "Count<u32>")]
    pub put_off: u32,
    /// The missing seats for which the window was put off.
    pub missed: Seats,
    /// The seats that may still seal in the time of grace, `None` before it.
    pub late: Option<Seats>,
    /// The time at which the last awaited player was called, `None` if nobody was.
    pub called_at: Option<Time>,
}

impl LatenessRow {
    /// Returns the row of a window without any treatment so far, with the settings at its opening.
    pub fn of(absence: Absence) -> Self {
        Self { absence, put_off: 0, missed: Seats::default(), late: None, called_at: None }
    }
}

/// A time without any process to keep the deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
pub struct OutageRow {
    /// The last heartbeat before the outage.
    pub began_at: Time,
    /// The first heartbeat after the outage.
    pub ended_at: Time,
}

impl OutageRow {
    pub fn length(&self) -> Span {
        self.ended_at - self.began_at
    }
}

/// A window with the players of its table and their progress.
#[derive(Clone, Debug)]
pub struct WholeWindow {
    pub window: WindowRow,
    /// The treatment of missing players in the window.
    pub lateness: LatenessRow,
    /// The present settings about missing players, which apply to the next window.
    pub absence: Absence,
    /// The players, by seat.
    pub seats: Vec<SeatRow>,
    /// The attendance of the seats.
    pub presences: Vec<PresenceRow>,
    /// The progress of the declarations.
    pub progress_rows: Vec<DeclarationProgressRow>,
    /// The seats with a stored declaration, even a late one.
    pub stored: Vec<Seat>,
    /// The seats for which somebody other than the player has declared.
    pub by_others: Vec<Seat>,
    /// The seats with a record that does not count yet.
    pub(crate) noted: Vec<Seat>,
    pub(crate) is_closed: bool,
    /// The outage at its deadline, `None` if there was none.
    pub outage: Option<OutageRow>,
    /// The rarely used features of the table.
    pub few: Few,
    pub(crate) state: Option<String>,
}

/// The rarely used features of a table: most tables have none and skip their queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is found out by itself")]
pub struct Few {
    /// True if a vote is open.
    pub votes: bool,
    /// True if a seat has or had a substitute.
    pub substitutes: bool,
    /// True if the table may have onlookers.
    pub onlookers: bool,
    /// True if a seat is open or a person is invited to one.
    pub calls: bool,
    /// True if a player has standing orders.
    pub orders: bool,
    /// True if a player has declared for a window that is yet to open.
    pub next_declarations: bool,
    /// True if anybody has written to their side.
    pub side_lines: bool,
}

/// A table read ahead, with its open window.
#[derive(Debug)]
pub(crate) struct Ahead {
    pub(crate) table: TableRow,
    pub(crate) window: Option<WholeWindow>,
    /// The declarations in the window, only for its close.
    pub(crate) declared: Option<Vec<DeclarationRow>>,
}

/// A table as it was a moment ago: its players, the seat of an account, and its open window, if there is one.
#[derive(Clone)]
pub struct OpenTable {
    pub table: TableRow,
    /// The number of times that the table had been touched. Every writer touches the table first, so the
    /// table is unchanged as long as this number is.
    pub(crate) touched: u64,
    /// The players, by seat.
    pub seats: Vec<SeatRow>,
    pub own: Option<Seat>,
    /// The open window.
    pub window: Option<WholeWindow>,
}

impl fmt::Debug for OpenTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A viewer sees only a part of the table.
        f.debug_struct("OpenTable").field("code", &self.table.code).finish_non_exhaustive()
    }
}

impl OpenTable {
    /// True if a player has standing orders in its open window.
    pub fn has_orders(&self) -> bool {
        self.window.as_ref().is_some_and(|whole| whole.few.orders)
    }

    /// Returns the table for a piece of work that has just touched it, `None` if another one has touched it
    /// since the reading.
    pub(crate) fn ahead(&self, touched: u64) -> Option<Ahead> {
        let is_same = touched == self.touched + 1;
        let (table, window) = (&self.table, &self.window);
        is_same.then(|| Ahead { table: table.clone(), window: window.clone(), declared: None })
    }
}
