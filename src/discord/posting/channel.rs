//! The delivery of the courier's letters to threads and direct conversations, each letter once.
//!
//! The split of long letters into messages: never inside a line that fits into one, nor inside a mention or a
//! timestamp.
//!
//! Pings in a table's thread for people who take no direct messages; a button there shows them the letter
//! privately.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use serenity::all::{ChannelId, MessageId, UserId};
use sha2::{Digest, Sha256};

use crate::api::{Attachment, Refusal};
use crate::bot::permissions;
use crate::bot::permissions::undelivered;
use crate::controls::{Control, buttons};
use crate::incoming::{Destination, channel_of, message_at};
use crate::posting::post::PostDrawing;
use crate::posting::refused::{Result, Threads, plain};
use crate::posting::{About, DrawError, Message, Target, post};
use crate::{SendError, incoming};
use desk::courier::{Channel, Undelivered};
use desk::{Event, Letter, Obstacle, Override, Part, Unwritten, clock};
use letters::discord::PingedInThread;
use letters::panel::Style;
use letters::picture::Picture;
use letters::{Beside, LetterFault, Letters, Reader};
use store::{
    Arrived, Barrier, Knock, Outgoing, Post, PostedWindow, Sitter, StoreError, obstacles, posts,
};
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
        incoming::SCHEME
    }

    fn own_address(&self, account: &AccountId) -> Option<Address> {
        incoming::own_address(account)
    }

    fn patience(&self) -> Duration {
        PATIENCE
    }

    fn overcome_at(&self, address: &Address) -> Vec<Obstacle> {
        permissions::all_at(address)
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

    async fn carry_to(
        &self,
        channel: ChannelId,
        outgoing: &Outgoing,
        letter: &Letter,
    ) -> Result<Arrived> {
        let beside = match (letter.seat, &self.pictures) {
            (Some(_), _) => Beside::Nothing,
            (None, None) => Beside::Post,
            (None, Some(_)) => Beside::Picture,
        };
        let reader = letter.reader(self.desk.games())?.with_stamps().beside(beside);
        let text = match (letter.obstacle(), Destination::parse(&outgoing.address)) {
            (Some(met), _) => {
                permissions::words(&letter.code, met, false, (&self.letters, &reader))?
            }
            (None, Some(Destination::User(_))) => {
                let thread = self.thread_of(&letter.code).await?;
                letter.write_to_one(&self.letters, &reader, thread.as_deref())?
            }
            (None, _) => letter.write_for(&self.letters, &reader).map_err(Unwritten::from)?,
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
            let row = post::below(letter, &self.letters, &reader)?;
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
        let users: Vec<UserId> = named.filter_map(|(_, account)| incoming::user(account)).collect();
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
        Ok(table.and_then(|table| table.place).as_ref().and_then(incoming::thread_of))
    }

    /// Sends one message of a letter, or the part of it that Discord accepts. Discord merges repeated
    /// messages for some minutes.
    pub(crate) async fn say(
        &self,
        channel: ChannelId,
        (letter, at): (&str, usize),
        about: About<'_>,
        message: &Message,
    ) -> Result<MessageId> {
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
    async fn post(&self, letter: &Letter) -> Result<Option<(Json, Post)>> {
        let window = letter.parts.iter().find_map(|part| match part {
            Part::Forming => Some(PostedWindow::BeforeFirst),
            Part::Opening { number, .. } => Some(PostedWindow::Number(*number)),
            // The end has a window of its own.
            Part::Event(Event::Over { .. }) => Some(PostedWindow::Over),
            _ => None,
        });
        let Some(window) = window else { return Ok(None) };
        let mut session = self.desk.store().read().await?;
        let shown = store::tables::stirred(&mut session, &letter.code).await?;
        let sitters = posts::sitters(&mut session, &letter.code).await?;
        drop(session);
        let asked = letter.parts.iter().find_map(|part| match part {
            Part::Opening { asked, .. } => Some(asked.as_slice()),
            _ => None,
        });
        let asked = asked.unwrap_or_default();
        let now = clock::now();
        let sight = desk::see(&self.desk, &letter.code, None, now).await?;
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
            pinged.filter_map(|sitter| incoming::user(&sitter.account)).collect();
        let (asked, presence, in_words) = (pinged.as_slice(), &presence, self.pictures.is_none());
        let (past, gone) = (false, None);
        let drawing =
            PostDrawing { sight: &sight, window, past, gone, presence, asked, in_words, now };
        let message = post::draw(&drawing, &self.letters)?;
        let code = letter.code.clone();
        Ok(Some((message, Post { code, message: String::new(), window, shown })))
    }
}

/// True if a sent message is this one. Discord trims white space.
fn is_same(sent: &str, message: &Json) -> bool {
    message["content"].as_str().is_some_and(|content| content.trim() == sent.trim())
}

/// The maximum length of a message, in UTF-16 units, as Discord counts.
const MOST: usize = 2000;

/// Splits a letter into messages. Blank lines between two messages are left out.
pub(crate) fn split_into_messages(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    for line in text.lines().flat_map(parts) {
        if long(&piece) + long(line) + 1 > MOST {
            pieces.push(std::mem::take(&mut piece));
        }
        piece.push_str(line);
        piece.push('\n');
    }
    pieces.push(piece);
    pieces
        .into_iter()
        .map(|piece| piece.trim_end().trim_start_matches('\n').to_owned())
        .filter(|piece| !piece.is_empty())
        .collect()
}

fn long(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Returns a line, or the parts of a line that is too long for a message, each ending outside of mentions,
/// and at a space if there is one.
fn parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    while long(rest) >= MOST {
        let mut units = 0;
        let fits = |c: char| {
            units += c.len_utf16();
            units < MOST
        };
        let most = rest.len() - rest.trim_start_matches(fits).len();
        let head = &rest[..most];
        let whole = match head.rfind('<') {
            Some(open) if open > 0 && !head[open..].contains('>') => open,
            _ => most,
        };
        let blank = head[..whole].rfind(' ').map_or(whole, |at| at + 1);
        let (part, after) = rest.split_at(blank);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

impl Threads {
    /// Sends a letter to a person directly. If Discord refuses, pings the person in their table's thread and
    /// notifies its host.
    async fn carry_to_person(
        &self,
        user: UserId,
        outgoing: &Outgoing,
        letter: &Letter,
    ) -> Result<Arrived, Undelivered> {
        if letter.is_of_side() {
            return self.carry_to_partner(user, outgoing, letter).await;
        }
        if letter.in_thread && self.thread_of(&letter.code).await?.is_some() {
            return self.ping_in_thread(outgoing, letter, user).await;
        }
        let barrier = Barrier::direct(&outgoing.address);
        let waits = obstacles::until(&mut self.desk.store().read().await?, &barrier).await?;
        let now = clock::now();
        if waits.is_some_and(|until| now < until || self.api.is_refused_often()) {
            return self.ping_in_thread(outgoing, letter, user).await;
        }
        let written = match self.api.direct(user).await {
            Ok(conversation) => self.carry_to(conversation, outgoing, letter).await,
            Err(unsent) => Err(unsent.into()),
        };
        let refusal = match written {
            Ok(arrived) => {
                self.api.note_flagged(false);
                if waits.is_some() {
                    desk::unbar(&self.desk, barrier, permissions::all_at(&outgoing.address), now)
                        .await?;
                }
                return Ok(arrived);
            }
            Err(DrawError::Unsent(unsent)) => match unsent.refusal() {
                Some(refusal) => refusal,
                None => return Err(undelivered(&unsent, &outgoing.address)),
            },
            Err(failure) => return Err(failure.at(&outgoing.address)),
        };
        self.bar(barrier, now).await?;
        if refusal == Refusal::Flagged {
            self.api.note_flagged(true);
        }
        let called = self.ping_in_thread(outgoing, letter, user).await?;
        // The rate limit of new conversations is not a fault of the person's.
        if refusal != Refusal::DirectMessagesTooFast {
            self.meet(&letter.code, permissions::unreachable(&outgoing.address), now).await?;
        }
        Ok(called)
    }

    /// Sends a letter that is private to one side directly to its reader. If Discord refuses, the letter is
    /// dropped without a ping or a notice to the host, which would reveal the letter to others; the reader
    /// sees the content on their panel.
    async fn carry_to_partner(
        &self,
        user: UserId,
        outgoing: &Outgoing,
        letter: &Letter,
    ) -> Result<Arrived, Undelivered> {
        let dropped = || Undelivered::Never("its reader takes no direct messages".to_owned());
        let barrier = Barrier::direct(&outgoing.address);
        if obstacles::until(&mut self.desk.store().read().await?, &barrier).await?.is_some() {
            return Err(dropped());
        }
        let written = match self.api.direct(user).await {
            Ok(conversation) => self.carry_to(conversation, outgoing, letter).await,
            Err(unsent) => Err(unsent.into()),
        };
        match written {
            Err(DrawError::Unsent(unsent)) if unsent.refusal().is_some() => Err(dropped()),
            Err(failure) => Err(failure.at(&outgoing.address)),
            Ok(arrived) => Ok(arrived),
        }
    }

    /// Pings a person in the thread about a letter that cannot be delivered.
    async fn ping_in_thread(
        &self,
        outgoing: &Outgoing,
        letter: &Letter,
        user: UserId,
    ) -> Result<Arrived, Undelivered> {
        if letter.obstacle().is_some() {
            // The thread may be the very place with the obstacle.
            return Err(permissions::closed(&outgoing.address));
        }
        let table = self.desk.store().read().await?.table(&letter.code).await?;
        let place = table.and_then(|table| table.place).unwrap_or_default();
        let Some(channel) = channel_of(&place) else {
            return Err(permissions::closed(&outgoing.address));
        };
        let reader = letter.reader(self.desk.games())?.with_stamps();
        let body = call(&outgoing.letter, user, false, (&self.letters, &reader))
            .map_err(|fault| Undelivered::Failed(fault.to_string()))?;
        let about = About { code: &letter.code, place: &place, reader: &reader };
        let sent = self.say(channel, (&outgoing.letter, 0), about, &Message::of(body)).await;
        let sent = sent.map_err(|error| error.at(&place))?;
        let follows = letter.is_kept_true().then(|| letter.code.clone());
        let (message, knocked) = (Some(sent.to_string()), Some(place));
        Ok(Arrived { message, post: None, follows, knocked })
    }

    /// Takes a ping back: all of the person's letters are read or outdated.
    pub(crate) async fn update_ping(&self, knock: &Knock, letter: &Letter) -> Result {
        let Some((channel, message)) = stands_at(knock) else { return Ok(()) };
        let Some(Destination::User(user)) = Destination::parse(&knock.address) else {
            return Ok(());
        };
        let reader = letter.reader(self.desk.games())?.with_stamps();
        let body = call(&knock.letter, user, true, (&self.letters, &reader))?;
        let place = knock.place.clone().unwrap_or_default();
        let about = About { code: &letter.code, place: &place, reader: &reader };
        self.edit((channel, message), about, &Message::of(body)).await.map(drop)
    }
}

impl Threads {
    /// Deletes a ping.
    pub(crate) async fn delete_ping(&self, knock: &Knock) -> Result<(), SendError> {
        match stands_at(knock) {
            Some((channel, message)) => self.api.delete(channel, message).await,
            None => Ok(()),
        }
    }
}

/// Returns the channel and the message of a ping.
fn stands_at(knock: &Knock) -> Option<(ChannelId, MessageId)> {
    message_at(knock.place.as_ref()?, knock.message.as_deref()?)
}

/// Returns the message of a ping, or its text after the person has come.
fn call(
    id: &str,
    user: UserId,
    read: bool,
    (letters, reader): (&Letters, &Reader),
) -> Result<Json, LetterFault> {
    let ping = PingedInThread { user: user.to_string(), read };
    let control = Control::Letter { letter: id.to_owned() };
    let style = if read { Style::Plain } else { Style::Main };
    let mentioned = if read { Vec::new() } else { vec![user] };
    Ok(json!({
        "content": letters.write(reader, &ping)?,
        "components": buttons::one(letters, reader, "read", style, &control)?,
        "allowed_mentions": { "parse": [], "users": mentioned },
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_letter_is_cut_between_lines() {
        let line = "あ".repeat(900);
        let text = format!("{line}\n{line}\n\n{line}\n");
        assert_eq!(split_into_messages(&text), [format!("{line}\n{line}"), line]);
        assert_eq!(split_into_messages(""), [""; 0]);
    }

    #[test]
    fn a_mention_is_never_cut() {
        let text = format!("{}<@1234567890>{}", "x".repeat(1995), "y".repeat(100));
        let cut = split_into_messages(&text);
        assert_eq!(cut.concat(), text);
        assert!(cut[1].starts_with("<@1234567890>"));
    }

    proptest! {
        #[test]
        fn every_piece_fits_and_nothing_is_lost(text in "([あ-んa-z🎬 <>]{0,700}\n?){0,12}") {
            let cut = split_into_messages(&text);
            prop_assert!(cut.iter().all(|piece| long(piece) <= MOST && !piece.is_empty()));
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&cut.concat()), letters(&text));
        }
    }
}
