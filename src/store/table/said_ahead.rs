//! Input before a window opens: standing orders, which answer for a seat without limit, each from a window on
//! until the next one counts; and declarations for the next window of a kind, which become drafts of that
//! window, and wait again if the window is given up before its close.

use sqlx::FromRow;

use crate::database::{Result, Session};
use crate::rows::{Count, logged_by};
use crate::table::tables::Touched;
use rules::{Declaration, Seat, Side, WindowKind};
use tables::{PersonId, TableCode, Time, WindowNumber};

logged_by!(OrdersRow: seat, NextDeclarationRow: seat, SideLine: seat);

/// The standing orders of a person for a seat.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct OrdersRow {
    pub seat: Seat,
    /// The person who gave the orders.
    pub person: PersonId,
    pub answers: Declaration,
}

/// Returns the orders that count in a window of a table.
pub async fn orders(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
) -> Result<Vec<OrdersRow>> {
    let text = "select seat, person, answers from orders
         where code = $1 and since = (select max(since) from orders later
             where later.code = orders.code and later.seat = orders.seat
                 and later.person = orders.person and later.since <= $2)
         order by seat, person";
    db.rows(text, (code, number)).await
}

/// Returns the orders that count in a window, without a query if the table has none.
pub async fn orders_at(tx: &mut Touched<'_>, number: WindowNumber) -> Result<Vec<OrdersRow>> {
    if tx.few.is_some_and(|few| !few.orders) {
        return Ok(Vec::new());
    }
    orders(tx.db, &tx.table.code, number).await
}

/// Stores a person's orders for a seat, from this window on. Orders for earlier windows stay as long as
/// such a window may be open.
pub async fn keep_orders(tx: &mut Touched<'_>, row: &OrdersRow, since: WindowNumber) -> Result<()> {
    let text = "insert into orders (code, seat, person, since, answers) values ($1, $2, $3, $4, $5)
         on conflict (code, seat, person, since) do update set answers = excluded.answers";
    tx.few = None;
    tx.write(text, (row.seat, &row.person, since, &row.answers)).await?;
    let text = "delete from orders where code = $1 and seat = $2 and person = $3
             and since < (select max(since) from orders later
                 where later.code = $1 and later.seat = $2 and later.person = $3
                     and later.since < $4)";
    tx.write(text, (row.seat, &row.person, since)).await
}

/// A declaration of a person for a future window.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct NextDeclarationRow {
    pub seat: Seat,
    /// The person who declared.
    pub person: PersonId,
    /// The kind of the window.
    pub kind: WindowKind,
    pub answers: Declaration,
}

/// Returns the declarations that wait for a window of this kind after this one. A draft of another window
/// waits again, unless that window has closed.
pub async fn next_declarations(
    db: &mut Session,
    code: &TableCode,
    kind: WindowKind,
    number: WindowNumber,
) -> Result<Vec<NextDeclarationRow>> {
    let text = "select seat, person, kind, answers from next_declarations
         where code = $1 and kind = $2 and (drafted_in is null or drafted_in <> $3
             and not exists (select 1 from windows
                 where windows.code = next_declarations.code
                     and windows.number = drafted_in and closed_at is not null))
         order by seat, person";
    db.rows(text, (code, kind, number)).await
}

/// Returns the declarations that have become drafts of this window.
pub async fn drafted_declarations(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
) -> Result<Vec<NextDeclarationRow>> {
    let text = "select seat, person, kind, answers from next_declarations
         where code = $1 and drafted_in = $2 order by seat, person";
    db.rows(text, (code, number)).await
}

/// True if the table may have declarations for future windows.
fn may_have_next_declarations(tx: &Touched<'_>) -> bool {
    tx.few.is_none_or(|few| few.next_declarations)
}

/// Returns the declarations that wait for this window, which opens now.
pub async fn next_declarations_at(
    tx: &mut Touched<'_>,
    kind: WindowKind,
    number: WindowNumber,
) -> Result<Vec<NextDeclarationRow>> {
    if !may_have_next_declarations(tx) {
        return Ok(Vec::new());
    }
    next_declarations(tx.db, &tx.table.code, kind, number).await
}

/// Returns the declarations that have become drafts of this window.
pub async fn drafted_declarations_at(
    tx: &mut Touched<'_>,
    number: WindowNumber,
) -> Result<Vec<NextDeclarationRow>> {
    if !may_have_next_declarations(tx) {
        return Ok(Vec::new());
    }
    drafted_declarations(tx.db, &tx.table.code, number).await
}

/// Stores a declaration for a future window, replacing an earlier one.
pub async fn keep_next_declaration(tx: &mut Touched<'_>, row: &NextDeclarationRow) -> Result<()> {
    let text = "insert into next_declarations (code, seat, person, kind, answers)
         values ($1, $2, $3, $4, $5)
         on conflict (code, seat, person, kind)
         do update set answers = excluded.answers, drafted_in = null";
    tx.few = None;
    tx.write(text, (row.seat, &row.person, row.kind, &row.answers)).await
}

/// Deletes a declaration for a future window.
pub async fn withdraw_next_declaration(
    tx: &mut Touched<'_>,
    row: &NextDeclarationRow,
) -> Result<()> {
    let text = "delete from next_declarations
         where code = $1 and seat = $2 and person = $3 and kind = $4";
    tx.write(text, (row.seat, &row.person, row.kind)).await
}

/// Notes that the declaration has become a draft of this window.
pub async fn note_drafted(
    tx: &mut Touched<'_>,
    row: &NextDeclarationRow,
    number: WindowNumber,
) -> Result<()> {
    let text = "update next_declarations set drafted_in = $5
         where code = $1 and seat = $2 and person = $3 and kind = $4";
    tx.write(text, (row.seat, &row.person, row.kind, number)).await
}

/// A line of a player to their side.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct SideLine {
    /// Its writer's seat.
    pub seat: Seat,
    pub at: Time,
    /// The text.
    pub words: String,
}

/// Returns at most this number of the last lines of a side, the oldest first.
pub async fn side_lines(
    db: &mut Session,
    code: &TableCode,
    side: Side,
    most: u32,
) -> Result<Vec<SideLine>> {
    let text = "select seat, at, words from side_lines where code = $1 and side = $2
         order by number desc limit $3";
    let mut lines: Vec<SideLine> = db.rows(text, (code, column(side), i64::from(most))).await?;
    lines.reverse();
    Ok(lines)
}

/// Stores a line to a side, and returns its number.
pub async fn write_to_side(
    tx: &mut Touched<'_>,
    side: Side,
    person: &PersonId,
    line: &SideLine,
) -> Result<u64> {
    let code = tx.table.code.clone();
    let text = "select coalesce(max(number) + 1, 0) from side_lines where code = $1";
    let number = tx.db.value(text, (&code,)).await?;
    let number = number.map_or(0, |Count(number): Count<u64>| number);
    let text = "insert into side_lines (code, number, side, seat, person, at, words)
         values ($1, $2, $3, $4, $5, $6, $7)";
    tx.few = None;
    tx.db
        .write(text, (code, Count(number), column(side), line.seat, &person, line.at, &line.words))
        .await?;
    Ok(number)
}

/// Deletes every line of this table.
pub async fn drop_side_lines(tx: &mut Touched<'_>) -> Result<()> {
    if tx.few.is_some_and(|few| !few.side_lines) {
        return Ok(());
    }
    tx.write("delete from side_lines where code = $1", ()).await
}

/// Returns the value of a side in its column.
fn column(side: Side) -> i64 {
    i64::try_from(side.index()).unwrap_or(i64::MAX)
}
