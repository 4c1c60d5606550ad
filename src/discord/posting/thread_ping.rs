//! Pings in a table's thread for people who take no direct messages; a button there shows them the letter
//! privately.

use serde_json::{Value as Json, json};
use serenity::all::{ChannelId, MessageId, UserId};

use crate::address::Destination;
use crate::api::{Refusal, SendError};
use crate::bot::obstacle::{self, undelivered};
use crate::controls::buttons;
use crate::controls::control::Control;
use crate::posting::channel::Threads;
use crate::posting::failure::{DrawError, SendFailure};
use crate::posting::message::{About, Message};
use desk::courier::Undelivered;
use desk::{Letter, clock};
use letters::discord::PingedInThread;
use letters::panel::Style;
use letters::{LetterFault, Letters, Reader};
use store::{Arrived, Barrier, Knock, Outgoing, obstacles};

impl Threads {
    /// Sends a letter to a person directly. If Discord refuses, pings the person in their table's thread and
    /// notifies its host.
    pub(crate) async fn carry_to_person(
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
                    desk::unbar(&self.desk, barrier, obstacle::all_at(&outgoing.address)).await?;
                }
                return Ok(arrived);
            }
            Err(SendFailure::Unsent(unsent)) => match unsent.refusal() {
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
            self.meet(&letter.code, obstacle::unreachable(&outgoing.address), now).await?;
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
            Err(SendFailure::Unsent(unsent)) if unsent.refusal().is_some() => Err(dropped()),
            Err(failure) => Err(failure.at(&outgoing.address)),
            Ok(arrived) => Ok(arrived),
        }
    }

    /// Pings a person in the thread about a letter that cannot be delivered.
    pub(crate) async fn ping_in_thread(
        &self,
        outgoing: &Outgoing,
        letter: &Letter,
        user: UserId,
    ) -> Result<Arrived, Undelivered> {
        if letter.obstacle().is_some() {
            // The thread may be the very place with the obstacle.
            return Err(obstacle::closed(&outgoing.address));
        }
        let table = self.desk.store().read().await?.table(&letter.code).await?;
        let place = table.and_then(|table| table.place).unwrap_or_default();
        let Some(Destination::Channel(channel)) = Destination::parse(&place) else {
            return Err(obstacle::closed(&outgoing.address));
        };
        let reader = letter.reader(self.desk.games())?.with_stamps();
        let body = call(&outgoing.letter, user, false, (&self.letters, &reader))
            .map_err(|fault| Undelivered::Failed(fault.to_string()))?;
        let about = About { code: &letter.code, place: &place, reader: &reader };
        let sent = self.say(channel, (&outgoing.letter, 0), about, &Message::of(body)).await;
        let sent = sent.map_err(|error| SendFailure::from(error).at(&place))?;
        let follows = letter.is_kept_true().then(|| letter.code.clone());
        let (message, knocked) = (Some(sent.to_string()), Some(place));
        Ok(Arrived { message, post: None, follows, knocked })
    }

    /// Takes a ping back: all of the person's letters are read or outdated.
    pub(crate) async fn update_ping(
        &self,
        knock: &Knock,
        letter: &Letter,
    ) -> Result<(), DrawError> {
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
    let place = knock.place.as_ref().and_then(Destination::parse);
    let message = knock.message.as_deref().and_then(|id| id.parse().ok());
    match (place, message) {
        (Some(Destination::Channel(channel)), Some(message)) => Some((channel, message)),
        _ => None,
    }
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
