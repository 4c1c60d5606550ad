//! What a person does at once, before everybody's eyes.

use super::remembered::ActsShown;
use super::session::TerminalSession;
use desk::conversation::{ConversationError, NextStep, SaidAct};
use letters::{DeclarationRefused, FaultLines, UnreadPiece};
use rules::Declaration;
use tables::time::Time;

impl TerminalSession {
    /// True if all that can be said in the open window is said openly.
    pub(super) fn only_acts(&self) -> bool {
        self.sight.form(&Declaration::default()).asked.is_empty() && self.can_act()
    }

    /// True if there is anything that they can do at once.
    pub(super) fn can_act(&self) -> bool {
        self.sight.acting(&Declaration::default()).is_asking()
    }

    /// What they can do at once, below what could not be read.
    pub(super) fn acts(&self, unread: &[UnreadPiece]) -> Result<String, ConversationError> {
        let found = self.sight.acting(&Declaration::default());
        let examples = self.sight.acts(self.reader.lang);
        Ok(self.letters.acts(&self.reader, &found, unread, &examples)?)
    }

    /// Does what a line says, or shows what can be done. If nothing of it can be read, this command
    /// may have been meant.
    pub(super) async fn act(
        &mut self,
        line: &str,
        meant: Option<&str>,
        now: Time,
    ) -> Result<String, ConversationError> {
        self.sight.seated()?;
        self.sight.playing()?;
        if let Some(shut) = self.shut()? {
            return Ok(shut);
        }
        if !line.is_empty() {
            self.sight.refuse_standstill()?;
        }
        let SaidAct { said, found, unread } = self.conversation(now).read_act(line);
        if !found.faults.is_empty() {
            return Ok(self.letters.write(&self.reader, &FaultLines { faults: &found.faults })?);
        }
        let is_open = !found.is_all_said();
        if let Some(meant) = meant.filter(|_| said.is_empty() && !unread.is_empty()) {
            return self.refuse(DeclarationRefused::Mistyped, meant);
        }
        if said.is_empty() && !unread.is_empty() {
            return self.pointing_to_help(self.acts(&unread)?);
        }
        if said.is_empty() || !(is_open || unread.is_empty()) {
            return self.acts(&unread);
        }
        if is_open {
            return Ok(self.letters.acts(&self.reader, &found, &unread, &[])?);
        }
        if let Some(asked) = self.conversation(now).ask_before(&said)? {
            self.asked_about = Some(NextStep::Act { said });
            return Ok(asked);
        }
        self.do_act(&said, now).await
    }

    /// Does it, and tells what has been done.
    pub(super) async fn do_act(
        &mut self,
        said: &Declaration,
        now: Time,
    ) -> Result<String, ConversationError> {
        self.conversation(now).act(said, None).await?;
        self.refresh(now).await?;
        self.acted(now).await
    }

    /// What has been done at once since they were told last, by whomever.
    pub(super) async fn acted(&mut self, now: Time) -> Result<String, ConversationError> {
        if self.told.is_of(self.number()) && self.told.acts == ActsShown::all(&self.sight).acts {
            return Ok(String::new());
        }
        let ActsShown { window, acts: behind, .. } = self.told;
        let (acts, count) = self.desk.acts(&self.sight, window, behind).await?;
        self.told.acts = count;
        if acts.is_empty() {
            return Ok(String::new());
        }
        self.told.at = now;
        let report = self.sight.playing()?.contest.report(self.sight.viewer());
        Ok(self.letters.acted(&self.reader, &acts, &report)?)
    }
}
