//! Immediate acts, which everybody sees.

use super::remembered::ActsShown;
use super::session::TerminalSession;
use desk::conversation::{ConversationError, NextStep, SaidAct};
use letters::{DeclarationRefused, FaultLines, UnreadPiece};
use rules::Declaration;
use tables::time::Time;

impl TerminalSession {
    /// True if only immediate acts are possible in the open window.
    pub(super) fn only_acts(&self) -> bool {
        self.sight.form(&Declaration::default()).asked.is_empty() && self.can_act()
    }

    /// True if the player has a possible immediate act.
    pub(super) fn can_act(&self) -> bool {
        self.sight.acting(&Declaration::default()).is_asking()
    }

    /// Returns the possible acts, below the unread parts of the input.
    pub(super) fn acts(&self, unread: &[UnreadPiece]) -> Result<String, ConversationError> {
        let found = self.sight.acting(&Declaration::default());
        let examples = self.sight.acts(self.reader.lang);
        Ok(self.letters.acts(&self.reader, &found, unread, &examples)?)
    }

    /// Carries out the act of a line, or shows the possible acts. If no part of the line can be parsed, the
    /// command `meant` is suggested.
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
        let SaidAct { declared, found, unread, is_named } = self.conversation(now).read_act(line);
        if !found.faults.is_empty() {
            return Ok(self.letters.write(&self.reader, &FaultLines { faults: &found.faults })?);
        }
        let is_open = !found.is_all_said();
        if let Some(meant) = meant.filter(|_| declared.is_empty() && !unread.is_empty()) {
            return self.refuse(DeclarationRefused::Mistyped, meant);
        }
        if declared.is_empty() && !unread.is_empty() {
            return self.pointing_to_help(self.acts(&unread)?);
        }
        if declared.is_empty() || !(is_open || unread.is_empty()) {
            return self.acts(&unread);
        }
        if is_open {
            return Ok(self.letters.acts(&self.reader, &found, &unread, &[])?);
        }
        if let Some(asked) = self.conversation(now).ask_before(&declared, is_named)? {
            self.asked_about = Some(NextStep::Act { declared });
            return Ok(asked);
        }
        self.do_act(&declared, now).await
    }

    /// Carries out an act, and returns the news.
    pub(super) async fn do_act(
        &mut self,
        declared: &Declaration,
        now: Time,
    ) -> Result<String, ConversationError> {
        self.conversation(now).act(declared, None).await?;
        self.refresh(now).await?;
        self.acted(now).await
    }

    /// Returns the acts of all players since the last news.
    pub(super) async fn acted(&mut self, now: Time) -> Result<String, ConversationError> {
        if self.acts_shown.is_of(self.number())
            && self.acts_shown.acts == ActsShown::all(&self.sight).acts
        {
            return Ok(String::new());
        }
        let ActsShown { window, acts: behind, .. } = self.acts_shown;
        let (acts, count) = desk::acts(&self.desk, &self.sight, window, behind).await?;
        self.acts_shown.acts = count;
        if acts.is_empty() {
            return Ok(String::new());
        }
        self.acts_shown.at = now;
        let report = self.sight.playing()?.contest.report(self.sight.viewer());
        Ok(self.letters.acted(&self.reader, &acts, &report)?)
    }
}
