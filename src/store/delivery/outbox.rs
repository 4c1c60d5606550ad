//! The letters to be sent, and the attempts at sending them.

use sqlx::FromRow;

use crate::database::{Result, Session};
use crate::delivery::obstacles::{ShownAt, is_free, was_refused};
use crate::delivery::posts::{self, Post};
use crate::rows::{Count, Flag, Outgoing};
use crate::table::figures::{Backlog, CountedSince};
use crate::table::tables::Touched;
use tables::{Address, TableCode, Time};

/// The waiting time of a letter that can only go to another address.
const FOR_EVER: Time = Time::END;

/// The result of a delivery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrived {
    /// The message of the letter, `None` if the address has no messages.
    pub message: Option<String>,
    /// The post of the letter, `None` if the letter is not a post.
    pub post: Option<Post>,
    /// The table with which the letter is updated, `None` if the letter is never updated.
    pub follows: Option<TableCode>,
    /// The place in which its reader was called, `None` if it was delivered directly.
    pub knocked: Option<Address>,
}

/// A delivered letter that may be out of date.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Dated {
    pub letter: String,
    /// The address of the letter.
    pub address: Address,
    /// The message of the letter.
    #[sqlx(rename = "arrived")]
    pub message: String,
    /// The content, as JSON.
    pub body: String,
    /// The number of times that its table has been touched.
    #[sqlx(try_from = "Count<u64>")]
    pub touched: u64,
    /// The place in which its reader was called, `None` without a call: the message is the call.
    pub knocked: Option<Address>,
    #[sqlx(try_from = "Flag")]
    refused: bool,
}

impl Dated {
    /// Returns the message with its place.
    pub fn shown_at(&self) -> ShownAt {
        let place = self.knocked.clone().unwrap_or_else(|| self.address.clone());
        ShownAt { place, message: self.message.clone(), refused: self.refused }
    }

    /// Returns the mention that calls the reader to the message.
    pub fn knock(&self) -> Knock {
        Knock {
            letter: self.letter.clone(),
            address: self.address.clone(),
            body: self.body.clone(),
            place: self.knocked.clone(),
            message: Some(self.message.clone()),
            read_at: None,
        }
    }
}

/// Puts letters into the outbox. They are sent only if this transaction is committed, and after earlier
/// letters about the table.
pub fn post(tx: &mut Touched<'_>, mut letters: Vec<Outgoing>) {
    for outgoing in &mut letters {
        outgoing.send_at = tx.after_what_was(outgoing.send_at);
    }
    post_ahead(tx, letters);
}

/// Puts letters into the outbox with their own times, even before earlier letters.
pub fn post_ahead(tx: &mut Touched<'_>, letters: Vec<Outgoing>) {
    if !letters.is_empty() {
        tx.unsaved().letters.extend(letters);
    }
}

/// True if a letter with this id has ever been put into the outbox.
pub async fn is_written(db: &mut Session, letter: &str) -> Result<bool> {
    let text = "select letter from outbox where letter = $1";
    Ok(db.value::<String>(text, (letter,)).await?.is_some())
}

/// Returns the due letters to addresses with this prefix, without an attempt since `idle_since`; none
/// that follows a waiting letter to the same address, and none to a barred address.
pub async fn outgoing(
    db: &mut Session,
    scheme: &str,
    now: Time,
    idle_since: Time,
    limit: u32,
) -> Result<Vec<Outgoing>> {
    let text = "select letter, address, send_at, body, attempts,
             (select min(place) from barred
                 where what in (outbox.address, outbox.knocked)) as refused_at
         from outbox
         where sent_at is null and send_at <= $1 and address like $2
             and not exists (
                 select 1 from barred where what = outbox.address and wait_until > $1
             )
             and not exists (
                 select 1 from outbox ahead
                 where ahead.sent_at is null and ahead.address = outbox.address
                     and (ahead.send_at < outbox.send_at
                         or (ahead.send_at = outbox.send_at and ahead.letter <= outbox.letter))
                     and (ahead.attempted_at > $3 or ahead.wait_until > $1)
             )
         order by send_at, letter limit $4";
    db.rows(text, (now, format!("{scheme}%"), idle_since, Count(limit))).await
}

/// Notes that an attempt at sending a letter begins. Returns false if another process was faster.
pub async fn attempt(db: &mut Session, letter: &Outgoing, now: Time) -> Result<bool> {
    let text = "update outbox set attempts = attempts + 1, attempted_at = $3
         where letter = $1 and attempts = $2 and sent_at is null";
    Ok(db.changes(text, (&letter.letter, Count(letter.attempts), now)).await? == 1)
}

/// Replaces the content of an unsent letter.
pub async fn reword(db: &mut Session, letter: &str, body: &str) -> Result<()> {
    let text = "update outbox set body = $2 where letter = $1 and sent_at is null";
    db.write(text, (letter, body)).await
}

/// Notes that a letter has been sent, with its delivery. Its content is deleted, unless it is updated with
/// its table, or its reader has yet to read it.
pub async fn mark_sent(db: &mut Session, letter: &str, arrived: &Arrived, now: Time) -> Result<()> {
    // The table's row is locked first, as every writer does.
    if let Some(post) = &arrived.post {
        posts::note_post(db, post).await?;
    }
    let text = "update outbox set sent_at = $2, arrived = $3, follows = $4, knocked = $5,
             body = case when cast($4 as text) is null and cast($5 as text) is null then ''
                 else body end
         where letter = $1";
    db.write(text, (letter, now, &arrived.message, &arrived.follows, &arrived.knocked)).await
}

/// Returns the letters that are updated, at addresses with this prefix, whose tables have been touched
/// since; none that is barred.
pub async fn dated(db: &mut Session, scheme: &str, now: Time, limit: u32) -> Result<Vec<Dated>> {
    let text = concat!(
        "select letter, address, arrived, body, touched, knocked, ",
        was_refused!("coalesce(outbox.knocked, outbox.address)", "outbox.arrived"),
        " as refused
         from outbox join tables on tables.code = outbox.follows
         where outbox.shown < touched and arrived is not null and address like $1 and ",
        is_free!("coalesce(outbox.knocked, outbox.address)", "outbox.arrived", "$3"),
        " order by letter limit $2"
    );
    db.rows(text, (format!("{scheme}%"), Count(limit), now)).await
}

/// Stores the new content of an updated letter, `None` to stop that.
pub async fn note_true(db: &mut Session, dated: &Dated, body: Option<&str>) -> Result<()> {
    let text = "update outbox set shown = $2,
             body = case when $3 = '' and knocked is not null then body else $3 end,
             follows = case when $3 = '' then null else follows end
         where letter = $1";
    db.write(text, (&dated.letter, Count(dated.touched), body.unwrap_or_default())).await
}

/// Holds a letter until its table has another place.
pub async fn park(db: &mut Session, letter: &str) -> Result<()> {
    postpone(db, letter, FOR_EVER).await
}

/// Returns the backlog of due letters, without parked ones and those that wait for a person to remove a
/// barrier.
pub async fn letters_due(db: &mut Session, now: Time) -> Result<Backlog> {
    let text = "select count(*), min(send_at) from outbox where sent_at is null and send_at <= $1
             and not exists (select 1 from outbox ahead where ahead.sent_at is null
                 and ahead.address = outbox.address and ahead.wait_until = $2)
             and not exists (select 1 from barred
                 where what in (outbox.address, outbox.knocked) and refusals > 0)";
    let due = db.row::<CountedSince>(text, (now, FOR_EVER)).await?;
    Ok(due.map(Backlog::from).unwrap_or_default())
}

/// Makes a refused letter wait: for its address, if that is barred, or for the place in which its reader
/// is to be called.
pub async fn wait_for(
    db: &mut Session,
    letter: &Outgoing,
    place: &Address,
    until: Time,
) -> Result<()> {
    let text = "update outbox set attempted_at = null,
             wait_until = case when address = $2 then null else $3 end,
             knocked = case when address = $2 then null else $2 end
         where letter = $1";
    db.write(text, (&letter.letter, place, until)).await
}

/// Makes a letter wait until a time.
pub async fn postpone(db: &mut Session, letter: &str, until: Time) -> Result<()> {
    let text = "update outbox set wait_until = $2, attempted_at = null where letter = $1";
    db.write(text, (letter, until)).await
}

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
pub async fn knocks(db: &mut Session, address: &Address, letter: &str) -> Result<Vec<Knock>> {
    // A player may see a call before its place is stored.
    let text =
        "select letter, address, body, knocked as place, arrived as message, read_at from outbox
         where address = $1 and body <> '' and attempts > 0 and (letter = $2
             or (letter like $3 and knocked is not null and read_at is null and exists (
                 select 1 from outbox own where own.letter = $2 and own.address = $1)))
         order by send_at, letter";
    let code = letter.split_once('-').map_or(letter, |(code, _)| code);
    db.rows(text, (address, letter, format!("{code}-%"))).await
}

/// Returns the calls of an address that still exist.
pub async fn knocks_for(db: &mut Session, address: &Address) -> Result<Vec<Knock>> {
    let text =
        "select letter, address, body, knocked as place, arrived as message, read_at from outbox
         where address = $1 and knocked is not null and arrived is not null order by letter";
    db.rows(text, (address,)).await
}

/// Notes that a letter was read after a call.
pub async fn mark_come_for(db: &mut Session, letter: &str, now: Time) -> Result<()> {
    let text = "update outbox set read_at = $2 where letter = $1 and read_at is null";
    db.write(text, (letter, now)).await
}

/// Returns the times of the unsent letters about the table to an address, with their content as JSON.
pub async fn owed_to(tx: &mut Touched<'_>, address: &Address) -> Result<Vec<(Time, String)>> {
    let text = "select send_at, body from outbox
         where address = $1 and letter like $2 and sent_at is null";
    let like = format!("{}-%", tx.table.code);
    tx.db.rows(text, (address, like)).await
}

/// Sends the unsent letters for a place, and the unread letters called for there, to another address.
pub async fn forward(tx: &mut Touched<'_>, from: &Address, to: &Address) -> Result<()> {
    let like = format!("{}-%", tx.table.code);
    for statement in [
        "update outbox set address = $2, wait_until = null, attempted_at = null, attempts = 0
         where address = $1 and letter like $3 and sent_at is null",
        "update outbox set sent_at = null, knocked = null, arrived = null, follows = null,
             wait_until = null, attempted_at = null, attempts = 0
         where knocked = $1 and letter like $3 and read_at is null and body <> ''
             and cast($2 as text) is not null",
    ] {
        tx.db.write(statement, (from, to, &like)).await?;
    }
    Ok(())
}

/// A delivered letter.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Delivered {
    pub letter: String,
    /// The content, as JSON.
    pub body: String,
}

/// Delivers a letter about a table, as it is in the outbox. A letter delivered before stays.
pub async fn deliver(db: &mut Session, letter: &str, code: &TableCode) -> Result<()> {
    let text = "insert into mail (letter, address, code, body, sequence)
         select letter, address, $2, body, send_at from outbox
         where letter = $1 and sent_at is null
         on conflict (letter) do nothing";
    db.write(text, (letter, code)).await
}

/// Returns the letters about a table at an address that are due by now and were unread at a time, in
/// order.
pub async fn unread(
    db: &mut Session,
    address: &Address,
    code: &TableCode,
    since: Time,
    now: Time,
) -> Result<Vec<Delivered>> {
    let text = "select letter, body from mail
         where address = $1 and code = $2 and (read_at is null or read_at >= $3)
           and sequence <= $4
         order by sequence, letter";
    db.rows(text, (address, code, since, now)).await
}

/// Notes that a letter has been read.
pub async fn mark_read(db: &mut Session, letter: &str, now: Time) -> Result<()> {
    let text = "update mail set read_at = $2 where letter = $1 and read_at is null";
    db.write(text, (letter, now)).await
}
