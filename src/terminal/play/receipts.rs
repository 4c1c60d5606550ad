//! What somebody can hold against the house: their value in the seed, their receipts, and
//! the whole table, once it is over.

use super::session::{SessionError, TerminalSession};
use crate::desk::{NotDone, follow};
use crate::letters::Refused;
use crate::rules::dice::Brought;
use crate::time::Time;

impl TerminalSession {
    /// Mixes what follows from these words into the seed for their seat; without any, shows what
    /// they have mixed in.
    pub(super) async fn join(&mut self, words: &str, now: Time) -> Result<String, SessionError> {
        self.seated()?;
        if words.is_empty() {
            return Ok(self.sight.mixed_in(&self.letters, &self.reader, None)?);
        }
        let (code, guest) = (self.sight.code.clone(), self.guest.clone());
        let brought = Brought::read(words).map_err(|_| NotDone::from(Refused::NoPromise))?;
        self.desk.join(&code, guest, brought, now).await?;
        self.refresh(now).await?;
        Ok(self.sight.mixed_in(&self.letters, &self.reader, Some(words))?)
    }

    /// Their receipts, and once the table is over, by what each can be computed again.
    pub(super) async fn receipts(&self, now: Time) -> Result<String, SessionError> {
        let receipts = self.desk.receipts(&self.sight, &self.guest.account, now).await?;
        let mut text = receipts.written(&self.letters, &self.reader, self.zone())?;
        follow(&mut text, &receipts.commands());
        Ok(text)
    }

    /// What comes of playing the table again, once it is over.
    pub(super) async fn verify(&self, now: Time) -> Result<String, SessionError> {
        let code = &self.sight.code;
        let replay = self.desk.verify(code, now).await?;
        Ok(replay.written(&self.letters, &self.reader, code, &[])?)
    }
}
