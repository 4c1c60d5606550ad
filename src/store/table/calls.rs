//! Open seats that are offered to people, and people barred from a table.

use serde::Serialize;
use sqlx::{FromRow, query};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::table::tables::Touched;
use rules::Seat;
use tables::ids::{Address, CallNumber, PersonId, TableCode};

/// An offer of a seat.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct CallRow {
    /// The number of the call at the table.
    pub number: CallNumber,
    /// The seat, from 0, `None` before the game begins, for any seat.
    pub seat: Option<Seat>,
    /// The only person who may take the seat, `None` if anybody may.
    pub person: Option<PersonId>,
    /// The address of that person's letters.
    pub address: Option<Address>,
}

impl CallRow {
    /// True if the call is for this seat.
    pub fn is_of(&self, seat: Seat) -> bool {
        self.seat == Some(seat)
    }
}

/// A seat that a person is asked to take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct AskedFor {
    pub code: TableCode,
    /// The seat, from 0, `None` before the game begins, for any seat.
    pub seat: Option<Seat>,
    /// The address of the person's letters.
    pub address: Option<Address>,
}

/// Returns the offered seats of a table, the oldest call first.
pub async fn all(session: &mut Session, code: &TableCode) -> Result<Vec<CallRow>, StoreError> {
    let text = "select number, seat, person, address from calls where code = $1 order by number";
    session.rows(text, (code,)).await
}

/// Returns the seats that a person is asked to take.
pub async fn asked_for(
    session: &mut Session,
    person: &PersonId,
) -> Result<Vec<AskedFor>, StoreError> {
    let text = "select code, seat, address from calls where person = $1 order by code, number";
    session.rows(text, (person,)).await
}

/// Returns the tables that a person was sent away from.
pub async fn sent_away_from(
    session: &mut Session,
    person: &PersonId,
) -> Result<Vec<TableCode>, StoreError> {
    let text = "select code from sent_away where person = $1 order by code";
    session.column(text, (person,)).await
}

/// Deletes all calls for a person, and their removals from tables.
pub async fn forget_calls(session: &mut Session, person: &PersonId) -> Result<(), StoreError> {
    for statement in
        ["delete from calls where person = $1", "delete from sent_away where person = $1"]
    {
        session.write(statement, (person,)).await?;
    }
    Ok(())
}

/// True if a person had a seat at a table that somebody else has taken since.
pub async fn has_left(
    session: &mut Session,
    code: &TableCode,
    person: &PersonId,
) -> Result<bool, StoreError> {
    let text = "select count(*) from former_seats where code = $1 and person = $2";
    session.counts_any(text, (code, person)).await
}

/// Returns the offered seats of the table, the oldest call first.
pub async fn all_at(touched: &mut Touched<'_>) -> Result<Vec<CallRow>, StoreError> {
    let code = touched.table.code.clone();
    all(touched.session, &code).await
}

/// Stores a call.
pub async fn call(touched: &mut Touched<'_>, row: &CallRow) -> Result<(), StoreError> {
    let text =
        "insert into calls (code, number, seat, person, address) values ($1, $2, $3, $4, $5)";
    touched.write(text, (row.number, row.seat, &row.person, &row.address)).await
}

/// Deletes a call.
pub async fn drop_call(touched: &mut Touched<'_>, number: CallNumber) -> Result<(), StoreError> {
    touched.write("delete from calls where code = $1 and number = $2", (number,)).await
}

/// Deletes every call of the table.
pub async fn drop_calls(touched: &mut Touched<'_>) -> Result<(), StoreError> {
    touched.write("delete from calls where code = $1", ()).await
}

/// Exchanges the calls for two seats.
pub async fn exchange_calls(touched: &mut Touched<'_>, a: Seat, b: Seat) -> Result<(), StoreError> {
    let text = "update calls set seat = case when seat = $2 then $3 else $2 end
         where code = $1 and seat in ($2, $3)";
    touched.write(text, (a, b)).await
}

/// Returns the people who may not sit down at the table again.
pub async fn sent_away(touched: &mut Touched<'_>) -> Result<Vec<PersonId>, StoreError> {
    let text = "select person from sent_away where code = $1 order by person";
    touched.session.column(text, (&touched.table.code,)).await
}

/// Bars a person from sitting down at the table again, or lifts that.
pub async fn send_away(
    touched: &mut Touched<'_>,
    person: &PersonId,
    away: bool,
) -> Result<(), StoreError> {
    let text = if away {
        "insert into sent_away (code, person) values ($1, $2)
         on conflict (code, person) do nothing"
    } else {
        "delete from sent_away where code = $1 and person = $2"
    };
    let statement = query(text).bind(touched.table.code.clone()).bind(person.to_owned());
    touched.session.execute(statement).await.map(drop)
}
