//! The verification of a table that is over: its game is replayed and compared with the posts.

use serde::Deserialize;
use serenity::all::{MessageId, UserId};

use crate::address::{self, Destination};
use crate::answer::PrivateAnswer;
use crate::incoming::Incoming;
use crate::interactions::conversation;
use crate::interactions::handler::{InteractionError, InteractionHandler};
use desk::conversation::Conversation;
use letters::{LetterFault, Reader, SealedThen};
use rules::receipt::Head;
use rules::text::Lang;
use tables::ids::TableCode;

/// The size of a page of messages, and the maximum number of pages.
const PAGE: u8 = 100;
const PAGES: usize = 30;

/// A message, reduced to the fields that are read.
#[derive(Debug, Deserialize)]
struct FetchedMessage {
    id: MessageId,
    content: String,
    author: MessageAuthor,
}

#[derive(Debug, Deserialize)]
struct MessageAuthor {
    id: UserId,
}

/// Replays a table that is over and compares it with the bot's posts in its thread: Discord stores those,
/// independently of the database.
pub(super) async fn verify(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
) -> Result<PrivateAnswer, InteractionError> {
    let (sight, reader) = handler.see(incoming, code).await?;
    let account = address::account(incoming.person.id);
    let heads = posted(handler, code, &reader).await?;
    let speaker = handler.speaker(&account, &reader);
    let answer = Conversation { speaker, sight: &sight }.verify(&heads).await?;
    conversation::shown(handler, code, &reader, answer)
}

/// Returns the journal heads in the bot's posts about a table, in order.
async fn posted(
    handler: &InteractionHandler,
    code: &TableCode,
    reader: &Reader,
) -> Result<Vec<Head>, InteractionError> {
    let table = handler.desk.store().read().await?.table(code).await?;
    let place = table.and_then(|table| table.place);
    let Some(Destination::Channel(place)) = place.as_ref().and_then(Destination::parse) else {
        return Ok(Vec::new());
    };
    let ours: MessageAuthor = handler.api.user().await?;
    let before = before_a_head(handler, reader)?;
    let (mut heads, mut after) = (Vec::new(), MessageId::new(1));
    for _ in 0..PAGES {
        let page = handler.api.messages::<FetchedMessage>(place, Some(after), PAGE).await;
        // A deleted or inaccessible thread has no heads.
        let Ok(mut page) = page else { break };
        page.sort_by_key(|posted| posted.id);
        let Some(last) = page.last() else { break };
        after = last.id;
        let is_last = page.len() < PAGE.into();
        for posted in page.iter().filter(|posted| posted.author.id == ours.id) {
            let head_in = |line: &str| {
                let head = before.iter().find_map(|before| line.strip_prefix(before))?;
                head.trim().parse().ok()
            };
            heads.extend(posted.content.lines().filter_map(head_in));
        }
        if is_last {
            break;
        }
    }
    Ok(heads)
}

/// Returns the prefix of a line with a head, in every language.
fn before_a_head(
    handler: &InteractionHandler,
    reader: &Reader,
) -> Result<Vec<String>, LetterFault> {
    let line = |lang: Lang| {
        let reader = Reader { lang, ..reader.clone() };
        let letter = handler.letters.write(&reader, &SealedThen { sealed: &[], head: "" })?;
        Ok(letter.trim().to_owned())
    };
    Lang::ALL.into_iter().map(line).collect()
}
