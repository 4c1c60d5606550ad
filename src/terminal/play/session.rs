//! The session of one person at a table: their view of the table, and the output.

use std::collections::HashSet;

use chrono_tz::Tz;

use super::remembered::{ActsShown, Draft, Pending};
use crate::mail::Mail;
use desk::commands::{Command, CommandPlace};
use desk::conversation::{Conversation, ConversationError, NextStep, Speaker};
use desk::{Contact, Desk, GmView, Sight};
use letters::{Behind, Goodbye, LetterFault, Letters, Moment, Reader, Refused, TypedLetter};
use rules::text::{self, Words};
use store::obstacles;
use tables::Stage;
use tables::ids::{TableCode, WindowNumber};
use tables::time::Time;

/// The result of a command: its text, unless it says otherwise.
pub(super) type Result<T = String, E = ConversationError> = std::result::Result<T, E>;

/// The session of one person at a terminal about one table.
#[derive(Debug)]
pub(super) struct TerminalSession {
    pub(super) desk: Desk,
    pub(super) mail: Mail,
    pub(super) letters: Letters,
    pub(super) guest: Contact,
    /// The policy of the bot players who take the free chairs at the start.
    pub(super) house: String,
    /// The person's view of the table.
    pub(super) sight: Sight,
    pub(super) reader: Reader,
    pub(super) words: Words<'static>,
    /// The draft in the open window.
    pub(super) draft: Draft,
    /// The start of the session.
    pub(super) since: Time,
    /// The letters that have been shown.
    pub(super) seen: HashSet<String>,
    /// The letters that are shown and are to be marked as read.
    pub(super) shown: Vec<String>,
    /// The window whose questions have been shown.
    pub(super) asked: Option<WindowNumber>,
    /// The immediate acts of others that have been shown.
    pub(super) acts_shown: ActsShown,
    /// The step that waits for a confirmation; `None` for none.
    pub(super) asked_about: Option<NextStep>,
    /// The window that the last line has sealed; `None` if it was no seal.
    pub(super) sealed: Option<WindowNumber>,
    /// True if the person has left their seat.
    pub(super) stood_up: bool,
    /// True if the person has lost their seat and the notice has not been shown.
    pub(super) unseated: bool,
    /// The game master's view of the table, as last loaded.
    pub(super) gm_view: Option<GmView>,
    /// The game master's decision after its dry run.
    pub(super) pending: Option<Pending>,
}

impl TerminalSession {
    /// Opens a session for a person at a table.
    pub(super) async fn open(
        desk: Desk,
        mail: &Mail,
        letters: &Letters,
        code: TableCode,
        guest: Contact,
        house: String,
    ) -> Result<Self> {
        let since = desk::clock::now();
        let sight = desk::see(&desk, &code, &guest.account, since).await?;
        let reader = sight.reader(guest.language).in_plain_text();
        let reader = reader.in_the_year(Some(Moment::at(since, sight.zone).year));
        let words = sight.words();
        Ok(Self {
            desk,
            mail: mail.clone(),
            letters: letters.clone(),
            guest,
            house,
            draft: Draft::of(&sight),
            acts_shown: ActsShown::all(&sight),
            sight,
            reader,
            words,
            since,
            seen: HashSet::new(),
            shown: Vec::new(),
            asked: None,
            asked_about: None,
            sealed: None,
            stood_up: false,
            unseated: false,
            gm_view: None,
            pending: None,
        })
    }

    /// Reloads the table. A new window begins with its stored draft.
    pub(super) async fn refresh(&mut self, now: Time) -> Result<()> {
        let sight = desk::see(&self.desk, &self.sight.code, &self.guest.account, now).await?;
        if sight.names != self.sight.names {
            self.reader = sight.reader(self.guest.language).in_plain_text();
            self.words = sight.words();
        }
        self.reader.year = Some(Moment::at(now, sight.zone).year);
        let number = |sight: &Sight| sight.play.as_ref().map(|play| play.number);
        if number(&sight) != number(&self.sight) {
            self.draft = Draft::of(&sight);
        }
        self.draft.catch_up(&sight);
        self.unseated |= self.sight.seat.is_some() && sight.seat.is_none();
        self.sight = sight;
        Ok(())
    }

    /// True if nothing is due at the table, and no letter to this person is on its way.
    pub(super) async fn is_settled(&self, now: Time) -> Result<bool> {
        let mut session = self.desk.store().read().await?;
        let table = session.table(&self.sight.code).await?;
        let due = table.and_then(|table| table.look_at).is_some_and(|look_at| look_at <= now);
        Ok(!due && !obstacles::is_posted(&mut session, &self.guest.address, now).await?)
    }

    /// True if the game is over, and its end has been announced.
    pub(super) fn is_over(&self, now: Time) -> bool {
        let announced = self.sight.play.as_ref().is_none_or(|play| play.timing.opens <= now);
        self.sight.stage == Stage::Over && announced
    }

    /// True if the game is over, and all letters about its end have arrived.
    pub(super) async fn is_told_over(&self, now: Time) -> Result<bool> {
        Ok(self.is_over(now) && self.is_settled(now).await?)
    }

    /// Marks the shown letters as read.
    pub(super) async fn seen(&mut self, now: Time) -> Result<()> {
        for letter in std::mem::take(&mut self.shown) {
            self.mail.mark_read(letter, now).await?;
        }
        Ok(())
    }

    /// Returns the number of the window; `None` before the first one.
    pub(super) fn number(&self) -> Option<WindowNumber> {
        self.sight.play.as_ref().map(|play| play.number)
    }

    pub(super) fn goodbye(&self, now: Time, again: bool) -> Result {
        let (code, name) = (&self.sight.code, &self.guest.name);
        let behind = match self.sight.stage {
            _ if self.stood_up => Behind::StoodUp,
            Stage::Over if self.is_over(now) => Behind::Over,
            _ if self.sight.seat.is_none() => Behind::Nothing,
            Stage::Forming => Behind::Forming,
            Stage::Playing | Stage::Over => Behind::Playing,
        };
        let goodbye = Goodbye { code, name, behind, outage: self.sight.pace.outage, again };
        Ok(self.write(&goodbye)?)
    }

    pub(super) fn zone(&self) -> Tz {
        self.sight.zone
    }

    /// Returns the speaker of the session.
    pub(super) fn speaker(&self, now: Time) -> Speaker<'_> {
        Speaker {
            desk: &self.desk,
            letters: &self.letters,
            account: &self.guest.account,
            reader: &self.reader,
            now,
        }
    }

    /// Returns the conversation about the table.
    pub(super) fn conversation(&self, now: Time) -> Conversation<'_> {
        Conversation { speaker: self.speaker(now), sight: &self.sight }
    }

    /// Returns the notice that the window has closed; `None` if it is open.
    pub(super) fn shut(&self) -> Result<Option<String>, LetterFault> {
        self.sight.shut(&self.letters, &self.reader)
    }

    pub(super) fn write(&self, letter: &impl TypedLetter) -> Result<String, LetterFault> {
        self.letters.write(&self.reader, letter)
    }

    pub(super) fn refuse(&self, refused: impl Into<Refused>, input: &str) -> Result {
        Ok(self.letters.refused(&self.reader, refused, input)?)
    }
}

/// Returns the input after a command; `None` for another command.
pub(super) fn behind(line: &str, command: Command) -> Option<&str> {
    let (word, rest) = line.trim_start().split_once(char::is_whitespace)?;
    let found = Command::find(CommandPlace::Terminal, &text::fold(word))?;
    (found == command).then(|| rest.trim_start())
}
