//! Closing a window, ending a table and leaving a seat: each is asked about once, and carried out on the
//! revision that was shown.

use super::{Conversation, ConversationAnswer, ConversationError, NextStep};
use crate::overrides::host;
use crate::table::form;
use crate::view::see::see_as;
use crate::{Gm, NotDone, Sight};
use letters::{HostLeaves, Refused};
use rules::Seat;
use tables::Stage;

impl Conversation<'_> {
    /// Closes the open window for whoever leads the table: immediately if nobody's time is cut short, or at
    /// the revision that was shown with the question.
    pub async fn close(
        &self,
        asked_at: Option<&str>,
    ) -> Result<ConversationAnswer, ConversationError> {
        let revision = match asked_at {
            Some(revision) => revision,
            None => match self.ask_close()? {
                Some(asked) => return Ok(asked),
                None => &self.sight.revision,
            },
        };
        let speaker = &self.speaker;
        let code = &self.sight.code;
        match host::close(speaker.desk, code, self.gm(), Some(revision), speaker.now).await {
            Err(NotDone::Refused(Refused::MovedOn)) => {}
            closed => return Ok(closed.map(|()| ConversationAnswer::default())?),
        }
        let sight = self.see_again().await?;
        let again = Conversation { sight: &sight, ..*self };
        let shown = match again.ask_close()? {
            Some(asked) => asked,
            None => again.position().await?,
        };
        Ok(shown.below(speaker.refused(Refused::MovedOn, "")?))
    }

    /// `None` if nobody's time would be cut short; otherwise the question, with the people concerned.
    fn ask_close(&self) -> Result<Option<ConversationAnswer>, ConversationError> {
        is_led(self.sight)?;
        let Some(closing) = self.sight.closing(self.speaker.now) else { return Ok(None) };
        let text = self.speaker.letters.write(self.speaker.reader, &closing)?;
        let next_steps = vec![NextStep::Close { revision: self.sight.revision.clone() }];
        Ok(Some(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() }))
    }

    /// Ends the table for whoever leads it, for a reason that may be empty, at the revision that was shown.
    /// If `asked_at` is `None`, shows the loss and asks.
    pub async fn end(
        &self,
        reason: &str,
        asked_at: Option<&str>,
    ) -> Result<ConversationAnswer, ConversationError> {
        let Some(revision) = asked_at else { return self.ask_end(reason) };
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let given_reason = Some(reason).filter(|reason| !reason.is_empty());
        let ended =
            host::end(speaker.desk, code, self.gm(), given_reason, Some(revision), speaker.now);
        match ended.await {
            Err(NotDone::Refused(Refused::MovedOn)) => {
                let sight = self.see_again().await?;
                let asked = Conversation { sight: &sight, ..*self }.ask_end(reason)?;
                Ok(asked.below(speaker.refused(Refused::MovedOn, "")?))
            }
            ended => Ok(ended.map(|()| ConversationAnswer::default())?),
        }
    }

    fn ask_end(&self, reason: &str) -> Result<ConversationAnswer, ConversationError> {
        is_led(self.sight)?;
        let text = self.speaker.letters.write(self.speaker.reader, &self.sight.ending(reason))?;
        let (revision, reason) = (self.sight.revision.clone(), reason.to_owned());
        let next_steps = vec![NextStep::End { revision, reason }];
        Ok(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() })
    }

    /// Leaves the seat before the game begins. A host with other players is asked first, unless `was_asked`.
    pub async fn leave(&self, was_asked: bool) -> Result<ConversationAnswer, ConversationError> {
        let (speaker, sight) = (&self.speaker, self.sight);
        let is_other = |seat: &Seat| Some(*seat) != sight.seat;
        let others: Vec<Seat> = sight.taken.iter().copied().filter(is_other).collect();
        let is_sitting = sight.seat.is_some_and(|seat| sight.taken.contains(&seat));
        let leads_others = sight.is_host && is_sitting && !others.is_empty();
        if leads_others && sight.stage == Stage::Forming && !was_asked {
            let leaves = HostLeaves { code: &sight.code, others };
            let text = speaker.letters.write(speaker.reader, &leaves)?;
            let next_steps = vec![NextStep::Leave];
            return Ok(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() });
        }
        form::leave(speaker.desk, &sight.code, speaker.account, speaker.now).await?;
        Ok(ConversationAnswer::default())
    }

    async fn see_again(&self) -> Result<Sight, NotDone> {
        let speaker = &self.speaker;
        see_as(speaker.desk, &self.sight.code, &self.gm(), speaker.now).await
    }

    fn gm(&self) -> Gm {
        self.sight.gm.clone().unwrap_or_else(|| self.speaker.account.into())
    }
}

fn is_led(sight: &Sight) -> Result<(), Refused> {
    match sight.stage {
        _ if !sight.leads => Err(Refused::NotLeader),
        Stage::Over => Err(Refused::Over),
        Stage::Forming | Stage::Playing => Ok(()),
    }
}
