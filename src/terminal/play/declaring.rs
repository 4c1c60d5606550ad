//! The player's declaration: a draft line by line, a seal, and withdrawals.

use super::session::TerminalSession;
use desk::commands::{Command, CommandPlace};
use desk::conversation::ConversationError;
use desk::{DeclarationStatus, NotDone};
use letters::{DeclarationRefused, FaultLines, Refused, UnreadLines, UnreadPiece, follow};
use rules::text::{Reading, UnreadReason};
use rules::{Declaration, SealWarning, text, tidy};
use tables::time::Time;

impl TerminalSession {
    /// Shows the declaration so far, below the unread parts of the input, without a change.
    pub(super) fn declared(
        &self,
        unread: &[UnreadPiece],
        now: Time,
    ) -> Result<String, ConversationError> {
        match self.asks_nothing()? {
            Some(refused) => Ok(refused),
            None => self.echo(unread, now),
        }
    }

    /// Returns the refusal if the player has nothing to declare now; `None` otherwise.
    fn asks_nothing(&self) -> Result<Option<String>, ConversationError> {
        let (play, seat) = self.sight.seated_in_game()?;
        if let Some(shut) = self.shut()? {
            return Ok(Some(shut));
        }
        if !play.asked.contains(&seat) {
            return self.refuse(DeclarationRefused::NotAsked, "").map(Some);
        }
        Ok(None)
    }

    /// Adds the answers of a line to the draft. A heading on a line of its own, as in the source's template,
    /// applies to the following lines. If no part of the line can be parsed, the command `meant` is
    /// suggested.
    pub(super) async fn declare(
        &mut self,
        line: &str,
        meant: Option<&str>,
        now: Time,
    ) -> Result<String, ConversationError> {
        if !line.is_empty() {
            self.sight.refuse_standstill()?;
        }
        let mut reading = self.read(line);
        if reading.lines.is_empty() && reading.is_whole() {
            line.clone_into(&mut self.draft.heading);
        } else if !reading.misread.is_empty() && !self.draft.heading.is_empty() {
            let under = self.read(&format!("{}\n{line}", self.draft.heading));
            if under.misread.len() < reading.misread.len() {
                reading = under;
            } else {
                self.draft.heading.clear();
            }
        }
        let mut unread = UnreadPiece::of(&reading);
        // A line without a letter or digit is no heading.
        if !line.is_empty() && !line.chars().any(char::is_alphanumeric) && reading.lines.is_empty()
        {
            let text = line.to_owned();
            let (section, nearest, faults) = (None, Vec::new(), Vec::new());
            unread = vec![UnreadPiece { text, section, why: "unknown", nearest, faults }];
        }
        // A line without answers changes nothing, and a seal stays.
        if reading.lines.is_empty() && reading.declaration == self.draft.declared {
            // A first word that was understood is no mistyped command.
            let is_strange = reading
                .misread
                .first()
                .is_some_and(|piece| piece.span.start == 0 && piece.why != UnreadReason::NotAsked);
            if let Some(meant) = meant.filter(|_| is_strange) {
                return self.refuse(DeclarationRefused::Mistyped, meant);
            }
            if unread.is_empty() {
                return self.declared(&[], now);
            }
            if let Some(refused) = self.asks_nothing()? {
                return Ok(refused);
            }
            let text = self.letters.write(&self.reader, &UnreadLines { unread: &unread })?;
            return if reading.refused.is_empty() { self.pointing_to_help(text) } else { Ok(text) };
        }
        // The same once more lifts no seal.
        if reading.declaration == self.draft.declared && self.sight.has_sealed() {
            return self.echo(&unread, now);
        }
        self.keep(reading.declaration, now, &unread).await
    }

    /// Adds a hint at help to the text about an unread line.
    pub(super) fn pointing_to_help(&self, mut text: String) -> Result<String, ConversationError> {
        follow(&mut text, &self.refuse(DeclarationRefused::NotUnderstood, "")?);
        Ok(text)
    }

    /// Parses a line over the draft.
    pub(super) fn read(&self, line: &str) -> Reading {
        self.sight.read(line, &self.draft.declared)
    }

    /// Stores a draft, without answers that are no longer asked, and returns its echo.
    async fn keep(
        &mut self,
        mut draft: Declaration,
        now: Time,
        unread: &[UnreadPiece],
    ) -> Result<String, ConversationError> {
        tidy(&mut draft, &|draft| self.sight.form(draft));
        self.draft.warned = false;
        let received = self.conversation(now).declare(&draft, DeclarationStatus::Draft).await;
        // A late draft is stored in the session too, as later lines add to it.
        if matches!(
            &received,
            Ok(_)
                | Err(ConversationError::NotDone(NotDone::Refused(Refused::Declaration(
                    DeclarationRefused::Late
                ))))
        ) {
            self.draft.declared = draft;
        }
        let received = received?;
        let mut text = self.conversation(now).echo_of(&received, unread)?;
        follow(&mut text, &self.conversation(now).plan_beside(&self.draft.declared).await?);
        Ok(text)
    }

    /// Returns the declaration for display, below the unread parts of the input.
    pub(super) fn echo(
        &self,
        unread: &[UnreadPiece],
        now: Time,
    ) -> Result<String, ConversationError> {
        self.conversation(now).echo(&self.sight.form(&self.draft.declared), unread)
    }

    /// Seals the draft. A draft with a fault, or an empty one that leaves something to a die or a default, is
    /// sealed only by the second command.
    pub(super) async fn seal(&mut self, now: Time) -> Result<String, ConversationError> {
        self.sight.seated_in_game()?;
        self.sight.refuse_standstill()?;
        let interview = self.sight.form(&self.draft.declared);
        if !self.draft.warned
            && let Some(warning) = interview.seal_warning(&self.draft.declared)
        {
            self.draft.warned = true;
            return match warning {
                SealWarning::Faulty => {
                    let faults = FaultLines { faults: &interview.faults };
                    let faults = self.letters.write(&self.reader, &faults)?;
                    Ok(format!("{faults}\n{}", self.refuse(DeclarationRefused::Faulty, "")?))
                }
                SealWarning::Empty => self.refuse(DeclarationRefused::Empty, ""),
            };
        }
        let conversation = self.conversation(now);
        let sealed = DeclarationStatus::Sealed;
        let received =
            conversation.declare_as_read(&self.draft.declared, interview, sealed).await?;
        conversation.echo_of(&received, &[])
    }

    /// Replaces the draft by the player's previous declaration.
    pub(super) async fn same(&mut self, now: Time) -> Result<String, ConversationError> {
        if let Some(shut) = self.shut()? {
            return Ok(shut);
        }
        let (again, mut note) = self.conversation(now).same(&self.draft.declared).await?;
        follow(&mut note, &self.keep(again, now, &[]).await?);
        Ok(note)
    }

    /// Withdraws the whole draft, or one section.
    pub(super) async fn withdraw(
        &mut self,
        section: &str,
        now: Time,
    ) -> Result<String, ConversationError> {
        if Command::find(CommandPlace::Terminal, &text::fold(section)) == Some(Command::Next) {
            return Ok(self.conversation(now).withdraw_next().await?.written());
        }
        let left = self.conversation(now).without(&self.draft.declared, section)?;
        self.keep(left, now, &[]).await
    }
}
