//! A table that is over is played again, and whoever asked is told what came of it.

use super::{Ears, Unanswered};
use crate::clock;
use crate::discord::answer::Answer;
use crate::discord::incoming::Incoming;

impl Ears {
    /// Plays a table again that is over.
    pub(super) async fn verify(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<Answer, Unanswered> {
        let (_, reader) = self.see(incoming, code).await?;
        let replay = self.desk.verify(code, clock::now()).await?;
        Ok(Answer::words(replay.written(&self.letters, &reader, code)?))
    }
}
