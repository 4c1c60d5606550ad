//! What somebody says about the table itself: its votes, and who stands in for them.

use super::{Conversation, ConversationError};
use crate::desk::{Balloted, read_ballot};
use crate::store::SubstituteRow;

impl Conversation<'_> {
    /// Proposes something to the table, votes, or shows which votes are open; what came of it, if
    /// the line could be read, and in words.
    pub async fn vote(&self, line: &str) -> Result<(Option<Balloted>, String), ConversationError> {
        let speaker = &self.speaker;
        let ballot = match read_ballot(line, self.sight, speaker.now) {
            Ok(ballot) => ballot,
            Err(fault) => return Ok((None, fault.words(speaker.letters, speaker.reader)?)),
        };
        let code = &self.sight.code;
        let balloted = speaker.desk.ballot(code, speaker.account, &ballot, speaker.now).await?;
        let words = balloted.words(speaker.letters, speaker.reader, self.sight.pace.zone)?;
        Ok((Some(balloted), words))
    }

    /// Who stands in for their seat now.
    pub async fn substitute(&self) -> Result<Option<SubstituteRow>, ConversationError> {
        let (seat, now) = (self.seat()?, self.speaker.now);
        let rows = self.speaker.desk.store().read().await?.substitutes(&self.sight.code).await?;
        Ok(rows.into_iter().find(|row| row.seat == seat && row.until_at > now))
    }
}
