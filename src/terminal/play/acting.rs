//! What a person does at once, before everybody's eyes.

use super::sitting::{Broken, Sitting};
use crate::letters::Unread;
use crate::rules::Declaration;
use crate::rules::text;

impl Sitting {
    /// Whether all that can be said in the open window is said openly.
    pub(super) fn only_acts(&self) -> bool {
        self.sight.form(&Declaration::default()).asked.is_empty() && self.can_act()
    }

    /// Whether there is anything that they can do at once.
    pub(super) fn can_act(&self) -> bool {
        !self.sight.acting(&Declaration::default()).asked.is_empty()
    }

    /// Does what a line says, or shows what can be done.
    pub(super) async fn act(&mut self, line: &str, now: i64) -> Result<String, Broken> {
        self.seated()?;
        self.playing()?;
        if let Some(shut) = self.shut()? {
            return Ok(shut);
        }
        let reading = self.read_act(line);
        let unread = Unread::of(&reading);
        let said = reading.declaration;
        let found = self.sight.acting(&said);
        if !found.faults.is_empty() {
            return Ok(self.letters.faults(&self.reader, &found.faults)?);
        }
        let is_open = found.open().next().is_some();
        if said.is_empty() || is_open || !unread.is_empty() {
            return Ok(self.letters.acts(&self.reader, &found, &unread)?);
        }
        let acted = self.desk.act(&self.sight.code, &self.guest.account, &said, now).await?;
        self.refresh(now).await?;
        if acted.entries.is_empty() {
            return Ok(String::new());
        }
        let report = self.playing()?.contest.report(self.sight.viewer());
        Ok(self.letters.acted(&self.reader, &acted.entries, &report)?)
    }

    /// Reads a line over what can be done; it may leave out the heading.
    fn read_act(&self, line: &str) -> text::Reading {
        let read = |text: &str| {
            let form = |said: &Declaration| self.sight.acting(said);
            text::read(text, &Declaration::default(), &form, &self.words)
        };
        let plain = read(line);
        let first = self.sight.acting(&Declaration::default()).asked.into_iter().next();
        let Some(key) = first.map(|asked| asked.question.key) else { return plain };
        if !plain.declaration.is_empty() && plain.misread.is_empty() {
            return plain;
        }
        let mark = self.words.lexicon().mark(&key.section, self.reader.lang);
        let under = read(&format!("{}: {line}", mark.unwrap_or(&key.section)));
        if under.misread.len() <= plain.misread.len() { under } else { plain }
    }
}
