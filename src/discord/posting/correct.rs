//! Corrections of sent reminders: a reminder shows what is missing now, and has no buttons once nothing is.

use serde_json::{Value as Json, json};
use serenity::all::MessageId;

use crate::address::Destination;
use crate::api::Refusal;
use crate::bot::obstacle;
use crate::posting::channel::Threads;
use crate::posting::failure::DrawError;
use crate::posting::post;
use desk::{Letter, clock};
use letters::AboutTable;
use letters::discord::SettledSince;
use store::{Dated, read_json, write_json};

impl Threads {
    /// Updates a letter to the present state, and returns its content as JSON; `None` if it will not change
    /// any more.
    pub(crate) async fn correct(&self, dated: &Dated) -> Result<Option<String>, DrawError> {
        let sent: Letter = read_json(&dated.body)?;
        let current = desk::as_of(&self.desk, &sent, clock::now()).await?;
        let now = current.of(&sent);
        if now.is_some_and(|now| now.tells_as(&sent)) {
            return Ok(Some(dated.body.clone()));
        }
        match (&dated.knocked, now) {
            // The reader is shown the present state when they open the letter.
            (Some(_), Some(_)) => {}
            (Some(_), None) => self.update_ping(&dated.knock(), &sent).await?,
            (None, _) => {
                let (content, components) = self.said_now(&sent, now).await?;
                let message = json!({
                    "content": content,
                    "components": components,
                    "allowed_mentions": { "parse": [] },
                });
                if !self.correct_message(dated, &message).await? {
                    return Ok(None);
                }
            }
        }
        Ok(now.map(write_json).transpose()?)
    }

    /// Returns the text of a letter to one person in the present state, and its buttons.
    pub(crate) async fn said_now(
        &self,
        sent: &Letter,
        now: Option<&Letter>,
    ) -> Result<(String, Vec<Json>), DrawError> {
        let reader = sent.reader(self.desk.games())?.with_stamps();
        if let Some(met) = sent.obstacle() {
            let writing = (&self.letters, &reader);
            return Ok((obstacle::words(&sent.code, met, now.is_none(), writing)?, Vec::new()));
        }
        let thread = self.thread_of(&sent.code).await?;
        if let Some(now) = now {
            let row = post::below(now, &self.letters, &reader)?;
            return Ok((now.write_to_one(&self.letters, &reader, thread.as_deref())?, row));
        }
        let about = self
            .letters
            .write(&reader, &AboutTable { code: &sent.code, thread: thread.as_deref() })?;
        let settled = self.letters.write(&reader, &SettledSince {})?;
        Ok((format!("{about}\n{settled}"), Vec::new()))
    }

    /// Edits the message of a letter. Returns false if the message is gone.
    async fn correct_message(&self, dated: &Dated, body: &Json) -> Result<bool, DrawError> {
        let Ok(message) = dated.message.parse::<MessageId>() else { return Ok(false) };
        let channel = match Destination::parse(&dated.address) {
            Some(Destination::Channel(channel)) => channel,
            Some(Destination::User(user)) => self.api.direct(user).await?,
            None => return Ok(false),
        };
        match self.api.edit(channel, message, body, Vec::new()).await {
            Err(unsent) if unsent.refusal().is_some_and(is_for_good) => Ok(false),
            edited => Ok(edited.map(|_| true)?),
        }
    }
}

/// True if the message can never be edited any more.
const fn is_for_good(refusal: Refusal) -> bool {
    matches!(refusal, Refusal::UnknownMessage | Refusal::UnknownChannel | Refusal::CannotSendToUser)
}
