//! What ends something is asked about once, and done on what was shown: to close a window now, and to
//! end a table.

use super::{Conversation, ConversationAnswer, ConversationError, NextStep};
use crate::{NotDone, Sight};
use letters::Refused;
use tables::Stage;

impl Conversation<'_> {
    /// The host closes the open window: at once where nobody's time is cut short, or as they were
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
        match speaker.desk.close(code, speaker.account, Some(revision), speaker.now).await {
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
        is_hosts(self.sight)?;
        let Some(closing) = self.sight.closing(self.speaker.now) else { return Ok(None) };
        let text = self.speaker.letters.write(self.speaker.reader, &closing)?;
        let next_steps = vec![NextStep::Close { revision: self.sight.revision.clone() }];
        Ok(Some(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() }))
    }

    /// The host ends the table for this reason, which may be empty, as they were asked at this
    /// revision of it; or says what would be lost, and asks.
    pub async fn end(
        &self,
        reason: &str,
        asked_at: Option<&str>,
    ) -> Result<ConversationAnswer, ConversationError> {
        let Some(revision) = asked_at else { return self.ask_end(reason) };
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let said = Some(reason).filter(|reason| !reason.is_empty());
        let ended = speaker.desk.end(code, speaker.account, said, Some(revision), speaker.now);
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
        is_hosts(self.sight)?;
        let text = self.speaker.letters.write(self.speaker.reader, &self.sight.ending(reason))?;
        let (revision, reason) = (self.sight.revision.clone(), reason.to_owned());
        let next_steps = vec![NextStep::End { revision, reason }];
        Ok(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() })
    }

    async fn see_again(&self) -> Result<Sight, NotDone> {
        let speaker = &self.speaker;
        speaker.desk.see(&self.sight.code, speaker.account, speaker.now).await
    }
}

fn is_hosts(sight: &Sight) -> Result<(), Refused> {
    match sight.stage {
        _ if !sight.is_host => Err(Refused::NotHost),
        Stage::Over => Err(Refused::Over),
        Stage::Forming | Stage::Playing => Ok(()),
    }
}
