//! Lines of players to their own side, stored until the table is over.

use std::fmt;

use serde::Serialize;
use sqlx::FromRow;

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::rows::columns::Count;
use crate::table::tables::Touched;
use rules::{Seat, Side};
use tables::ids::{PersonId, TableCode};
use tables::time::Time;

/// A line of a player to their side.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct SideLine {
    /// Its writer's seat.
    pub seat: Seat,
    pub at: Time,
    /// The text.
    pub words: String,
}

/// A line with its table, for the export of its writer's data.
#[derive(Clone, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptSideLine {
    pub code: TableCode,
    /// Their seat, from 0.
    pub seat: Seat,
    pub at: Time,
    pub words: String,
}

impl fmt::Debug for SideLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Lines of a side must not reach a log.
        f.debug_struct("SideLine").field("seat", &self.seat).finish_non_exhaustive()
    }
}

impl fmt::Debug for KeptSideLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptSideLine").field("code", &self.code).finish_non_exhaustive()
    }
}

/// Returns at most this number of the last lines of a side, the oldest first.
pub async fn all(
    session: &mut Session,
    code: &TableCode,
    side: Side,
    most: u32,
) -> Result<Vec<SideLine>, StoreError> {
    let text = "select seat, at, words from side_lines where code = $1 and side = $2
         order by number desc limit $3";
    let mut lines: Vec<SideLine> =
        session.rows(text, (code, column(side), i64::from(most))).await?;
    lines.reverse();
    Ok(lines)
}

/// Returns the lines of a person to their sides at all tables.
pub async fn kept_side_lines(
    session: &mut Session,
    person: &PersonId,
) -> Result<Vec<KeptSideLine>, StoreError> {
    let text = "select code, seat, at, words from side_lines where person = $1
         order by code, number";
    session.rows(text, (&person,)).await
}

/// Deletes the lines of a person to their sides at all tables.
pub async fn forget_side_lines(session: &mut Session, person: &PersonId) -> Result<(), StoreError> {
    session.write("delete from side_lines where person = $1", (&person,)).await
}

/// Stores a line to a side, and returns its number.
pub async fn write_to_side(
    touched: &mut Touched<'_>,
    side: Side,
    person: &PersonId,
    line: &SideLine,
) -> Result<u64, StoreError> {
    let code = touched.table.code.clone();
    let text = "select coalesce(max(number) + 1, 0) from side_lines where code = $1";
    let number = touched.session.value(text, (&code,)).await?;
    let number = number.map_or(0, |Count(number): Count<u64>| number);
    let text = "insert into side_lines (code, number, side, seat, person, at, words)
         values ($1, $2, $3, $4, $5, $6, $7)";
    touched.few = None;
    touched
        .session
        .write(text, (code, Count(number), column(side), line.seat, &person, line.at, &line.words))
        .await?;
    Ok(number)
}

/// Deletes every line of this table.
pub async fn drop_side_lines(touched: &mut Touched<'_>) -> Result<(), StoreError> {
    if touched.few.is_some_and(|few| !few.side_lines) {
        return Ok(());
    }
    touched.write("delete from side_lines where code = $1", ()).await
}

/// Returns the value of a side in its column.
fn column(side: Side) -> i64 {
    i64::try_from(side.index()).unwrap_or(i64::MAX)
}
