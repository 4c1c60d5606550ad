//! Letters to be sent, and who is at it.

use sqlx::{query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::delivery::barred::{ShownAt, is_free, was_refused};
use crate::delivery::knocks::Knock;
use crate::delivery::posts::Post;
use crate::rows::columns::{Count, Flag};
use crate::rows::record::Outgoing;
use crate::table::figures::{Backlog, CountedSince};
use crate::table::tables::Touched;
use tables::ids::{Address, TableCode};
use tables::time::Time;

/// Until when a letter waits that can only go somewhere else.
const FOR_EVER: Time = Time::END;

/// What a letter has become where it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrived {
    /// The message that it has become, where there are messages.
    pub message: Option<String>,
    /// The post that it has become, if it is one that is kept up to date.
    pub post: Option<Post>,
    /// The table that it is kept true of, if it is.
    pub follows: Option<TableCode>,
    /// Where its reader was called to read it, if it could not be brought to them.
    pub knocked: Option<Address>,
}

/// A letter that has arrived, and may not be true any more.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Dated {
    pub letter: String,
    /// Where it went.
    pub address: Address,
    /// The message that it has become.
    #[sqlx(rename = "arrived")]
    pub message: String,
    /// What it tells, as JSON.
    pub body: String,
    /// How often its table has been touched.
    #[sqlx(try_from = "Count<u64>")]
    pub touched: u64,
    /// Where its reader was called to read it, if they were: the message is the call.
    pub knocked: Option<Address>,
    #[sqlx(try_from = "Flag")]
    refused: bool,
}

impl Dated {
    /// The message, and whether it or its place was refused the last time.
    pub fn shown_at(&self) -> ShownAt {
        let place = self.knocked.clone().unwrap_or_else(|| self.address.clone());
        ShownAt { place, message: self.message.clone(), refused: self.refused }
    }

    /// Where its reader was called, if they were.
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

impl Touched<'_> {
    /// Puts letters into the outbox. They go out only if this transaction is committed, and behind those
    /// of what was written about the table before.
    pub fn post(&mut self, mut letters: Vec<Outgoing>) {
        for outgoing in &mut letters {
            outgoing.send_at = self.after_what_was(outgoing.send_at);
        }
        self.post_ahead(letters);
    }

    /// Puts letters into the outbox as they are dated, also ahead of those that were written before.
    pub fn post_ahead(&mut self, letters: Vec<Outgoing>) {
        if !letters.is_empty() {
            self.unsaved().post(letters);
        }
    }
}

impl Session {
    /// True if a letter with this id has ever been put into the outbox.
    pub async fn is_written(&mut self, letter: &str) -> Result<bool, StoreError> {
        let question = query_as::<_, (String,)>("select letter from outbox where letter = $1");
        Ok(self.one(question.bind(letter.to_owned())).await?.is_some())
    }

    /// Letters to addresses that begin like this, that can be sent now, and whose last attempt, if
    /// any, began at `idle_since` or before; none behind another one to the same address that has
    /// still to wait, and none to an address that is barred.
    pub async fn outgoing(
        &mut self,
        scheme: &str,
        now: Time,
        idle_since: Time,
        limit: u32,
    ) -> Result<Vec<Outgoing>, StoreError> {
        let question = query_as(
            "select letter, address, send_at, body, attempts,
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
             order by send_at, letter limit $4",
        );
        let question =
            question.bind(now).bind(format!("{scheme}%")).bind(idle_since).bind(Count(limit));
        self.all(question).await
    }

    /// True if a letter that can be sent now is on its way to an address.
    pub async fn is_posted(&mut self, address: &Address, now: Time) -> Result<bool, StoreError> {
        let question = query_as::<_, (Count<u64>,)>(
            "select count(*) from outbox
             where sent_at is null and send_at <= $1 and address = $2",
        );
        let posted = self.one(question.bind(now).bind(address.to_owned())).await?;
        Ok(posted.is_some_and(|(count,)| count.0 > 0))
    }

    /// Notes that an attempt at sending a letter begins. False: somebody else was faster.
    pub async fn attempt(&mut self, letter: &Outgoing, now: Time) -> Result<bool, StoreError> {
        let statement = query(
            "update outbox set attempts = attempts + 1, attempted_at = $3
             where letter = $1 and attempts = $2 and sent_at is null",
        );
        let statement =
            statement.bind(letter.letter.clone()).bind(Count(letter.attempts)).bind(now);
        Ok(self.execute(statement).await? == 1)
    }

    /// Lets a letter that has not been sent tell something else.
    pub async fn reword(&mut self, letter: &str, body: &str) -> Result<(), StoreError> {
        let statement = query("update outbox set body = $2 where letter = $1 and sent_at is null");
        let statement = statement.bind(letter.to_owned()).bind(body.to_owned());
        self.execute(statement).await.map(drop)
    }

    /// Notes that a letter has been sent, and what it has become. What it told is no longer needed
    /// here, unless it is kept true, or its reader has yet to come for it.
    pub async fn mark_sent(
        &mut self,
        letter: &str,
        arrived: &Arrived,
        now: Time,
    ) -> Result<(), StoreError> {
        // The table's row first, as everybody does who writes about it.
        if let Some(post) = &arrived.post {
            self.note_post(post).await?;
        }
        let statement = query(
            "update outbox set sent_at = $2, arrived = $3, follows = $4, knocked = $5,
                 body = case when cast($4 as text) is null and cast($5 as text) is null then ''
                     else body end
             where letter = $1",
        );
        let statement = statement
            .bind(letter.to_owned())
            .bind(now)
            .bind(arrived.message.clone())
            .bind(arrived.follows.clone())
            .bind(arrived.knocked.clone());
        self.execute(statement).await.map(drop)
    }

    /// Letters that are kept true, to addresses that begin like this, and whose tables have been
    /// touched since they were written; none that waits at a time, as it was refused.
    pub async fn dated(
        &mut self,
        scheme: &str,
        now: Time,
        limit: u32,
    ) -> Result<Vec<Dated>, StoreError> {
        let question = query_as(concat!(
            "select letter, address, arrived, body, touched, knocked, ",
            was_refused!("coalesce(outbox.knocked, outbox.address)", "outbox.arrived"),
            " as refused
             from outbox join tables on tables.code = outbox.follows
             where outbox.shown < touched and arrived is not null and address like $1 and ",
            is_free!("coalesce(outbox.knocked, outbox.address)", "outbox.arrived", "$3"),
            " order by letter limit $2"
        ));
        let question = question.bind(format!("{scheme}%")).bind(Count(limit));
        self.all(question.bind(now)).await
    }

    /// Notes what a letter that is kept true tells now; nothing, if it need not be kept any more.
    pub async fn note_true(&mut self, dated: &Dated, body: Option<&str>) -> Result<(), StoreError> {
        let statement = query(
            "update outbox set shown = $2,
                 body = case when $3 = '' and knocked is not null then body else $3 end,
                 follows = case when $3 = '' then null else follows end
             where letter = $1",
        );
        let statement = statement.bind(dated.letter.clone()).bind(Count(dated.touched));
        self.execute(statement.bind(body.unwrap_or_default().to_owned())).await.map(drop)
    }

    /// Lets a letter wait until its table is somewhere else.
    pub async fn park(&mut self, letter: &str) -> Result<(), StoreError> {
        self.postpone(letter, FOR_EVER).await
    }

    /// The letters that can be sent by now and are not, but for those that can only go somewhere
    /// else, and those that wait for a person to mend something.
    pub async fn letters_due(&mut self, now: Time) -> Result<Backlog, StoreError> {
        let question = query_as::<_, CountedSince>(
            "select count(*), min(send_at) from outbox where sent_at is null and send_at <= $1
                 and not exists (select 1 from outbox ahead where ahead.sent_at is null
                     and ahead.address = outbox.address and ahead.wait_until = $2)
                 and not exists (select 1 from barred
                     where what in (outbox.address, outbox.knocked) and refusals > 0)",
        );
        let due = self.one(question.bind(now).bind(FOR_EVER)).await?;
        Ok(due.map(Backlog::from).unwrap_or_default())
    }

    /// Lets a letter wait that was refused where it is read: by its address, if that is what is
    /// barred, or else by the place where its reader is to be called.
    pub async fn wait_for(
        &mut self,
        letter: &Outgoing,
        place: &Address,
        until: Time,
    ) -> Result<(), StoreError> {
        let statement = query(
            "update outbox set attempted_at = null,
                 wait_until = case when address = $2 then null else $3 end,
                 knocked = case when address = $2 then null else $2 end
             where letter = $1",
        );
        let statement = statement.bind(letter.letter.clone()).bind(place.to_owned());
        self.execute(statement.bind(until)).await.map(drop)
    }

    /// Lets a letter wait until a time before it is tried again.
    pub async fn postpone(&mut self, letter: &str, until: Time) -> Result<(), StoreError> {
        let statement =
            query("update outbox set wait_until = $2, attempted_at = null where letter = $1");
        self.execute(statement.bind(letter.to_owned()).bind(until)).await.map(drop)
    }
}
