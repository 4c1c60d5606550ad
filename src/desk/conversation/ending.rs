//! What ends something is asked about once, and done on what was shown: to close a window now, and to
//! end a table.

use super::{Conversation, ConversationAnswer, ConversationError, NextStep};
use crate::{Gm, NotDone, Sight};
use letters::{HostLeaves, Refused};
use rules::Seat;
use tables::Stage;

impl Conversation<'_> {
    /// Whoever leads the table closes the open window: at once where nobody's time is cut short, or as they were
    /// asked at this revision of the table.
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
        match speaker.desk.close(code, self.gm(), Some(revision), speaker.now).await {
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

    /// Says whose time would be cut short, and asks; nothing if it is nobody's.
    fn ask_close(&self) -> Result<Option<ConversationAnswer>, ConversationError> {
        is_led(self.sight)?;
        let Some(closing) = self.sight.closing(self.speaker.now) else { return Ok(None) };
        let text = self.speaker.letters.write(self.speaker.reader, &closing)?;
        let next_steps = vec![NextStep::Close { revision: self.sight.revision.clone() }];
        Ok(Some(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() }))
    }

    /// Whoever leads the table ends it for this reason, which may be empty, as they were asked at this
    /// revision of it; or says what would be lost, and asks.
    pub async fn end(
        &self,
        reason: &str,
        asked_at: Option<&str>,
    ) -> Result<ConversationAnswer, ConversationError> {
        let Some(revision) = asked_at else { return self.ask_end(reason) };
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let said = Some(reason).filter(|reason| !reason.is_empty());
        let ended = speaker.desk.end(code, self.gm(), said, Some(revision), speaker.now);
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

    /// They leave their seat before the game begins. The host of others is asked first to whom the
    /// table goes, unless they were.
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
        speaker.desk.leave(&sight.code, speaker.account, speaker.now).await?;
        Ok(ConversationAnswer::default())
    }

    async fn see_again(&self) -> Result<Sight, NotDone> {
        let speaker = &self.speaker;
        speaker.desk.see_as(&self.sight.code, &self.gm(), speaker.now).await
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
