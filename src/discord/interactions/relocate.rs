//! Relocations of a table to another place.

use serde_json::json;
use serenity::all::MessageId;

use crate::address::{self, Destination};
use crate::answer::PrivateAnswer;
use crate::incoming::{CommandArguments, Incoming};
use crate::interactions::handler::{InteractionError, InteractionHandler};
use crate::interactions::{meant, substitute, table};
use desk::clock;
use desk::conversation::table_code;
use letters::discord::{GoesOnAt, NoServer, ThreadName};
use letters::{Reader, Refused};
use store::posts;
use tables::ids::Address;

/// `/table move`: moves a table to a new thread or to this channel, for whoever leads it.
pub(super) async fn relocate(
    handler: &InteractionHandler,
    incoming: &Incoming,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    if incoming.server.is_none() {
        return handler.say(incoming.person.lang, &NoServer {});
    }
    let code = match arguments.get("table") {
        Some(code) => table_code(code),
        None => meant::code(handler, incoming).await?,
    };
    let (sight, reader) = match handler.see(incoming, &code).await {
        Err(error) if error.refused() == Some(Refused::NoTable) => {
            let reader = crate::interactions::plain_reader(incoming.person.lang);
            return Ok(PrivateAnswer::words(handler.letters.refused(
                &reader,
                Refused::NoTable,
                code.as_str(),
            )?));
        }
        seen => seen?,
    };
    if !sight.leads {
        return Err(Refused::NotLeader.into());
    }
    let mut session = handler.desk.store().read().await?;
    let (table, post) = (session.table(&code).await?, posts::post_of(&mut session, &code).await?);
    drop(session);
    let from = table.and_then(|table| table.place);
    let is_here = arguments.get("place").is_some_and(|place| place == "here");
    let channel = if is_here {
        incoming.channel
    } else {
        let public = Reader::new(sight.game, sight.language);
        let name = ThreadName { host: &incoming.person.name };
        let name = handler.letters.write(&public, &name)?;
        table::thread(handler, incoming, &name).await?
    };
    table::place(handler, incoming, channel).await?;
    desk::relocate(&handler.desk, &code, &incoming.gm(), &address::place(channel), clock::now())
        .await?;
    (handler.ring)();
    let accounts = posts::accounts(&mut handler.desk.store().read().await?, &code).await?;
    for user in accounts.iter().filter_map(|(_, account)| address::user(account)) {
        substitute::show_thread(handler, &code, user).await?;
    }
    let notice = GoesOnAt { code: &code, thread: channel.to_string() };
    let public = sight.reader(sight.language);
    let text = handler.letters.write(&public, &notice)?;
    leave_word(handler, from.as_ref(), post.as_deref(), &text).await;
    Ok(PrivateAnswer::words(handler.letters.write(&reader, &notice)?))
}

/// Replaces the old post of a table by a notice of the move, if the post still exists.
async fn leave_word(
    handler: &InteractionHandler,
    place: Option<&Address>,
    post: Option<&str>,
    text: &str,
) {
    let post = post.and_then(|post| post.parse::<MessageId>().ok());
    let (Some(Destination::Channel(channel)), Some(post)) =
        (place.and_then(Destination::parse), post)
    else {
        return;
    };
    let body = json!({
        "content": text,
        "components": [],
        "attachments": [],
        "allowed_mentions": { "parse": [] },
    });
    if let Err(unsent) = handler.api.edit(channel, post, &body, Vec::new()).await {
        tracing::debug!(%unsent, "where a table was, nothing says where it is");
    }
}
