//! The finished tables, for statistics.

use sqlx::{FromRow, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use tables::absence::Keeping;
use tables::ids::{AccountId, PersonId, TableCode};
use tables::time::Time;

/// The name of a person at one of their tables.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct CalledRow {
    pub person: PersonId,
    /// The account of the person.
    pub account: AccountId,
    /// The name at the table, empty for P1 and so on.
    pub name: String,
}

/// Returns the codes of the finished tables, the oldest first.
pub async fn finished(session: &mut Session) -> Result<Vec<TableCode>, StoreError> {
    let text = "select code from tables where stage = 'over' order by formed_at, code";
    session.column(text, ()).await
}

/// Returns every person's name at each of their tables, the newest last.
pub async fn called(session: &mut Session) -> Result<Vec<CalledRow>, StoreError> {
    session
        .all(query_as(
            "select people.person, account, named.name
         from (select person, name, code from seats where person is not null
             union all select person, name, code from former_seats) named
         join people on people.person = named.person
         join tables on tables.code = named.code
         order by formed_at, tables.code",
        ))
        .await
}

/// Returns the records of a table's windows that count and had been announced by then, with their
/// persons.
pub async fn kept_at(
    session: &mut Session,
    code: &TableCode,
    now: Time,
) -> Result<Vec<(PersonId, Keeping)>, StoreError> {
    let text = "select person, kept from reputation where code = $1 and counts = 1 and at <= $2
         order by number, seat, person";
    session.rows(text, (code, now)).await
}
