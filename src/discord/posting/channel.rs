//! The delivery of the courier's letters to threads and direct conversations, each letter once.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use serenity::all::{ChannelId, MessageId, UserId};
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;

use crate::address::{self, Destination};
use crate::api::{Api, Attachment, SendError};
use crate::bot::obstacle;
use crate::posting::failure::{DrawError, SendFailure, unseen};
use crate::posting::message::{About, Message, Target, plain};
use crate::posting::post::{self, PostDrawing};
use crate::posting::split::split_into_messages;
use desk::courier::{Channel, Undelivered};
use desk::{Desk, Event, Letter, Obstacle, Override, Part, Unwritten, clock};
use letters::picture::{Picture, Pictures};
use letters::{Beside, Letters, Reader};
use store::{Arrived, Outgoing, Post, PostedWindow, Sitter, StoreError, posts};
use tables::Timing;
use tables::ids::{AccountId, Address, TableCode};
use tables::time::{Span, Time};

/// The time for which another process's attempt is left alone. A longer attempt does no harm: Discord merges
/// messages with the same nonce.
const PATIENCE: Duration = Duration::from_secs(5);

/// The delay before a retry after too many refusals.
const LULL: Duration = Duration::from_mins(1);

/// The epoch of Discord's ids.
const DISCORD_EPOCH: Time = Time::from_milliseconds(1_420_070_400_000);

/// The maximum clock skew between two processes, by which a letter can seem to be sent early.
const SKEW: Span = Span::minutes(1);

/// The channel of letters on Discord.
#[derive(Clone, Debug)]
pub struct Threads {
    pub(crate) api: Api,
    pub(crate) desk: Desk,
    pub(crate) letters: Letters,
    /// The renderer of tables; `None` if tables have no pictures.
    pub(crate) pictures: Option<Arc<Pictures>>,
    /// The lock of the renderer: one picture at a time, so that a storm leaves room for interactions.
    pub(crate) drawing: Arc<Mutex<()>>,
}

/// A message that was sent.
#[derive(Debug, Deserialize)]
struct SentMessage {
    id: MessageId,
    content: String,
    author: SentBy,
}

#[derive(Debug, Deserialize)]
struct SentBy {
    #[serde(default)]
    bot: bool,
}

impl Channel for Threads {
    fn scheme(&self) -> &'static str {
        address::SCHEME
    }

    fn own_address(&self, account: &AccountId) -> Option<Address> {
        address::own_address(account)
    }

    fn patience(&self) -> Duration {
        PATIENCE
    }

    fn overcome_at(&self, address: &Address) -> Vec<Obstacle> {
        obstacle::all_at(address)
    }

    fn send<'a>(
        &'a self,
        outgoing: &'a Outgoing,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<Arrived, Undelivered>> {
        self.carry(outgoing, letter).boxed()
    }
}

impl Threads {
    async fn carry(&self, outgoing: &Outgoing, letter: &Letter) -> Result<Arrived, Undelivered> {
        if outgoing.refused_at.is_some() && self.api.is_refused_often() {
            return Err(Undelivered::Later(LULL));
        }
        let channel = match Destination::parse(&outgoing.address) {
            Some(Destination::Channel(channel)) => channel,
            Some(Destination::User(user)) => {
                return self.carry_to_person(user, outgoing, letter).await;
            }
            None => return Err(Undelivered::Never("no such address".to_owned())),
        };
        let carried = self.carry_to(channel, outgoing, letter).await;
        carried.map_err(|failure| failure.at(&outgoing.address))
    }

    pub(crate) async fn carry_to(
        &self,
        channel: ChannelId,
        outgoing: &Outgoing,
        letter: &Letter,
    ) -> Result<Arrived, SendFailure> {
        let beside = match (letter.seat, &self.pictures) {
            (Some(_), _) => Beside::Nothing,
            (None, None) => Beside::Post,
            (None, Some(_)) => Beside::Picture,
        };
        let reader = letter.reader(self.desk.games()).map_err(Undelivered::from)?;
        let reader = reader.with_stamps().beside(beside);
        let text = match (letter.obstacle(), Destination::parse(&outgoing.address)) {
            (Some(met), _) => obstacle::words(&letter.code, met, false, (&self.letters, &reader))
                .map_err(|fault| Undelivered::Failed(fault.to_string()))?,
            (None, Some(Destination::User(_))) => {
                let thread = self.thread_of(&letter.code).await.map_err(Undelivered::from)?;
                let text = letter.write_to_one(&self.letters, &reader, thread.as_deref());
                text.map_err(Undelivered::from)?
            }
            (None, _) => {
                let text = letter.write_for(&self.letters, &reader).map_err(Unwritten::from);
                text.map_err(Undelivered::from)?
            }
        };
        let mut messages: Vec<Message> =
            split_into_messages(&text).iter().map(|piece| plain(piece)).collect();
        messages.extend(self.calls(letter).await?);
        messages.extend(self.files(letter, &reader).await?);
        let post = match letter.seat {
            None => self.post(letter).await?,
            Some(_) => None,
        };
        if let Some(last) = messages.last_mut().filter(|_| post.is_none()) {
            let row = post::below(letter, &self.letters, &reader);
            let row = row.map_err(|fault| Undelivered::Failed(fault.to_string()))?;
            if !row.is_empty() {
                last.body["components"] = row.into();
            }
        }
        let post = match post {
            Some((body, post)) => {
                messages.push(self.illustrated(body, &letter.report, &reader).await);
                Some(post)
            }
            None => None,
        };
        // An earlier attempt may have sent a part of the letter and died.
        let mut sent = match outgoing.attempts {
            0 => Vec::new(),
            _ => self.sent(channel, outgoing.send_at).await?,
        };
        let about = About { code: &letter.code, place: &outgoing.address, reader: &reader };
        let mut last = None;
        for (at, message) in messages.iter().enumerate() {
            let same =
                |sent: &SentMessage| sent.author.bot && is_same(&sent.content, &message.body);
            last = match sent.iter().position(same) {
                Some(found) => Some(sent.remove(found).id),
                None => Some(self.say(channel, (&outgoing.letter, at), about, message).await?),
            };
        }
        let message = last.map(|id| id.to_string());
        let is_one = messages.len() == 1;
        let follows = (is_one && letter.is_kept_true()).then(|| letter.code.clone());
        let post = match (post, &message) {
            (Some(post), Some(message)) => Some(Post { message: message.clone(), ..post }),
            _ => None,
        };
        Ok(Arrived { message, post, follows, knocked: None })
    }

    /// Mentions the players whom a game master's message addresses, and no others whom it names.
    async fn calls(&self, letter: &Letter) -> Result<Option<Message>, Undelivered> {
        let called = letter.parts.iter().find_map(|part| match part {
            Part::Event(Event::Overridden { what: Override::Say { to, .. }, .. }) => Some(to),
            _ => None,
        });
        let Some(called) = called.filter(|_| letter.seat.is_none()) else { return Ok(None) };
        let accounts = posts::accounts(&mut self.desk.store().read().await?, &letter.code).await?;
        let named = accounts.iter().filter(|(seat, _)| called.contains(seat));
        let users: Vec<UserId> = named.filter_map(|(_, account)| address::user(account)).collect();
        let mentions: Vec<String> = users.iter().map(|user| format!("<@{user}>")).collect();
        let body = json!({
            "content": mentions.join(" "),
            "allowed_mentions": { "parse": [], "users": users },
        });
        Ok((!users.is_empty()).then(|| Message::of(body)))
    }

    /// Returns the id of a table's thread; `None` if the table is in none.
    pub(crate) async fn thread_of(&self, code: &TableCode) -> Result<Option<String>, StoreError> {
        let table = self.desk.store().read().await?.table(code).await?;
        Ok(table.and_then(|table| table.place).as_ref().and_then(address::thread_of))
    }

    /// Sends one message of a letter, or the part of it that Discord accepts. Discord merges repeated
    /// messages for some minutes.
    pub(crate) async fn say(
        &self,
        channel: ChannelId,
        (letter, at): (&str, usize),
        about: About<'_>,
        message: &Message,
    ) -> Result<MessageId, DrawError> {
        // A letter may be announced in several places in turn.
        let nonce = hex::encode(Sha256::digest(format!("{letter} {at} {channel}")));
        let target = Target::New { channel, nonce: nonce[..24].to_owned() };
        self.send_what_is_taken(about, &target, message).await
    }

    /// Unarchives a thread.
    pub(crate) async fn unarchive(&self, thread: ChannelId) -> Result<(), SendError> {
        self.api.edit_channel(thread, &json!({ "archived": false })).await.map(drop)
    }

    /// Adds a picture of the table to a post, if there is a report of the table. The picture is rendered on a
    /// blocking thread.
    pub(crate) async fn illustrated(
        &self,
        mut body: Json,
        report: &Json,
        reader: &Reader,
    ) -> Message {
        let mut files = Vec::new();
        if let Some(pictures) = self.pictures.clone()
            && !report.is_null()
        {
            let (letters, reader) = (self.letters.clone(), reader.clone());
            let report = report.clone();
            let _one = self.drawing.lock().await;
            let draw = move || pictures.draw(&letters, &reader, &report);
            match tokio::task::spawn_blocking(draw).await {
                Ok(Ok(Picture { png, alt })) => {
                    let name = "table.png".to_owned();
                    body["attachments"] =
                        json!([{ "id": "0", "filename": name, "description": alt }]);
                    files.push(Attachment { name, kind: "image/png", bytes: png });
                }
                Ok(Err(fault)) => tracing::error!(%fault, "a table could not be drawn"),
                Err(fault) => tracing::error!(%fault, "the drawing of a table broke down"),
            }
        }
        Message { files, ..Message::of(body) }
    }

    /// Returns the messages of a channel since a time, the oldest first.
    async fn sent(&self, channel: ChannelId, since: Time) -> Result<Vec<SentMessage>, SendError> {
        let millis =
            u64::try_from((since - SKEW - DISCORD_EPOCH).milliseconds()).unwrap_or_default();
        let after = MessageId::new((millis << 22).max(1));
        let mut sent: Vec<SentMessage> = self.api.messages(channel, Some(after), 100).await?;
        sent.sort_by_key(|sent| sent.id);
        Ok(sent)
    }

    /// Returns the table's post, if the letter ends with one.
    async fn post(&self, letter: &Letter) -> Result<Option<(Json, Post)>, Undelivered> {
        let window = letter.parts.iter().find_map(|part| match part {
            Part::Forming => Some(PostedWindow::BeforeFirst),
            Part::Opening { number, .. } => Some(PostedWindow::Number(*number)),
            // The end has a window of its own.
            Part::Event(Event::Over { .. }) => Some(PostedWindow::Over),
            _ => None,
        });
        let Some(window) = window else { return Ok(None) };
        let mut session = self.desk.store().read().await?;
        let shown = session.stirred(&letter.code).await?;
        let sitters = posts::sitters(&mut session, &letter.code).await?;
        drop(session);
        let asked = letter.parts.iter().find_map(|part| match part {
            Part::Opening { asked, .. } => Some(asked.as_slice()),
            _ => None,
        });
        let asked = asked.unwrap_or_default();
        let now = clock::now();
        let sight = desk::see(&self.desk, &letter.code, None, now).await.map_err(unseen)?;
        if post::is_past(&sight, window) {
            return Ok(None);
        }
        let presence = sight.presence();
        let timing = sight.play.as_ref().map(|play| play.timing);
        let is_called = |sitter: &&Sitter| {
            let (zone, settings) = (sight.pace.zone, &sitter.settings);
            let by_post =
                |timing: Timing| settings.is_called_by_post(timing.opens, timing.closes, zone);
            asked.contains(&sitter.seat)
                && presence.waits_for(sitter.seat)
                && timing.is_none_or(by_post)
        };
        let pinged = sitters.iter().filter(is_called);
        let pinged: Vec<UserId> =
            pinged.filter_map(|sitter| address::user(&sitter.account)).collect();
        let (asked, presence, in_words) = (pinged.as_slice(), &presence, self.pictures.is_none());
        let (past, gone) = (false, None);
        let drawing =
            PostDrawing { sight: &sight, window, past, gone, presence, asked, in_words, now };
        let message = post::draw(&drawing, &self.letters);
        let message = message.map_err(|fault| Undelivered::Failed(fault.to_string()))?;
        let code = letter.code.clone();
        Ok(Some((message, Post { code, message: String::new(), window, shown })))
    }
}

/// True if a sent message is this one. Discord trims white space.
fn is_same(sent: &str, message: &Json) -> bool {
    message["content"].as_str().is_some_and(|content| content.trim() == sent.trim())
}
