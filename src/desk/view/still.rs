//! Why a table takes nothing that is declared: who wanted that, since when, and why.

use std::fmt;

use crate::desk::model::overrides::Override;
use crate::desk::window::declare::refused_by;
use crate::letters::Refused;
use crate::rules::Seat;
use crate::store::{SeatRow, Session, StoreError, TableRow, read_json};
use crate::tables::{HoldReason, Notified};
use crate::time::Time;

/// A table that stands still, or is locked while its clock runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standstill {
    /// Why nothing is taken.
    pub refused: Refused,
    /// Who wanted it, where somebody did and everybody was told.
    pub wanted: Option<Wanted>,
}

/// Who wants a table to stand still.
#[derive(Clone, PartialEq, Eq)]
pub struct Wanted {
    pub since: Time,
    /// Where they sit; none if they have no seat there.
    pub by: Option<Seat>,
    /// Whether the table wanted it, by a vote.
    pub voted: bool,
    pub reason: String,
}

impl fmt::Debug for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Somebody's words must not reach a log, and who rehearses has not found any yet.
        f.debug_struct("Wanted").field("since", &self.since).finish_non_exhaustive()
    }
}

impl Standstill {
    /// How a table stands still; none if it goes on.
    pub(in crate::desk) async fn of(
        session: &mut Session,
        table: &TableRow,
        seats: &[SeatRow],
    ) -> Result<Option<Self>, StoreError> {
        let Some(held) = &table.held else { return Ok(None) };
        let wanted =
            if held.outlasts_window() { wanted(session, table, held, seats).await? } else { None };
        Ok(Some(Self { refused: refused_by(held), wanted }))
    }
}

async fn wanted(
    session: &mut Session,
    table: &TableRow,
    held: &HoldReason,
    seats: &[SeatRow],
) -> Result<Option<Wanted>, StoreError> {
    for row in session.overrides(&table.code).await?.into_iter().rev() {
        let is_it = match read_json(&row.what)? {
            Override::Lock { .. } => held.is_lock(),
            Override::Pause { .. } => !held.is_lock(),
            _ => false,
        };
        if !is_it || row.undone.is_some() {
            continue;
        }
        let sits = seats.iter().find(|seat| seat.is_of(Some(&row.person)));
        let told = row.notice == Notified::Public;
        return Ok(told.then(|| Wanted {
            since: row.at,
            by: sits.map(|row| row.seat),
            voted: row.vote.is_some(),
            reason: row.reason,
        }));
    }
    Ok(None)
}
