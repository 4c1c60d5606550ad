//! The thread of a table: found for an interaction, created, and stored.

use futures_util::FutureExt;
use serde_json::json;
use serenity::all::ChannelId;

use crate::api::Refusal;
use crate::incoming;
use crate::incoming::thread_of;
use crate::interactions::{Context, InteractionError, Result};
use desk::{LISTED, clock};
use letters::Refused;
use letters::discord::TableInThread;
use store::{absences, places};
use tables::ids::TableCode;

/// Discord's channel types of a public thread and of one under a channel of announcements, and the minutes of
/// a week, after which such a thread is archived.
const PUBLIC_THREAD: u8 = 11;
const NEWS_THREAD: u8 = 10;
const A_WEEK: u16 = 10_080;

/// Finds the table of an interaction: that of the thread, or else the person's only table that is not
/// over, or else their last one.
pub(super) async fn code(cx: Context<'_>) -> Result<TableCode> {
    let place = incoming::place(cx.incoming.channel);
    let mut session = cx.read().await?;
    if let Some(here) = store::tables::table_at(&mut session, &place).await? {
        return Ok(here);
    }
    let now = clock::now();
    let mut own = places::tables_of(&mut session, cx.account(), now).await?;
    own.extend(absences::stood_in_at(&mut session, cx.account(), now).await?);
    if own.len() > 1 {
        let (mut tables, more) = (Vec::new(), own.len().saturating_sub(LISTED));
        own.truncate(LISTED);
        for code in own {
            let table = session.table(&code).await?;
            let place = table.and_then(|table| table.place);
            let thread = place.as_ref().and_then(thread_of);
            tables.push(TableInThread { code, thread });
        }
        return Err(InteractionError::Which(tables, more));
    }
    drop(session);
    if let Some(code) = own.pop() {
        return Ok(code);
    }
    let newest = desk::newest_of(&cx.handler.desk, cx.account()).await?;
    newest.ok_or_else(|| Refused::NoTable.into())
}

/// Creates a thread for a table, with a name cut to Discord's limit; returns this channel if it cannot
/// have threads, such as a post of a forum or the chat of a voice channel.
pub(super) async fn create(cx: Context<'_>, name: &str) -> Result<ChannelId> {
    let name: String = name.chars().take(90).collect();
    let thread = json!({
        "name": name,
        "type": if cx.incoming.news { NEWS_THREAD } else { PUBLIC_THREAD },
        "auto_archive_duration": A_WEEK,
    });
    match cx.handler.api.thread(cx.incoming.above, &thread).await {
        Ok(made) => Ok(made.id),
        Err(unsent) if unsent.refusal().is_some_and(has_no_threads) => Ok(cx.incoming.channel),
        Err(unsent) => Err(unsent.into()),
    }
}

/// Stores the place of a table's thread, with its parent channel and its server.
pub(super) async fn store(cx: Context<'_>, place: ChannelId) -> Result<()> {
    let server = cx.incoming.server.map(incoming::server);
    let about = (incoming::place(place), incoming::place(cx.incoming.above), server);
    let placed = cx.handler.desk.store().write_about(about, |(place, above, server), to| {
        places::put_place(to, place, above, server.as_deref()).boxed()
    });
    Ok(placed.await?)
}

/// True if the channel can have no thread.
const fn has_no_threads(refusal: Refusal) -> bool {
    matches!(refusal, Refusal::WrongChannel | Refusal::TooManyThreads | Refusal::Form)
}
