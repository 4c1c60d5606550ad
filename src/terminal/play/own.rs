//! One's own tables, and how one has kept their windows.

use super::session::{SessionError, TerminalSession};
use crate::desk::{Mine, Sight};
use crate::time::Time;

impl TerminalSession {
    /// Their tables, the soonest deadline first, and how they have kept their windows.
    pub(super) async fn my(&self, now: Time) -> Result<String, SessionError> {
        let (account, lang) = (&self.guest.account, self.guest.language);
        let line = |mine: &Mine| {
            let reader = mine.sight.reader(lang).in_plain_text();
            mine.sight.line_of_own(&self.letters, &reader, None)
        };
        let tables = self.desk.mine(account, now).await?;
        let tables = tables.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        let kept = self.desk.reputation(account, now).await?;
        Ok(self.letters.my(&self.reader, &tables, [kept.lately, kept.long])?)
    }

    /// The tables that are theirs or where they are a game master.
    pub(super) async fn dashboard(&self, now: Time) -> Result<String, SessionError> {
        let dashboard = self.desk.dashboard(&self.guest.account, None, now).await?;
        let lang = self.guest.language;
        let reader_of = |sight: &Sight| sight.reader(lang).in_plain_text();
        let (letters, nowhere) = (&self.letters, |_: &str| None);
        Ok(dashboard.written(letters, reader_of, &self.reader, nowhere, usize::MAX)?)
    }
}
