//! The obstacles that stop letters of a table, and the notices to its host.

use sqlx::query;

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::table::tables::Touched;
use tables::ids::{AccountId, Address, TableCode};
use tables::time::Time;

/// Deletes the obstacles of the table's letters to an address.
pub async fn overcome(touched: &mut Touched<'_>, address: &Address) -> Result<(), StoreError> {
    let text = "delete from obstacles where code = $1 and cause like '% ' || $2";
    touched.write(text, (address,)).await
}

/// Deletes one obstacle.
pub async fn overcome_cause(touched: &mut Touched<'_>, cause: &str) -> Result<(), StoreError> {
    touched.write("delete from obstacles where code = $1 and cause = $2", (cause,)).await
}

/// Returns the tables whose letters met an obstacle, in order.
pub async fn met_by(session: &mut Session, cause: &str) -> Result<Vec<TableCode>, StoreError> {
    let text = "select code from obstacles where cause = $1 order by code";
    session.column(text, (cause,)).await
}

/// True if an obstacle still stops letters of a table.
pub async fn is_met(
    session: &mut Session,
    code: &TableCode,
    cause: &str,
) -> Result<bool, StoreError> {
    let text = "select count(*) from obstacles where code = $1 and cause = $2";
    session.counts_any(text, (code, cause)).await
}

/// Stores an obstacle, with the time of the host's notice. Returns false if it is known.
pub async fn meet_obstacle(
    session: &mut Session,
    code: &TableCode,
    cause: &str,
    notified_at: Option<Time>,
    now: Time,
) -> Result<bool, StoreError> {
    let text = "insert into obstacles (code, cause, met_at, told_at) values ($1, $2, $3, $4)
         on conflict (code, cause) do nothing";
    Ok(session.changes(text, (code, cause, now, notified_at)).await? == 1)
}

/// Stores the time of the host's notice, `None` if it failed. Returns false if nothing changed.
pub async fn note_obstacle(
    session: &mut Session,
    code: &TableCode,
    cause: &str,
    notified_at: Option<Time>,
) -> Result<bool, StoreError> {
    let statement = match notified_at {
        Some(notified_at) => query(
            "update obstacles set told_at = $3
             where code = $1 and cause = $2 and obstacles.told_at is null",
        )
        .bind(code.to_owned())
        .bind(cause.to_owned())
        .bind(notified_at),
        None => query("update obstacles set told_at = null where code = $1 and cause = $2")
            .bind(code.to_owned())
            .bind(cause.to_owned()),
    };
    Ok(session.execute(statement).await? == 1)
}

/// Returns the obstacles that an account has yet to be informed of as a host: tables and causes.
pub async fn untold_obstacles(
    session: &mut Session,
    account: &AccountId,
) -> Result<Vec<(TableCode, String)>, StoreError> {
    let text = "select obstacles.code, cause from obstacles
         join tables on tables.code = obstacles.code
         join people on people.person = tables.host
         where obstacles.told_at is null and account = $1 order by met_at, cause";
    session.rows(text, (account,)).await
}

/// Returns the account of a table's host, and their language.
pub async fn host(
    session: &mut Session,
    code: &TableCode,
) -> Result<Option<(AccountId, String)>, StoreError> {
    let text = "select account, people.language from tables
         join people on people.person = tables.host where code = $1";
    session.row(text, (code,)).await
}
