//! Letters to players who take no direct messages: a call in the place of the table leads them to the letter
//! stored here.

use sqlx::{FromRow, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::table::tables::Touched;
use tables::ids::Address;
use tables::time::Time;

/// A letter that waits for its reader after a call.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Knock {
    pub letter: String,
    pub address: Address,
    /// The content, as JSON.
    pub body: String,
    /// The place of the call, `None` if there was none.
    pub place: Option<Address>,
    /// The message of the call, `None` if there was none.
    pub message: Option<String>,
    /// The time of the first reading, `None` if it is unread.
    pub read_at: Option<Time>,
}

/// Returns the letter with this id, if it was sent to this address, and the address's unread letters
/// about the same table, in the order of sending.
pub async fn all(
    session: &mut Session,
    address: &Address,
    letter: &str,
) -> Result<Vec<Knock>, StoreError> {
    // A player may see a call before its place is stored.
    let question = query_as(
        "select letter, address, body, knocked as place, arrived as message, read_at from outbox
         where address = $1 and body <> '' and attempts > 0 and (letter = $2
             or (letter like $3 and knocked is not null and read_at is null and exists (
                 select 1 from outbox own where own.letter = $2 and own.address = $1)))
         order by send_at, letter",
    );
    let code = letter.split_once('-').map_or(letter, |(code, _)| code);
    let question = question.bind(address.to_owned()).bind(letter.to_owned());
    session.all(question.bind(format!("{code}-%"))).await
}

/// Returns the calls of an address that still exist.
pub async fn knocks_for(
    session: &mut Session,
    address: &Address,
) -> Result<Vec<Knock>, StoreError> {
    let text =
        "select letter, address, body, knocked as place, arrived as message, read_at from outbox
         where address = $1 and knocked is not null and arrived is not null order by letter";
    session.rows(text, (address,)).await
}

/// Notes that a letter was read after a call.
pub async fn mark_come_for(
    session: &mut Session,
    letter: &str,
    now: Time,
) -> Result<(), StoreError> {
    let text = "update outbox set read_at = $2 where letter = $1 and read_at is null";
    session.write(text, (letter, now)).await
}

/// Returns the times of the unsent letters about the table to an address, with their content as JSON.
pub async fn owed_to(
    touched: &mut Touched<'_>,
    address: &Address,
) -> Result<Vec<(Time, String)>, StoreError> {
    let question = query_as(
        "select send_at, body from outbox
         where address = $1 and letter like $2 and sent_at is null",
    );
    let like = format!("{}-%", touched.table.code);
    touched.session.all(question.bind(address.to_owned()).bind(like)).await
}

/// Sends the unsent letters for a place, and the unread letters called for there, to another address.
pub async fn forward(
    touched: &mut Touched<'_>,
    from: &Address,
    to: &Address,
) -> Result<(), StoreError> {
    let like = format!("{}-%", touched.table.code);
    for statement in [
        "update outbox set address = $2, wait_until = null, attempted_at = null, attempts = 0
         where address = $1 and letter like $3 and sent_at is null",
        "update outbox set sent_at = null, knocked = null, arrived = null, follows = null,
             wait_until = null, attempted_at = null, attempts = 0
         where knocked = $1 and letter like $3 and read_at is null and body <> ''
             and cast($2 as text) is not null",
    ] {
        touched.session.write(statement, (from, to, &like)).await?;
    }
    Ok(())
}
