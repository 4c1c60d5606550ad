//! What a person says about their declaration: a draft line by line, a seal, taking both back.

use super::session::TerminalSession;
use desk::commands::{Command, CommandPlace};
use desk::conversation::ConversationError;
use desk::{DeclarationStatus, NotDone};
use letters::{DeclarationRefused, FaultLines, Refused, UnreadLines, UnreadPiece, follow};
use rules::text::Reading;
use rules::{Declaration, SealWarning, text, tidy};
use tables::time::Time;

impl TerminalSession {
    /// Shows what they have declared so far, below what could not be read. Nothing of it changes.
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

    /// Why they are asked nothing now, if it is so.
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

    /// Adds to the draft what a line says. A heading on a line of its own, as in the source's
    /// template, is kept for the lines that follow. If nothing of a line can be read, this command
    /// may have been meant.
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
        if reading.lines.is_empty() && reading.misread.is_empty() && reading.moot.is_empty() {
            line.clone_into(&mut self.draft.heading);
        } else if !reading.misread.is_empty() && !self.draft.heading.is_empty() {
            let under = self.read(&format!("{}\n{line}", self.draft.heading));
            if under.misread.len() < reading.misread.len() {
                reading = under;
            }
        }
        let mut unread = UnreadPiece::of(&reading);
        // A line without a word is no heading.
        if !line.is_empty() && !line.chars().any(char::is_alphanumeric) && reading.lines.is_empty()
        {
            let text = line.to_owned();
            unread = vec![UnreadPiece { text, section: None, why: "unknown", nearest: Vec::new() }];
        }
        // What says nothing changes nothing: what is sealed stays so.
        if reading.lines.is_empty() && reading.declaration == self.draft.said {
            if let Some(meant) = meant.filter(|_| !unread.is_empty()) {
                return self.refuse(DeclarationRefused::Mistyped, meant);
            }
            if unread.is_empty() {
                return self.declared(&[], now);
            }
            if let Some(refused) = self.asks_nothing()? {
                return Ok(refused);
            }
            let told = self.letters.write(&self.reader, &UnreadLines { unread: &unread })?;
            return self.pointing_to_help(told);
        }
        self.keep(reading.declaration, now, &unread).await
    }

    /// What is said of a line of which nothing could be read, with how to go on.
    pub(super) fn pointing_to_help(&self, mut text: String) -> Result<String, ConversationError> {
        follow(&mut text, &self.refuse(DeclarationRefused::NotUnderstood, "")?);
        Ok(text)
    }

    /// Reads a line over the draft.
    fn read(&self, line: &str) -> Reading {
        self.sight.read(line, &self.draft.said)
    }

    /// Takes over a draft, without what nobody asks any more, and says how it was read.
    async fn keep(
        &mut self,
        mut draft: Declaration,
        now: Time,
        unread: &[UnreadPiece],
    ) -> Result<String, ConversationError> {
        tidy(&mut draft, &|draft| self.sight.form(draft));
        self.draft.warned = false;
        let received = self.conversation(now).declare(&draft, DeclarationStatus::Draft).await;
        // What comes too late is kept as well, and what follows is added to it.
        if matches!(
            &received,
            Ok(_)
                | Err(ConversationError::NotDone(NotDone::Refused(Refused::Declaration(
                    DeclarationRefused::Late
                ))))
        ) {
            self.draft.said = draft;
        }
        let received = received?;
        self.conversation(now).echo_of(&received, unread)
    }

    /// How their declaration stands, below what of a text could not be read.
    pub(super) fn echo(
        &self,
        unread: &[UnreadPiece],
        now: Time,
    ) -> Result<String, ConversationError> {
        self.conversation(now).echo(&self.sight.form(&self.draft.said), unread)
    }

    /// Seals the draft; one with a fault, or an empty one that leaves something to a die or a default,
    /// only when it is said a second time.
    pub(super) async fn seal(&mut self, now: Time) -> Result<String, ConversationError> {
        self.sight.seated_in_game()?;
        self.sight.refuse_standstill()?;
        let interview = self.sight.form(&self.draft.said);
        if !self.draft.warned
            && let Some(warning) = interview.seal_warning(&self.draft.said)
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
        let received = conversation.declare_as_read(&self.draft.said, interview, sealed).await?;
        conversation.echo_of(&received, &[])
    }

    /// The same as they declared the last time, in place of the draft.
    pub(super) async fn same(&mut self, now: Time) -> Result<String, ConversationError> {
        if let Some(shut) = self.shut()? {
            return Ok(shut);
        }
        let (again, mut note) = self.conversation(now).same(&self.draft.said).await?;
        follow(&mut note, &self.keep(again, now, &[]).await?);
        Ok(note)
    }

    /// Takes back the whole draft, or one section of it.
    pub(super) async fn withdraw(
        &mut self,
        section: &str,
        now: Time,
    ) -> Result<String, ConversationError> {
        if Command::find(CommandPlace::Terminal, &text::fold(section)) == Some(Command::Next) {
            return Ok(self.conversation(now).withdraw_next().await?.written());
        }
        let left = self.conversation(now).without(&self.draft.said, section)?;
        self.keep(left, now, &[]).await
    }
}
