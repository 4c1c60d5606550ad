//! What a person does at once, before everybody's eyes.

use super::sitting::{Broken, Sitting};
use crate::letters::Unread;
use crate::rules::Declaration;

impl Sitting {
    /// Whether all that can be said in the open window is said openly.
    pub(super) fn only_acts(&self) -> bool {
        self.sight.form(&Declaration::default()).asked.is_empty() && self.can_act()
    }

    /// Whether there is anything that they can do at once.
    pub(super) fn can_act(&self) -> bool {
        self.sight.acting(&Declaration::default()).is_asking()
    }

    /// What they can do at once, below what could not be read.
    pub(super) fn acts(&self, unread: &[Unread]) -> Result<String, Broken> {
        let found = self.sight.acting(&Declaration::default());
        let examples = self.sight.acts(self.reader.lang);
        Ok(self.letters.acts(&self.reader, &found, unread, &examples)?)
    }

    /// Does what a line says, or shows what can be done.
    pub(super) async fn act(&mut self, line: &str, now: i64) -> Result<String, Broken> {
        self.seated()?;
        self.playing()?;
        if let Some(shut) = self.shut()? {
            return Ok(shut);
        }
        let reading = self.sight.read_act(line);
        let unread = Unread::of(&reading);
        let said = reading.declaration;
        let found = self.sight.acting(&said);
        if !found.faults.is_empty() {
            return Ok(self.letters.faults(&self.reader, &found.faults)?);
        }
        let is_open = found.open().next().is_some();
        if said.is_empty() {
            return self.acts(&unread);
        }
        if is_open || !unread.is_empty() {
            return Ok(self.letters.acts(&self.reader, &found, &unread, &[])?);
        }
        let acted = self.desk.act(&self.sight.code, &self.guest.account, &said, now).await?;
        self.refresh(now).await?;
        if acted.entries.is_empty() {
            return Ok(String::new());
        }
        let report = self.playing()?.contest.report(self.sight.viewer());
        Ok(self.letters.acted(&self.reader, &acted.entries, &report)?)
    }
}
