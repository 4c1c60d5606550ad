//! Barriers that only a person can remove: at a place, a message there, files in it. They are tried
//! ever more rarely, by one process at a time, and soon when somebody may have removed them.

use sqlx::{query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::rows::columns::{Count, Flag};
use tables::ids::Address;
use tables::time::{Span, Time};

/// The delays before the next attempt after the first refusal in a row, after the second, and so on;
/// the last holds for all that follow.
const PACE: [Span; 4] = [Span::seconds(2), Span::seconds(10), Span::minutes(1), Span::minutes(10)];

/// The least delay before the next attempt, whatever may have been mended.
const SOONEST: Span = Span::seconds(10);

/// The time after which another process makes the attempt that one has taken on.
const ATTEMPT: Span = Span::seconds(30);

/// The time for which a refusal is remembered if nothing is tried again.
const MEMORY: Span = Span::days(30);

/// The target of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Barrier {
    /// The address where it stands.
    pub place: Address,
    /// The part of it that is meant; nothing for all of it.
    part: Option<String>,
    /// True if what stands there cannot be changed.
    changes: bool,
}

impl Barrier {
    /// Nothing new can be sent to this place.
    pub fn place(place: &Address) -> Self {
        Self { place: place.clone(), part: None, changes: false }
    }

    /// Nothing new can be sent to this place, and nothing that stands there can be changed.
    pub fn all_of(place: &Address) -> Self {
        Self { changes: true, ..Self::place(place) }
    }

    /// This message of a place cannot be changed.
    pub fn message(place: &Address, message: &str) -> Self {
        Self { part: Some(message.to_owned()), ..Self::all_of(place) }
    }

    /// Somebody takes no direct messages at this address.
    pub fn direct(address: &Address) -> Self {
        Self { part: Some("direct".to_owned()), ..Self::place(address) }
    }

    /// A place takes no files.
    pub fn files(place: &Address) -> Self {
        Self { part: Some("files".to_owned()), ..Self::place(place) }
    }

    /// Returns the text by which it is kept.
    fn what(&self) -> String {
        match &self.part {
            None => self.place.to_string(),
            Some(part) => format!("{}/{part}", self.place),
        }
    }
}

/// A message that is kept up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownAt {
    /// The place where it stands.
    pub place: Address,
    pub message: String,
    /// True if it, or its place, was refused the last time.
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

/// 1 or more if a change of a message in a place was refused the last time.
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

impl Session {
    /// Notes one more refusal in a row, and gives the time before which it is not tried again.
    pub async fn bar(&mut self, barrier: &Barrier, now: Time) -> Result<Time, StoreError> {
        let known = query_as::<_, (Count<usize>,)>("select refusals from barred where what = $1");
        let known = self.one(known.bind(barrier.what())).await?;
        let refusals = known.map_or(0, |(count,)| count.0);
        let wait = PACE.get(refusals).or(PACE.last()).copied().unwrap_or(SOONEST);
        let until = now + wait;
        self.put_barrier(barrier, Count(refusals + 1), now, until).await?;
        Ok(until)
    }

    /// Lets something wait until a time, without counting a refusal.
    pub async fn hold_back(
        &mut self,
        barrier: &Barrier,
        until: Time,
        now: Time,
    ) -> Result<(), StoreError> {
        self.put_barrier(barrier, Count(0), now, until).await
    }

    async fn put_barrier(
        &mut self,
        barrier: &Barrier,
        refusals: Count<usize>,
        now: Time,
        until: Time,
    ) -> Result<(), StoreError> {
        let statement = query(
            "insert into barred (what, place, changes, refusals, refused_at, wait_until)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (what) do update set refusals = excluded.refusals,
                 changes = case when excluded.changes = 1 then 1 else barred.changes end,
                 refused_at = excluded.refused_at, wait_until = excluded.wait_until",
        )
        .bind(barrier.what())
        .bind(barrier.place.clone())
        .bind(Flag(barrier.changes))
        .bind(refusals)
        .bind(now)
        .bind(until);
        self.execute(statement).await.map(drop)
    }

    /// Until when something waits that was refused the last time; nothing if it was not.
    pub async fn barred(&mut self, barrier: &Barrier) -> Result<Option<Time>, StoreError> {
        let question = query_as::<_, (Time,)>("select wait_until from barred where what = $1");
        Ok(self.one(question.bind(barrier.what())).await?.map(|(until,)| until))
    }

    /// Takes on the next attempt at something that was refused. False: it is too early for one, or
    /// somebody else makes it.
    pub async fn try_barred(&mut self, barrier: &Barrier, now: Time) -> Result<bool, StoreError> {
        let statement =
            query("update barred set wait_until = $3 where what = $1 and wait_until <= $2");
        let statement = statement.bind(barrier.what()).bind(now).bind(now + ATTEMPT);
        Ok(self.execute(statement).await? == 1)
    }

    /// Forgets a refusal: it goes again. False: there was none.
    pub async fn unbar(&mut self, barrier: &Barrier) -> Result<bool, StoreError> {
        let statement = query("delete from barred where what = $1").bind(barrier.what());
        Ok(self.execute(statement).await? > 0)
    }

    /// Notes that messages of a place can be changed again. New ones may still be refused: a letter
    /// that waits there is tried at once. True if none waits, so that nothing is barred any more.
    pub async fn changes_again(&mut self, place: &Address, now: Time) -> Result<bool, StoreError> {
        let statement =
            query("update barred set changes = 0, wait_until = $2 where what = $1 and changes = 1");
        let statement = statement.bind(place.to_owned()).bind(now);
        if self.execute(statement).await? == 0 || self.is_posted(place, now).await? {
            return Ok(false);
        }
        self.unbar(&Barrier::place(place)).await
    }

    /// True if anything of a place, or of what lies right below it, waits because it was refused.
    pub async fn is_barred_around(&mut self, place: &Address) -> Result<bool, StoreError> {
        let question = query_as::<_, (Count<u64>,)>(
            "select count(*) from barred where place = $1
                 or place in (select places.place from places where above = $1)",
        );
        let barred = self.one(question.bind(place.to_owned())).await?;
        Ok(barred.is_some_and(|(count,)| count.0 > 0))
    }

    /// Lets all of a place, and of what lies right below it, be tried again soon. False: nothing of
    /// it waits.
    pub async fn wake_place(&mut self, place: &Address, now: Time) -> Result<bool, StoreError> {
        let places = "place = $1 or place in (select places.place from places where above = $1)";
        self.wake(places, place.as_str(), now).await
    }

    /// Lets all of a server be tried again soon. False: nothing of it waits.
    pub async fn wake_server(&mut self, server: &str, now: Time) -> Result<bool, StoreError> {
        let places = "place in (select places.place from places where places.server = $1)";
        self.wake(places, server, now).await
    }

    async fn wake(
        &mut self,
        places: &'static str,
        of: &str,
        now: Time,
    ) -> Result<bool, StoreError> {
        // A refusal of a moment ago says enough.
        let soon = "(case when refused_at > $3 then refused_at + ($2 - $3) else $2 end)";
        let barred = format!(
            "update barred set wait_until = {soon} where wait_until > {soon} and ({places})"
        );
        // Those who are called in a place wait for it by their letters.
        let calls = format!(
            "update outbox set wait_until = $2 where sent_at is null and wait_until > $3
                 and knocked in (select place from barred where {places})"
        );
        let mut woken = 0;
        for text in [barred, calls] {
            // Nothing but texts of ours was put into it.
            let statement = query(sqlx::AssertSqlSafe(text)).bind(of.to_owned());
            woken += self.execute(statement.bind(now).bind(now - SOONEST)).await?;
        }
        Ok(woken > 0)
    }

    /// Forgets what nobody has tried for a long time.
    pub(crate) async fn forget_barred(&mut self, now: Time) -> Result<(), StoreError> {
        let statement = query("delete from barred where refused_at < $1 and wait_until < $1");
        self.execute(statement.bind(now - MEMORY)).await.map(drop)
    }
}
