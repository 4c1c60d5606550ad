//! A dashboard: one message with the state of all tables of a host.

use futures_util::FutureExt;
use serde_json::json;
use serenity::all::{ChannelId, MessageId, Permissions};
use sha2::{Digest, Sha256};

use crate::address;
use crate::answer::PrivateAnswer;
use crate::incoming::Incoming;
use crate::interactions::handler::{InteractionError, InteractionHandler, plain_reader};
use crate::posting::dashboard;
use desk::clock;
use letters::discord::DashboardCame;
use store::{DashboardRow, people, posts};

/// Posts the dashboard in the channel, if the person may post there. In a server it shows only that
/// server's tables.
pub(super) async fn dashboard(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let (account, now) = (address::account(incoming.person.id), clock::now());
    if !may_post(incoming) {
        return say_of_dashboard(handler, incoming, "forbidden");
    }
    let server = incoming.server.map(address::server);
    let mark = desk::dashboard_mark(&handler.desk, &account, server.as_deref(), now).await?;
    let shown = desk::dashboard(&handler.desk, &account, server.as_deref(), now).await?;
    let person = people::person(&mut handler.desk.store().read().await?, &account).await?;
    let (false, Some(person)) = (shown.tables.is_empty(), person) else {
        return say_of_dashboard(handler, incoming, "nothing");
    };
    let lang = incoming.person.lang;
    let mut drawn = dashboard::draw(&shown, &handler.letters, lang)?;
    drawn["nonce"] = json!(&hex::encode(Sha256::digest(incoming.handle.id.to_string()))[..24]);
    drawn["enforce_nonce"] = json!(true);
    let posted = handler.api.post(incoming.channel, &drawn, Vec::new()).await?;
    let row = DashboardRow {
        place: address::place(incoming.channel),
        person,
        account,
        server,
        language: lang.code().to_owned(),
        message: posted.id.to_string(),
        shown: mark,
        shown_at: now,
        refused: false,
    };
    let before = handler.desk.store().write_about(row, |row, to| {
        let exchange = async move {
            let before = posts::take_dashboard(to, &row.place, &row.person).await?;
            posts::keep_dashboard(to, row).await.map(|()| before)
        };
        exchange.boxed()
    });
    take_away(handler, incoming.channel, before.await?.as_deref()).await;
    say_of_dashboard(handler, incoming, "posted")
}

/// Deletes the previous dashboard. If that fails, the message stays.
async fn take_away(handler: &InteractionHandler, channel: ChannelId, message: Option<&str>) {
    let Some(message) = message.and_then(|message| message.parse::<MessageId>().ok()) else {
        return;
    };
    if let Err(error) = handler.api.delete(channel, message).await {
        tracing::debug!(%error, "the dashboard before stays as it was");
    }
}

fn say_of_dashboard(
    handler: &InteractionHandler,
    incoming: &Incoming,
    came: &str,
) -> Result<PrivateAnswer, InteractionError> {
    let reader = plain_reader(incoming.person.lang);
    Ok(PrivateAnswer::words(handler.letters.write(&reader, &DashboardCame { came })?))
}

/// True if the person may post in the channel.
fn may_post(incoming: &Incoming) -> bool {
    let Some(allowed) = incoming.allowed.map(Permissions::from_bits_truncate) else {
        // Everybody may post in a direct conversation with the bot.
        return incoming.server.is_none();
    };
    let is_thread = incoming.above != incoming.channel;
    let needed =
        if is_thread { Permissions::SEND_MESSAGES_IN_THREADS } else { Permissions::SEND_MESSAGES };
    allowed.intersects(needed | Permissions::ADMINISTRATOR)
}
