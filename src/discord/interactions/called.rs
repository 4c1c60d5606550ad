//! Letters that could not be delivered, fetched by their reader.

use futures_util::FutureExt;

use crate::address;
use crate::answer::{DeferredReply, PrivateAnswer};
use crate::incoming::Incoming;
use crate::interactions::handler::{InteractionError, InteractionHandler};
use crate::posting::failure::DrawError;
use desk::{Letter, clock};
use letters::discord::NotYours;
use letters::follow;
use store::{Knock, StoreError, outbox, read_json};

/// The maximum number of rows of controls in a message.
const ROWS: usize = 5;

/// Shows a person the letter for which they were called, with all other waiting letters about the same
/// table, and takes the calls back. Anybody else who presses the control is refused.
pub(super) async fn show_private_letters(
    handler: &InteractionHandler,
    incoming: &Incoming,
    letter: &str,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let (own, lang) = (address::own(incoming.person.id), incoming.person.lang);
    let mut knocks = outbox::knocks(&mut handler.desk.store().read().await?, &own, letter).await?;
    if knocks.is_empty() {
        return Ok(reply.send(handler.say(lang, &NotYours {})?).await?);
    }
    // Whoever presses soon enough sees the call before its place is stored.
    let source = incoming.source.filter(|message| !message.private);
    let called = knocks.iter_mut().find(|knock| knock.letter == letter);
    if let (Some(called), Some(source)) = (called, source) {
        called.place = Some(address::place(incoming.channel));
        called.message = Some(source.id.to_string());
    }
    let mut answer = PrivateAnswer::default();
    for knock in &knocks {
        let sent: Letter = read_json(&knock.body)?;
        let current = desk::as_of(&handler.desk, &sent, clock::now()).await?;
        let (text, rows) = handler.threads.said_now(&sent, current.of(&sent)).await?;
        follow(&mut answer.text, &text);
        for row in rows {
            if !answer.rows.contains(&row) && answer.rows.len() < ROWS {
                answer.rows.push(row);
            }
        }
    }
    reply.send(answer).await?;
    let unread: Vec<&Knock> = knocks.iter().filter(|knock| knock.read_at.is_none()).collect();
    let read: Vec<String> = unread.iter().map(|knock| knock.letter.clone()).collect();
    let noted = handler.desk.store().write_about((read, clock::now()), |(read, now), to| {
        let mark_all = async move {
            for letter in read {
                outbox::mark_come_for(to, letter, *now).await?;
            }
            Ok(())
        };
        mark_all.boxed()
    });
    noted.await?;
    for knock in unread {
        // The letters were read, even if the call stays.
        if let Err(error) = handler.threads.update_ping(knock, &read_json(&knock.body)?).await {
            tracing::warn!(letter = knock.letter, %error, "a call could not be taken back");
        }
    }
    Ok(())
}

/// Deletes the messages in which a person was called.
pub(super) async fn delete_thread_pings(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<(), InteractionError> {
    let own = address::own(incoming.person.id);
    let knocks = outbox::knocks_for(&mut handler.desk.store().read().await?, &own).await?;
    for knock in knocks {
        if let Err(error) = handler.threads.delete_ping(&knock).await {
            tracing::warn!(letter = knock.letter, %error, "a call could not be taken away");
        }
    }
    Ok(())
}

impl From<DrawError> for InteractionError {
    fn from(unshown: DrawError) -> Self {
        match unshown {
            DrawError::NotDone(error) => error.into(),
            DrawError::Store(error) => error.into(),
            DrawError::Letter(fault) => fault.into(),
            DrawError::Unsent(unsent) => unsent.into(),
            DrawError::Unwritten(error) => StoreError::Unreadable(error.to_string()).into(),
        }
    }
}
