//! Dashboards: messages that show a person the state of all their tables.

use serde::Serialize;
use sqlx::FromRow;

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::delivery::barred::{ShownAt, is_free, was_refused};
use crate::rows::columns::{Count, Flag};
use tables::ids::{AccountId, Address, PersonId};
use tables::time::Time;

/// A dashboard.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DashboardRow {
    /// The place of the dashboard, such as `discord:channel:1`.
    pub place: Address,
    pub person: PersonId,
    /// The account of the person.
    pub account: AccountId,
    /// The server whose tables the dashboard shows, `None` for all.
    pub server: Option<String>,
    /// The language of the dashboard.
    pub language: String,
    pub message: String,
    /// The mark of the state that was last drawn.
    pub shown: String,
    /// The time of the last attempt to draw it.
    pub shown_at: Time,
    /// True if the last change of the message, or of its place, was refused.
    #[sqlx(try_from = "Flag")]
    pub refused: bool,
}

impl DashboardRow {
    /// Returns the message with its place.
    pub fn at(&self) -> ShownAt {
        let (place, message) = (self.place.clone(), self.message.clone());
        ShownAt { place, message, refused: self.refused }
    }
}

/// A dashboard, as it appears in its owner's export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptDashboard {
    pub place: Address,
    pub message: String,
}

/// Returns the dashboards in places with this prefix that were not drawn since a time, the longest ago
/// first, without barred ones.
pub async fn all(
    session: &mut Session,
    scheme: &str,
    since: Time,
    now: Time,
    limit: u32,
) -> Result<Vec<DashboardRow>, StoreError> {
    let text = concat!(
        "select place, dashboards.person, account, server, dashboards.language, message, shown,
             shown_at, ",
        was_refused!("dashboards.place", "dashboards.message"),
        " as refused
         from dashboards join people on people.person = dashboards.person
         where place like $1 and shown_at <= $2 and ",
        is_free!("dashboards.place", "dashboards.message", "$4"),
        " order by shown_at, place, account limit $3"
    );
    session.rows(text, (format!("{scheme}%"), since, Count(limit), now)).await
}

/// Deletes a person's dashboard in a place, and returns its message.
pub async fn take_dashboard(
    session: &mut Session,
    place: &Address,
    person: &PersonId,
) -> Result<Option<String>, StoreError> {
    let text = "delete from dashboards where place = $1 and person = $2 returning message";
    session.value(text, (place, person)).await
}

/// Stores a dashboard, replacing the person's dashboard in that place.
pub async fn keep_dashboard(session: &mut Session, row: &DashboardRow) -> Result<(), StoreError> {
    let text = "insert into dashboards (place, person, server, language, message, shown, shown_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (place, person) do update set server = excluded.server,
             language = excluded.language, message = excluded.message, shown = excluded.shown,
             shown_at = excluded.shown_at";
    let values = (
        &row.place,
        &row.person,
        &row.server,
        &row.language,
        &row.message,
        &row.shown,
        row.shown_at,
    );
    session.write(text, values).await
}

/// Claims a dashboard for drawing. Returns false if another process was faster, or the message has been
/// replaced.
pub async fn claim_dashboard(
    session: &mut Session,
    row: &DashboardRow,
    now: Time,
) -> Result<bool, StoreError> {
    let text = "update dashboards set shown_at = $4
         where place = $1 and person = $2 and message = $3 and shown_at = $5";
    Ok(session.changes(text, (&row.place, &row.person, &row.message, now, row.shown_at)).await?
        == 1)
}

/// Stores the state that a dashboard shows.
pub async fn note_dashboard(
    session: &mut Session,
    row: &DashboardRow,
    shown: &str,
) -> Result<(), StoreError> {
    let text = "update dashboards set shown = $4 where place = $1 and person = $2 and message = $3";
    session.write(text, (&row.place, &row.person, &row.message, shown)).await
}

/// Deletes a dashboard whose message is gone.
pub async fn drop_dashboard(session: &mut Session, row: &DashboardRow) -> Result<(), StoreError> {
    let text = "delete from dashboards where place = $1 and person = $2 and message = $3";
    session.write(text, (&row.place, &row.person, &row.message)).await
}

/// Returns a person's dashboards.
pub async fn kept_dashboards(
    session: &mut Session,
    person: &PersonId,
) -> Result<Vec<KeptDashboard>, StoreError> {
    let text = "select place, message from dashboards where person = $1 order by place";
    session.rows(text, (person,)).await
}

/// Deletes a person's dashboards.
pub async fn forget_dashboards(session: &mut Session, person: &PersonId) -> Result<(), StoreError> {
    session.write("delete from dashboards where person = $1", (person,)).await
}
