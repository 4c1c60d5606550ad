//! Barriers that only a person can remove, at a place, a message or a file upload. Attempts become rarer and
//! rarer, by one process at a time, and come soon after a possible removal.

use sqlx::{AssertSqlSafe, FromRow};

use crate::database::{Result, Session};
use crate::rows::{Count, Flag};
use crate::table::tables::Touched;
use tables::{AccountId, Address, Span, TableCode, Time};

/// The delays before the next attempt, by the number of refusals in a row; the last one repeats.
const PACE: [Span; 4] = [Span::seconds(2), Span::seconds(10), Span::minutes(1), Span::minutes(10)];

/// The minimum delay before the next attempt, even after a possible removal.
const SOONEST: Span = Span::seconds(10);

/// The time after which another process may make an attempt that one has begun.
const ATTEMPT: Span = Span::seconds(30);

/// The time for which a refusal is remembered without a new attempt.
const MEMORY: Span = Span::days(30);

/// The target of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Barrier {
    /// The address that refused.
    pub place: Address,
    /// The refused part of the address, `None` for all of it.
    part: Option<String>,
    /// True if changes of messages are refused too.
    changes: bool,
}

impl Barrier {
    /// Returns the barrier of a place that refuses new messages.
    pub fn place(place: &Address) -> Self {
        Self { place: place.clone(), part: None, changes: false }
    }

    /// Returns the barrier of a place that refuses new messages and changes.
    pub fn all_of(place: &Address) -> Self {
        Self { changes: true, ..Self::place(place) }
    }

    /// Returns the barrier of a message that cannot be changed.
    pub fn message(place: &Address, message: &str) -> Self {
        Self { part: Some(message.to_owned()), ..Self::all_of(place) }
    }

    /// Returns the barrier of an address that takes no direct messages.
    pub fn direct(address: &Address) -> Self {
        Self { part: Some("direct".to_owned()), ..Self::place(address) }
    }

    /// Returns the barrier of a place that takes no files.
    pub fn files(place: &Address) -> Self {
        Self { part: Some("files".to_owned()), ..Self::place(place) }
    }

    /// Returns the key of the barrier in the database.
    fn what(&self) -> String {
        match &self.part {
            None => self.place.to_string(),
            Some(part) => format!("{}/{part}", self.place),
        }
    }
}

/// A message that is updated with its table.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ShownAt {
    /// The place of the message.
    pub place: Address,
    pub message: String,
    /// True if the last change of the message, or of its place, was refused.
    #[sqlx(try_from = "Flag")]
    pub refused: bool,
}

/// True if a message in a place can be changed at a time: three columns or parameters.
macro_rules! is_free {
    ($place:literal, $message:literal, $now:literal) => {
        concat!(
            "not exists (select 1 from barred where changes = 1 and wait_until > ",
            $now,
            " and what in (",
            $place,
            ", ",
            $place,
            " || '/' || ",
            $message,
            "))"
        )
    };
}
pub(crate) use is_free;

/// 1 or more if the last change of a message in a place was refused.
macro_rules! was_refused {
    ($place:literal, $message:literal) => {
        concat!(
            "cast((select count(*) from barred where changes = 1 and what in (",
            $place,
            ", ",
            $place,
            " || '/' || ",
            $message,
            ")) as bigint)"
        )
    };
}
pub(crate) use was_refused;

/// Stores one more refusal in a row, and returns the time of the next attempt.
pub async fn bar(db: &mut Session, barrier: &Barrier, now: Time) -> Result<Time> {
    let text = "select refusals from barred where what = $1";
    let known = db.value(text, (barrier.what(),)).await?;
    let refusals = known.map_or(0, |Count(count): Count<usize>| count);
    let wait = PACE.get(refusals).or(PACE.last()).copied().unwrap_or(SOONEST);
    let until = now + wait;
    put_barrier(db, barrier, Count(refusals + 1), now, until).await?;
    Ok(until)
}

/// Bars something until a time, without counting a refusal.
pub async fn hold_back(db: &mut Session, barrier: &Barrier, until: Time, now: Time) -> Result<()> {
    put_barrier(db, barrier, Count(0), now, until).await
}

async fn put_barrier(
    db: &mut Session,
    barrier: &Barrier,
    refusals: Count<usize>,
    now: Time,
    until: Time,
) -> Result<()> {
    let text = "insert into barred (what, place, changes, refusals, refused_at, wait_until)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (what) do update set refusals = excluded.refusals,
             changes = case when excluded.changes = 1 then 1 else barred.changes end,
             refused_at = excluded.refused_at, wait_until = excluded.wait_until";
    db.write(text, (barrier.what(), &barrier.place, Flag(barrier.changes), refusals, now, until))
        .await
}

/// Returns the time until which a barrier lasts, `None` if there is none.
pub async fn until(db: &mut Session, barrier: &Barrier) -> Result<Option<Time>> {
    let text = "select wait_until from barred where what = $1";
    db.value(text, (barrier.what(),)).await
}

/// Begins the next attempt at something refused. Returns false if it is too early, or another process
/// makes the attempt.
pub async fn try_barred(db: &mut Session, barrier: &Barrier, now: Time) -> Result<bool> {
    let text = "update barred set wait_until = $3 where what = $1 and wait_until <= $2";
    Ok(db.changes(text, (barrier.what(), now, now + ATTEMPT)).await? == 1)
}

/// Deletes a barrier after a success. Returns false if there was none.
pub async fn unbar(db: &mut Session, barrier: &Barrier) -> Result<bool> {
    Ok(db.changes("delete from barred where what = $1", (barrier.what(),)).await? > 0)
}

/// Notes that messages of a place can be changed again. New ones may still be refused: a waiting letter
/// is tried immediately. Returns true if none waits, and the barrier is deleted.
pub async fn changes_again(db: &mut Session, place: &Address, now: Time) -> Result<bool> {
    let text = "update barred set changes = 0, wait_until = $2 where what = $1 and changes = 1";
    if db.changes(text, (place, now)).await? == 0 || is_posted(db, place, now).await? {
        return Ok(false);
    }
    unbar(db, &Barrier::place(place)).await
}

/// True if anything in a place, or right below it, is barred.
pub async fn is_barred_around(db: &mut Session, place: &Address) -> Result<bool> {
    let text = "select count(*) from barred where place = $1
             or place in (select places.place from places where above = $1)";
    db.counts_any(text, (place,)).await
}

/// Schedules new attempts in a place, and right below it, soon. Returns false if nothing was waiting.
pub async fn wake_place(db: &mut Session, place: &Address, now: Time) -> Result<bool> {
    let places = "place = $1 or place in (select places.place from places where above = $1)";
    wake(db, places, place.as_str(), now).await
}

/// Schedules new attempts on a server soon. Returns false if nothing was waiting.
pub async fn wake_server(db: &mut Session, server: &str, now: Time) -> Result<bool> {
    let places = "place in (select places.place from places where places.server = $1)";
    wake(db, places, server, now).await
}

async fn wake(db: &mut Session, places: &'static str, of: &str, now: Time) -> Result<bool> {
    // A very recent refusal is not retried immediately.
    let soon = "(case when refused_at > $3 then refused_at + ($2 - $3) else $2 end)";
    let barred =
        format!("update barred set wait_until = {soon} where wait_until > {soon} and ({places})");
    // The letters of players who are called in a place wait for that place.
    let calls = format!(
        "update outbox set wait_until = $2 where sent_at is null and wait_until > $3
             and knocked in (select place from barred where {places})"
    );
    let mut woken = 0;
    for text in [barred, calls] {
        // Only constant texts are put into the statement.
        woken += db.changes(AssertSqlSafe(text), (of, now, now - SOONEST)).await?;
    }
    Ok(woken > 0)
}

/// Deletes barriers without an attempt for a long time.
pub(crate) async fn forget_barred(db: &mut Session, now: Time) -> Result<()> {
    let text = "delete from barred where refused_at < $1 and wait_until < $1";
    db.write(text, (now - MEMORY,)).await
}

/// True if a due letter to an address has not been sent.
pub async fn is_posted(db: &mut Session, address: &Address, now: Time) -> Result<bool> {
    let text = "select count(*) from outbox
         where sent_at is null and send_at <= $1 and address = $2";
    db.counts_any(text, (now, address)).await
}

/// Deletes the obstacles of the table's letters to an address.
pub async fn overcome(tx: &mut Touched<'_>, address: &Address) -> Result<()> {
    let text = "delete from obstacles where code = $1 and cause like '% ' || $2";
    tx.write(text, (address,)).await
}

/// Deletes one obstacle.
pub async fn overcome_cause(tx: &mut Touched<'_>, cause: &str) -> Result<()> {
    tx.write("delete from obstacles where code = $1 and cause = $2", (cause,)).await
}

/// Returns the tables whose letters met an obstacle, in order.
pub async fn met_by(db: &mut Session, cause: &str) -> Result<Vec<TableCode>> {
    let text = "select code from obstacles where cause = $1 order by code";
    db.column(text, (cause,)).await
}

/// True if an obstacle still stops letters of a table.
pub async fn is_met(db: &mut Session, code: &TableCode, cause: &str) -> Result<bool> {
    let text = "select count(*) from obstacles where code = $1 and cause = $2";
    db.counts_any(text, (code, cause)).await
}

/// Stores an obstacle, with the time of the host's notice. Returns false if it is known.
pub async fn meet_obstacle(
    db: &mut Session,
    code: &TableCode,
    cause: &str,
    notified_at: Option<Time>,
    now: Time,
) -> Result<bool> {
    let text = "insert into obstacles (code, cause, met_at, told_at) values ($1, $2, $3, $4)
         on conflict (code, cause) do nothing";
    Ok(db.changes(text, (code, cause, now, notified_at)).await? == 1)
}

/// Stores the time of the host's notice, `None` if it failed. Returns false if nothing changed.
pub async fn note_obstacle(
    db: &mut Session,
    code: &TableCode,
    cause: &str,
    notified_at: Option<Time>,
) -> Result<bool> {
    let text = "update obstacles set told_at = $3
         where code = $1 and cause = $2 and (told_at is null or cast($3 as bigint) is null)";
    Ok(db.changes(text, (code, cause, notified_at)).await? == 1)
}

/// Returns the obstacles that an account has yet to be informed of as a host: tables and causes.
pub async fn untold_obstacles(
    db: &mut Session,
    account: &AccountId,
) -> Result<Vec<(TableCode, String)>> {
    let text = "select obstacles.code, cause from obstacles
         join tables on tables.code = obstacles.code
         join people on people.person = tables.host
         where obstacles.told_at is null and account = $1 order by met_at, cause";
    db.rows(text, (account,)).await
}

/// Returns the account of a table's host, and their language.
pub async fn host(db: &mut Session, code: &TableCode) -> Result<Option<(AccountId, String)>> {
    let text = "select account, people.language from tables
         join people on people.person = tables.host where code = $1";
    db.row(text, (code,)).await
}
