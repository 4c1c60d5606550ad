//! Votes of the table: what is proposed, and what somebody says about it.

use super::session::{SessionError, TerminalSession};
use crate::desk::{read_ballot, words_of_votes};
use crate::rules::text::Completion;
use crate::time::Time;

impl TerminalSession {
    /// Proposes something to the table, votes, or shows which votes are open.
    pub(super) async fn vote(&mut self, said: &str, now: Time) -> Result<String, SessionError> {
        let ballot = match read_ballot(said, &self.sight, now) {
            Ok(ballot) => ballot,
            Err(fault) => return Ok(fault.words(&self.letters, &self.reader)?),
        };
        let (code, account) = (&self.sight.code, &self.guest.account);
        let balloted = self.desk.ballot(code, account, &ballot, now).await?;
        Ok(balloted.words(&self.letters, &self.reader, self.zone())?)
    }

    /// What may come next behind the word for a vote.
    pub(super) fn complete_vote(&self, line: &str, said: &str) -> Vec<Completion> {
        let start = line.len() - said.len();
        let words = words_of_votes(self.reader.lang).filter(|word| word.starts_with(said));
        words.map(|word| Completion { start, text: word.to_owned() }).collect()
    }
}
