//! Mail at terminals: delivered letters that wait to be read.

use crate::database::error::StoreError;
use crate::database::session::Session;
use tables::ids::{Address, TableCode};
use tables::time::Time;

/// A delivered letter.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Delivered {
    pub letter: String,
    /// The content, as JSON.
    pub body: String,
}

/// Delivers a letter about a table, as it is in the outbox. A letter delivered before stays.
pub async fn deliver(
    session: &mut Session,
    letter: &str,
    code: &TableCode,
) -> Result<(), StoreError> {
    let text = "insert into mail (letter, address, code, body, sequence)
         select letter, address, $2, body, send_at from outbox
         where letter = $1 and sent_at is null
         on conflict (letter) do nothing";
    session.write(text, (letter, code)).await
}

/// Returns the letters about a table at an address that are due by now and were unread at a time, in
/// order.
pub async fn unread(
    session: &mut Session,
    address: &Address,
    code: &TableCode,
    since: Time,
    now: Time,
) -> Result<Vec<Delivered>, StoreError> {
    let text = "select letter, body from mail
         where address = $1 and code = $2 and (read_at is null or read_at >= $3)
           and sequence <= $4
         order by sequence, letter";
    session.rows(text, (address, code, since, now)).await
}

/// Notes that a letter has been read.
pub async fn mark_read(session: &mut Session, letter: &str, now: Time) -> Result<(), StoreError> {
    let text = "update mail set read_at = $2 where letter = $1 and read_at is null";
    session.write(text, (letter, now)).await
}

/// True if a due letter to an address has not been sent.
pub async fn is_posted(
    session: &mut Session,
    address: &Address,
    now: Time,
) -> Result<bool, StoreError> {
    let text = "select count(*) from outbox
         where sent_at is null and send_at <= $1 and address = $2";
    session.counts_any(text, (now, address)).await
}
