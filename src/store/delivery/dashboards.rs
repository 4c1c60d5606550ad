//! Messages that show somebody how all of their tables stand: where they are, and what they show.

use serde::Serialize;
use sqlx::{FromRow, query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::delivery::barred::{ShownAt, is_free, was_refused};
use crate::rows::columns::{Count, Flag};
use tables::ids::{AccountId, Address, PersonId};
use tables::time::Time;

/// Such a message.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DashboardRow {
    /// Where it is, such as `discord:channel:1`.
    pub place: Address,
    pub person: PersonId,
    /// Who that is outside of this house.
    pub account: AccountId,
    /// The server whose tables it shows; none for all.
    pub server: Option<String>,
    /// The language in which it is written.
    pub language: String,
    pub message: String,
    /// What it was last drawn from.
    pub shown: String,
    /// The time when that was tried last.
    pub shown_at: Time,
    /// True if it, or its place, was refused the last time.
    #[sqlx(try_from = "Flag")]
    pub refused: bool,
}

impl DashboardRow {
    /// The message, and whether it or its place was refused the last time.
    pub fn at(&self) -> ShownAt {
        let (place, message) = (self.place.clone(), self.message.clone());
        ShownAt { place, message, refused: self.refused }
    }
}

/// A dashboard, as who watches it may have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptDashboard {
    pub place: Address,
    pub message: String,
}

impl Session {
    /// Those in places that begin like this and have been left alone since then, the longest first,
    /// and none that waits at a time, as it was refused.
    pub async fn dashboards(
        &mut self,
        scheme: &str,
        since: Time,
        now: Time,
        limit: u32,
    ) -> Result<Vec<DashboardRow>, StoreError> {
        let question = query_as(concat!(
            "select place, dashboards.person, account, server, dashboards.language, message, shown,
                 shown_at, ",
            was_refused!("dashboards.place", "dashboards.message"),
            " as refused
             from dashboards join people on people.person = dashboards.person
             where place like $1 and shown_at <= $2 and ",
            is_free!("dashboards.place", "dashboards.message", "$4"),
            " order by shown_at, place, account limit $3"
        ));
        let question = question.bind(format!("{scheme}%")).bind(since).bind(Count(limit));
        self.all(question.bind(now)).await
    }

    /// Keeps somebody's in a place no more, and gives back which message it was.
    pub async fn take_dashboard(
        &mut self,
        place: &Address,
        person: &PersonId,
    ) -> Result<Option<String>, StoreError> {
        let statement = query_as::<_, (String,)>(
            "delete from dashboards where place = $1 and person = $2 returning message",
        );
        let statement = statement.bind(place.to_owned()).bind(person.to_owned());
        Ok(self.one(statement).await?.map(|(message,)| message))
    }

    /// Keeps one, in place of the one of the same person in the same place.
    pub async fn keep_dashboard(&mut self, row: &DashboardRow) -> Result<(), StoreError> {
        let statement = query(
            "insert into dashboards (place, person, server, language, message, shown, shown_at)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (place, person) do update set server = excluded.server,
                 language = excluded.language, message = excluded.message, shown = excluded.shown,
                 shown_at = excluded.shown_at",
        )
        .bind(row.place.clone())
        .bind(row.person.clone())
        .bind(row.server.clone())
        .bind(row.language.clone())
        .bind(row.message.clone())
        .bind(row.shown.clone())
        .bind(row.shown_at);
        self.execute(statement).await.map(drop)
    }

    /// Notes that one is drawn now, and nobody else need do it for a while. False: somebody else
    /// was faster, or it is another message by now.
    pub async fn claim_dashboard(
        &mut self,
        row: &DashboardRow,
        now: Time,
    ) -> Result<bool, StoreError> {
        let statement = query(
            "update dashboards set shown_at = $4
             where place = $1 and person = $2 and message = $3 and shown_at = $5",
        )
        .bind(row.place.clone())
        .bind(row.person.clone())
        .bind(row.message.clone())
        .bind(now)
        .bind(row.shown_at);
        Ok(self.execute(statement).await? == 1)
    }

    /// Notes what one shows.
    pub async fn note_dashboard(
        &mut self,
        row: &DashboardRow,
        shown: &str,
    ) -> Result<(), StoreError> {
        let statement = query(
            "update dashboards set shown = $4 where place = $1 and person = $2 and message = $3",
        )
        .bind(row.place.clone())
        .bind(row.person.clone())
        .bind(row.message.clone())
        .bind(shown.to_owned());
        self.execute(statement).await.map(drop)
    }

    /// One is gone, and nothing keeps it any more.
    pub async fn drop_dashboard(&mut self, row: &DashboardRow) -> Result<(), StoreError> {
        let statement =
            query("delete from dashboards where place = $1 and person = $2 and message = $3")
                .bind(row.place.clone())
                .bind(row.person.clone())
                .bind(row.message.clone());
        self.execute(statement).await.map(drop)
    }

    /// Those of somebody.
    pub async fn kept_dashboards(
        &mut self,
        person: &PersonId,
    ) -> Result<Vec<KeptDashboard>, StoreError> {
        let question =
            query_as("select place, message from dashboards where person = $1 order by place");
        self.all(question.bind(person.to_owned())).await
    }

    /// None of somebody's is kept up to date any more.
    pub async fn forget_dashboards(&mut self, person: &PersonId) -> Result<(), StoreError> {
        let statement = query("delete from dashboards where person = $1").bind(person.to_owned());
        self.execute(statement).await.map(drop)
    }
}
