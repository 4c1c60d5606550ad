//! The player's own data: their tables, their settings, and their words in the seed.

use super::session::TerminalSession;
use desk::conversation::{ConversationError, join, names_chair};
use desk::{Mine, Sight};
use letters::SeatRefused;
use tables::PersonSettings;
use tables::ids::Address;
use tables::time::Time;

impl TerminalSession {
    /// Shows the player's tables, the soonest deadline first, and how reliably they declare.
    pub(super) async fn my(&self, now: Time) -> Result<String, ConversationError> {
        let line = |mine: &Mine| {
            let reader = mine.sight.reader(self.guest.language).in_plain_text();
            mine.sight.line_of_own(&self.letters, &reader, None)
        };
        Ok(self.speaker(now).my(line).await?.written())
    }

    /// Changes or shows the player's settings for all of their tables: the time zone, and when and how to
    /// call them.
    pub(super) async fn me(&mut self, line: &str, now: Time) -> Result<String, ConversationError> {
        let change = |settings: PersonSettings| {
            if line.is_empty() { Ok(settings) } else { settings.read(line) }
        };
        let text = self.speaker(now).me(change).await?.written();
        self.refresh(now).await?;
        Ok(text)
    }

    /// Shows the tables that the person hosts or is a game master of.
    pub(super) async fn dashboard(&self, now: Time) -> Result<String, ConversationError> {
        let dashboard = desk::dashboard(&self.desk, &self.guest.account, None, now).await?;
        let lang = self.guest.language;
        let reader_of = |sight: &Sight| sight.reader(lang).in_plain_text();
        let (letters, nowhere) = (&self.letters, |_: &Address| None);
        Ok(dashboard.written(letters, reader_of, &self.reader, nowhere, usize::MAX)?)
    }

    /// Mixes words into the seed for the player's seat, or moves the player to the named chair; without
    /// words, shows those mixed in.
    pub(super) async fn join(
        &mut self,
        words: &str,
        now: Time,
    ) -> Result<String, ConversationError> {
        let own = self.sight.seated()?;
        if words.is_empty() {
            return Ok(self.sight.mixed_in(&self.letters, &self.reader, None)?);
        }
        let (code, guest) = (self.sight.code.clone(), self.guest.clone());
        if names_chair(words) {
            let chair = self.sight.chair(words)?;
            if chair == own {
                return self.refuse(SeatRefused::OwnChair(own), words);
            }
            join(&self.desk, &code, guest, (None, Some(chair)), now).await?;
            self.refresh(now).await?;
            return Ok(self.sight.forming(&self.letters, &self.reader)?);
        }
        join(&self.desk, &code, guest, (Some(words), None), now).await?;
        self.refresh(now).await?;
        Ok(self.sight.mixed_in(&self.letters, &self.reader, Some(words))?)
    }
}
