//! The post of a public table, which shows the state of the open window, and the accounts of its players.
//!
//! Every change of its look stirs the table's row, and the drawing of the post stores the count shown. So the
//! post shows the newest state in the end, however many changes come together. A replaced post stays stored
//! until it has been drawn as past.

use sqlx::FromRow;

use crate::database::{Result, Session};
use crate::delivery::obstacles::{ShownAt, is_free, was_refused};
use crate::rows::{Count, Flag, PostedWindow};
use crate::table::tables::Touched;
use rules::Seat;
use tables::{AccountId, Address, PersonId, PersonSettings, TableCode, Time};

/// The post that shows the state of a table's open window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    pub code: TableCode,
    pub message: String,
    pub window: PostedWindow,
    /// The number of times that the table had been stirred when the post was drawn.
    pub shown: u64,
}

/// A post that must be drawn anew.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct StalePost {
    pub code: TableCode,
    #[sqlx(flatten)]
    pub at: ShownAt,
    #[sqlx(rename = "number")]
    pub window: PostedWindow,
    /// The number of times that the table has been stirred.
    #[sqlx(try_from = "Count<u64>")]
    pub stirred: u64,
    /// The time of the last attempt to draw it.
    pub drawn_at: Time,
    /// True if another message is the table's post now, so that this one is drawn for the last time.
    #[sqlx(try_from = "Flag")]
    pub past: bool,
}

/// The account of a player, with their seat.
#[derive(Clone, Debug, FromRow)]
pub struct Sitter {
    pub seat: Seat,
    pub account: AccountId,
    /// The player's settings for all of their tables.
    pub settings: PersonSettings,
}

/// Returns the accounts of a table's players, by seat.
pub async fn accounts(db: &mut Session, code: &TableCode) -> Result<Vec<(Seat, AccountId)>> {
    let sitters = sitters(db, code).await?;
    Ok(sitters.into_iter().map(|sitter| (sitter.seat, sitter.account)).collect())
}

/// Returns the players of a table, by seat.
pub async fn sitters(db: &mut Session, code: &TableCode) -> Result<Vec<Sitter>> {
    let text =
        "select seat, account, settings from seats join people on people.person = seats.person
         where code = $1 order by seat";
    db.rows(text, (code,)).await
}

/// Returns the posts to be drawn anew, in places with this prefix, the longest untouched first, without
/// barred ones.
pub async fn stale_posts(
    db: &mut Session,
    scheme: &str,
    now: Time,
    limit: u32,
) -> Result<Vec<StalePost>> {
    let text = concat!(
        "select code, place, post as message, post_window as number, stirred, drawn_at,
             cast(0 as bigint) as past, ",
        was_refused!("tables.place", "tables.post"),
        " as refused
         from tables where shown < stirred and post is not null and place like $1 and ",
        is_free!("tables.place", "tables.post", "$3"),
        " union all
         select past_posts.code, place, message, number, stirred, past_posts.drawn_at,
             cast(1 as bigint) as past, ",
        was_refused!("tables.place", "past_posts.message"),
        " as refused
         from past_posts join tables on tables.code = past_posts.code where place like $1 and ",
        is_free!("tables.place", "past_posts.message", "$3"),
        " order by drawn_at, code limit $2"
    );
    db.rows(text, (format!("{scheme}%"), Count(limit), now)).await
}

/// Stores the new post of a table. The former post is to be drawn as past.
pub async fn note_post(db: &mut Session, post: &Post) -> Result<()> {
    let text = "insert into past_posts (code, message, number, drawn_at)
         select code, post, post_window, drawn_at from tables where code = $1 and post <> $2
         on conflict (code, message) do nothing";
    db.write(text, (&post.code, &post.message)).await?;
    let text = "update tables set post = $2, post_window = $3, shown = $4, drawn_at = 0
         where code = $1";
    db.write(text, (&post.code, &post.message, post.window, Count(post.shown))).await
}

/// Stores a message that replaces a deleted post.
pub async fn replace_post(
    db: &mut Session,
    stale: &StalePost,
    message: &str,
    now: Time,
) -> Result<()> {
    let text = "update tables set post = $3, drawn_at = $5,
             shown = case when shown < $4 then $4 else shown end
         where code = $1 and post = $2";
    db.write(text, (&stale.code, &stale.at.message, message, Count(stale.stirred), now)).await
}

/// Claims a post for drawing. Returns false if another process was faster, or another message is the
/// table's post now.
pub async fn claim_post(db: &mut Session, stale: &StalePost, now: Time) -> Result<bool> {
    let statement = if stale.past {
        "update past_posts set drawn_at = $4
         where code = $1 and message = $2 and drawn_at = $3"
    } else {
        "update tables set drawn_at = $4 where code = $1 and post = $2 and drawn_at = $3"
    };
    let values = (&stale.code, &stale.at.message, stale.drawn_at, now);
    Ok(db.changes(statement, values).await? == 1)
}

/// Notes that a post has been drawn, or that this failed; the next redraw waits.
pub async fn note_drawn(
    db: &mut Session,
    stale: &StalePost,
    is_drawn: bool,
    now: Time,
) -> Result<()> {
    let (code, message) = (&stale.code, &stale.at.message);
    if stale.past && is_drawn {
        let text = "delete from past_posts where code = $1 and message = $2";
        return db.write(text, (code, message)).await;
    }
    let shown = if is_drawn { stale.stirred } else { 0 };
    let text =
        "update tables set drawn_at = $4, shown = case when shown < $3 then $3 else shown end
         where code = $1 and post = $2";
    if db.changes(text, (code, message, Count(shown), now)).await? == 1 {
        return Ok(());
    }
    // Another message has become the post meanwhile, and this one is past.
    let text = "insert into past_posts (code, message, number, drawn_at) values ($1, $2, $3, $4)
         on conflict (code, message) do update set drawn_at = excluded.drawn_at";
    db.write(text, (code, message, stale.window, now)).await
}

/// Returns the message of a table's post, `None` if it has none.
pub async fn post_of(db: &mut Session, code: &TableCode) -> Result<Option<String>> {
    let text = "select post from tables where code = $1 and post is not null";
    db.value(text, (code,)).await
}

/// Moves the table to another place, where it has no post yet.
pub async fn relocate(tx: &mut Touched<'_>, place: &Address) -> Result<()> {
    for statement in [
        "update tables set place = $2, post = null, post_window = null where code = $1",
        "delete from past_posts where code = $1 and cast($2 as text) is not null",
    ] {
        tx.write(statement, (place,)).await?;
    }
    tx.table.place = Some(place.to_owned());
    Ok(())
}

/// A dashboard.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DashboardRow {
    /// The message, in a place such as `discord:channel:1`.
    #[sqlx(flatten)]
    pub at: ShownAt,
    pub person: PersonId,
    /// The account of the person.
    pub account: AccountId,
    /// The server whose tables the dashboard shows, `None` for all.
    pub server: Option<String>,
    /// The language of the dashboard.
    pub language: String,
    /// The mark of the state that was last drawn.
    pub shown: String,
    /// The time of the last attempt to draw it.
    pub shown_at: Time,
}

/// Returns the dashboards in places with this prefix that were not drawn since a time, the longest ago
/// first, without barred ones.
pub async fn dashboards(
    db: &mut Session,
    scheme: &str,
    since: Time,
    now: Time,
    limit: u32,
) -> Result<Vec<DashboardRow>> {
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
    db.rows(text, (format!("{scheme}%"), since, Count(limit), now)).await
}

/// Deletes a person's dashboard in a place, and returns its message.
pub async fn take_dashboard(
    db: &mut Session,
    place: &Address,
    person: &PersonId,
) -> Result<Option<String>> {
    let text = "delete from dashboards where place = $1 and person = $2 returning message";
    db.value(text, (place, person)).await
}

/// Stores a dashboard, replacing the person's dashboard in that place.
pub async fn keep_dashboard(db: &mut Session, row: &DashboardRow) -> Result<()> {
    let text = "insert into dashboards (place, person, server, language, message, shown, shown_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (place, person) do update set server = excluded.server,
             language = excluded.language, message = excluded.message, shown = excluded.shown,
             shown_at = excluded.shown_at";
    let values = (
        &row.at.place,
        &row.person,
        &row.server,
        &row.language,
        &row.at.message,
        &row.shown,
        row.shown_at,
    );
    db.write(text, values).await
}

/// Claims a dashboard for drawing. Returns false if another process was faster, or the message has been
/// replaced.
pub async fn claim_dashboard(db: &mut Session, row: &DashboardRow, now: Time) -> Result<bool> {
    let text = "update dashboards set shown_at = $4
         where place = $1 and person = $2 and message = $3 and shown_at = $5";
    Ok(db.changes(text, (&row.at.place, &row.person, &row.at.message, now, row.shown_at)).await?
        == 1)
}

/// Stores the state that a dashboard shows.
pub async fn note_dashboard(db: &mut Session, row: &DashboardRow, shown: &str) -> Result<()> {
    let text = "update dashboards set shown = $4 where place = $1 and person = $2 and message = $3";
    db.write(text, (&row.at.place, &row.person, &row.at.message, shown)).await
}

/// Deletes a dashboard whose message is gone.
pub async fn drop_dashboard(db: &mut Session, row: &DashboardRow) -> Result<()> {
    let text = "delete from dashboards where place = $1 and person = $2 and message = $3";
    db.write(text, (&row.at.place, &row.person, &row.at.message)).await
}
