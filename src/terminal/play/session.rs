//! The session of one person at a table: their view of the table, and the output.

use std::collections::HashSet;

use chrono_tz::Tz;

use super::remembered::{ActsShown, Draft, LONGEST, Pending};
use crate::mail::{Mail, MailError};
use desk::commands::{Command, CommandPlace};
use desk::conversation::{Conversation, ConversationError, NextStep, Speaker, TypedLine, phrases};
use desk::{Bench, Desk, Guest, LetterKind, NotDone, Sight, Verb};
use letters::{
    Behind, DeclarationRefused, FinalScores, Goodbye, LetterFault, Letters, Moment, OwnHand,
    Reader, Refused, TooMuch, Unseated, WholeBoard, follow,
};
use rules::Round;
use rules::text::{self, Words};
use tables::Stage;
use tables::ids::{TableCode, WindowNumber};
use tables::time::Time;

impl From<MailError> for ConversationError {
    fn from(unread: MailError) -> Self {
        match unread {
            MailError::Store(error) => error.into(),
            MailError::Letter(fault) => fault.into(),
        }
    }
}

/// The output after a line of input, or the end of the session.
pub(super) enum TerminalAnswer {
    Show(String),
    Leave,
}

/// The session of one person at a terminal about one table.
#[derive(Debug)]
pub(super) struct TerminalSession {
    pub(super) desk: Desk,
    mail: Mail,
    pub(super) letters: Letters,
    pub(super) guest: Guest,
    /// The policy of the house players who take the free chairs at the start.
    house: String,
    /// The person's view of the table.
    pub(super) sight: Sight,
    pub(super) reader: Reader,
    pub(super) words: Words<'static>,
    /// The draft in the open window.
    pub(super) draft: Draft,
    /// The start of the session.
    since: Time,
    /// The letters that have been shown.
    seen: HashSet<String>,
    /// The letters that are shown and are to be marked as read.
    shown: Vec<String>,
    /// The window whose questions have been shown.
    asked: Option<WindowNumber>,
    /// The immediate acts of others that have been shown.
    pub(super) acts_shown: ActsShown,
    /// The step that waits for a confirmation; `None` for none.
    pub(super) asked_about: Option<NextStep>,
    /// True if the person has left their seat.
    stood_up: bool,
    /// True if the person has lost their seat and the notice has not been shown.
    unseated: bool,
    /// The game master's view of the table, as last loaded.
    pub(super) bench: Option<Bench>,
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
        guest: Guest,
        house: String,
    ) -> Result<Self, ConversationError> {
        let since = desk::clock::now();
        let sight = desk::see(&desk, &code, &guest.account, since).await?;
        let reader = sight.reader(guest.language).in_plain_text();
        let reader = reader.in_the_year(Some(Moment::at(since, sight.zone).year));
        let words = sight.words();
        let (draft, acts_shown) = (Draft::of(&sight), ActsShown::all(&sight));
        let (mail, letters, shown, asked) = (mail.clone(), letters.clone(), Vec::new(), None);
        Ok(Self {
            desk,
            mail,
            letters,
            guest,
            house,
            sight,
            reader,
            words,
            draft,
            since,
            seen: HashSet::new(),
            shown,
            asked,
            acts_shown,
            asked_about: None,
            stood_up: false,
            unseated: false,
            bench: None,
            pending: None,
        })
    }

    /// Reloads the table. A new window begins with its stored draft.
    pub(super) async fn refresh(&mut self, now: Time) -> Result<(), ConversationError> {
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
    pub(super) async fn is_settled(&self, now: Time) -> Result<bool, ConversationError> {
        let mut session = self.desk.store().read().await?;
        let table = session.table(&self.sight.code).await?;
        let due = table.and_then(|table| table.look_at).is_some_and(|look_at| look_at <= now);
        Ok(!due && !session.is_posted(&self.guest.address, now).await?)
    }

    /// True if the game is over, and its end has been announced.
    pub(super) fn is_over(&self, now: Time) -> bool {
        let announced = self.sight.play.as_ref().is_none_or(|play| play.timing.opens <= now);
        self.sight.stage == Stage::Over && announced
    }

    /// True if the game is over, and all letters about its end have arrived.
    pub(super) async fn is_told_over(&self, now: Time) -> Result<bool, ConversationError> {
        Ok(self.is_over(now) && self.is_settled(now).await?)
    }

    /// Returns the first output of a session: the waiting letters and the questions.
    pub(super) async fn come_in(&mut self, now: Time) -> Result<String, ConversationError> {
        let mut text = String::new();
        let news = self.news(now).await?;
        if let Some(news) = &news {
            follow(&mut text, news);
        }
        // The news may only be that a deadline has moved.
        let opens = self.shown.iter().any(|letter| self.is_opening(letter));
        if self.is_over(now) {
            if news.is_none() {
                return self.look_back();
            }
        } else if !opens
            && let Some(play) = self.sight.play.as_ref().filter(|play| play.shut.is_none())
        {
            follow(&mut text, &self.sight.opening(play, &self.letters, &self.reader, now)?);
        }
        if let Some(shut) = self.shut()? {
            follow(&mut text, &shut);
        } else if self.sight.stage == Stage::Forming {
            follow(&mut text, &self.forming()?);
        } else if !self.draft.declared.is_empty() {
            follow(&mut text, &self.conversation(now).hand()?.written());
        } else if self.asked.is_none() {
            follow(&mut text, &self.ask(now)?.unwrap_or_default());
        }
        if let Some(waiting) = self.sight.waiting(&self.letters, &self.reader)? {
            follow(&mut text, &waiting);
        }
        Ok(text)
    }

    /// Returns the final scores, or the final position if there are no scores.
    fn look_back(&self) -> Result<String, ConversationError> {
        let Some(play) = &self.sight.play else { return self.forming() };
        let report = play.contest.report(self.sight.viewer());
        Ok(match play.contest.standing() {
            Some(_) => self.letters.write(&self.reader, &FinalScores { report: &report })?,
            None => self.letters.write(&self.reader, &WholeBoard { report: &report })?,
        })
    }

    /// Returns the letters that have arrived, the acts of others, and the questions of a newly opened window;
    /// `None` if there are none.
    pub(super) async fn news(&mut self, now: Time) -> Result<Option<String>, ConversationError> {
        // No single letter opens every window for everybody.
        let is_told = !self.acts_shown.is_of(self.number()) && self.is_settled(now).await?;
        // The reason for the loss of a seat is shown before the notice.
        let is_unseated = self.unseated && self.is_settled(now).await?;
        let (address, code) = (&self.guest.address, &self.sight.code);
        let letters =
            self.mail.unread(address, code, self.since, &self.seen, self.reader.lang, now).await?;
        let seated = self.sight.taken.clone();
        self.refresh(now).await?;
        let mut text = String::new();
        // A window may have opened since the letters were read: its questions come with its own letter.
        let number = self.number();
        let opens = letters.iter().any(|letter| self.is_opening(&letter.letter));
        if !letters.is_empty() || self.acts_shown.has_rested(now) {
            text = self.acted(now).await?;
        }
        if (opens || is_told) && !self.acts_shown.is_of(number) {
            self.acts_shown = ActsShown::of_window(number);
        }
        let mut acted = false;
        for letter in letters {
            self.seen.insert(letter.letter.clone());
            // Consecutive acts are shown without blank lines.
            let goes_on = std::mem::replace(&mut acted, LetterKind::Act.is_of(&letter.letter));
            if goes_on && acted {
                text.truncate(text.trim_end().len());
                text.push('\n');
                text.push_str(&letter.text);
            } else {
                follow(&mut text, &letter.text);
            }
            self.shown.push(letter.letter);
        }
        if is_unseated {
            self.unseated = false;
        }
        // A table that is over has no more questions.
        if is_unseated && !self.is_over(now) {
            follow(
                &mut text,
                &self.letters.write(&self.reader, &Unseated { code: &self.sight.code })?,
            );
        }
        if self.sight.stage == Stage::Forming && self.sight.taken != seated {
            follow(&mut text, &self.forming()?);
        }
        if opens && let Some(questions) = self.ask(now)? {
            follow(&mut text, &questions);
        }
        Ok((!text.is_empty()).then_some(text))
    }

    /// Marks the shown letters as read.
    pub(super) async fn seen(&mut self, now: Time) -> Result<(), ConversationError> {
        for letter in std::mem::take(&mut self.shown) {
            self.mail.mark_read(letter, now).await?;
        }
        Ok(())
    }

    /// Returns the questions of the open window, once, below the echo of a seal by standing orders; `None` if
    /// there are none.
    fn ask(&mut self, now: Time) -> Result<Option<String>, ConversationError> {
        let Some(play) = &self.sight.play else { return Ok(None) };
        if !self.sight.is_asked() || play.shut.is_some() || self.asked == Some(play.number) {
            return Ok(None);
        }
        self.asked = Some(play.number);
        if self.only_acts() {
            // The questions include the position.
            self.acts_shown = ActsShown::all(&self.sight);
        }
        let ordered = self.sight.has_sealed().then(|| self.echo(&[], now)).transpose()?;
        self.asked_now(ordered).map(Some)
    }

    /// Returns the number of the window; `None` before the first one.
    pub(super) fn number(&self) -> Option<WindowNumber> {
        self.sight.play.as_ref().map(|play| play.number)
    }

    /// True if a letter with this id is about the opening of the open window.
    fn is_opening(&self, letter: &str) -> bool {
        self.number().is_some_and(|number| LetterKind::Opening(number).is_of(letter))
    }

    pub(super) fn goodbye(&self, now: Time) -> Result<String, ConversationError> {
        let (code, name) = (&self.sight.code, &self.guest.name);
        let behind = match self.sight.stage {
            _ if self.stood_up => Behind::StoodUp,
            Stage::Over if self.is_over(now) => Behind::Over,
            _ if self.sight.seat.is_none() => Behind::Nothing,
            Stage::Forming => Behind::Forming,
            Stage::Playing | Stage::Over => Behind::Playing,
        };
        let goodbye = Goodbye { code, name, behind, outage: self.sight.pace.outage };
        Ok(self.letters.write(&self.reader, &goodbye)?)
    }

    /// Answers one line of input. A failure of the database is shown, and the session goes on.
    pub(super) async fn handle_line(
        &mut self,
        line: &str,
        now: Time,
    ) -> Result<TerminalAnswer, ConversationError> {
        // No valid line is that long.
        if line.chars().nth(LONGEST).is_some() {
            return Ok(TerminalAnswer::Show(self.refuse(DeclarationRefused::TooLong, "")?));
        }
        let answer = match self.answer(line.trim(), now).await {
            Err(ConversationError::NotDone(NotDone::Spent(spent))) => {
                TerminalAnswer::Show(self.letters.write(&self.reader, &TooMuch { spent })?)
            }
            Err(broken) => {
                let (refused, detail) = broken.refusal()?;
                let detail = if detail.is_empty() { self.closed(refused, now)? } else { detail };
                let mut text = self.refuse(refused, &detail)?;
                if let (
                    Refused::NotYet | Refused::Declaration(DeclarationRefused::Late),
                    Some(shut),
                ) = (refused, self.shut()?)
                {
                    follow(&mut text, &shut);
                }
                if self.sight.refuse_standstill() == Err(refused) {
                    text.push('\n');
                    text.push_str(&self.sight.stopped_by(&self.letters, &self.reader)?);
                }
                TerminalAnswer::Show(text)
            }
            Ok(answer) => answer,
        };
        Ok(answer)
    }

    /// Takes back the last question, if a "no" does not answer the game. True if there was a question.
    fn is_undone(&mut self, typed: &TypedLine<'_>) -> bool {
        let answers_game = matches!(
            typed,
            TypedLine::Declares(reading) | TypedLine::Acts(reading) if reading.is_whole()
        );
        !answers_game && self.asked_about.take().is_some()
    }

    /// Forgets the step that another line than this waits for: an end is confirmed only by the very next line,
    /// and so is a seal that lacks something.
    fn forget_other_questions(&mut self, typed: &TypedLine<'_>) {
        let ends = [Command::Vote, Command::End, Command::Close, Command::Leave];
        if !matches!(typed, TypedLine::Command(command, _) if ends.contains(command)) {
            self.asked_about = None;
        }
        if !matches!(typed, TypedLine::Command(Command::Seal, _)) {
            self.draft.warned = false;
        }
    }

    async fn answer(&mut self, line: &str, now: Time) -> Result<TerminalAnswer, ConversationError> {
        self.refresh(now).await?;
        let asked = self.asked_about.take_if(|asked| matches!(asked, NextStep::Act { .. }));
        if let Some(NextStep::Act { declared }) = &asked
            && phrases::says_yes(line)
        {
            return Ok(TerminalAnswer::Show(self.do_act(declared, now).await?));
        }
        let typed = self.sight.typed(line, &self.draft.declared);
        if phrases::says_no(line) && (asked.is_some() || self.is_undone(&typed)) {
            return Ok(TerminalAnswer::Show(self.refuse(DeclarationRefused::LeftUndone, "")?));
        }
        self.forget_other_questions(&typed);
        let (command, rest) = match typed {
            TypedLine::Command(command, rest) => (command, rest),
            typed => return Ok(TerminalAnswer::Show(self.say(line, typed, now).await?)),
        };
        let text = match command {
            // Commands on Discord only.
            Command::New
            | Command::Move
            | Command::Take
            | Command::List
            | Command::Settings
            | Command::Privacy
            | Command::Export
            | Command::Erase
            | Command::Check
            | Command::Defaults
            | Command::GmWindow
            | Command::GmTurn
            | Command::GmTable
            | Command::GmSeat => self.declare(line, None, now).await?,
            Command::Declare if rest.is_empty() => self.declared(&[], now)?,
            Command::Declare => self.declare(rest, None, now).await?,
            Command::Act => self.act(rest, None, now).await?,
            // Immediate acts are not sealed.
            Command::Seal if self.sight.seat.is_some() && self.only_acts() => {
                self.act("", None, now).await?
            }
            Command::Same => self.same(now).await?,
            Command::Seal => self.seal(now).await?,
            Command::Withdraw => self.withdraw(rest, now).await?,
            Command::Orders => self.conversation(now).orders(rest).await?.written(),
            Command::Next => self.conversation(now).next(rest).await?.written(),
            Command::Questions => self.questions(now)?,
            Command::Hand => self.conversation(now).hand()?.written(),
            Command::Show => self.conversation(now).position().await?.written(),
            Command::Log => self.conversation(now).log().await?.written(),
            Command::Why if !rest.is_empty() => {
                if let Ok(window) = text::fold(rest).parse() {
                    self.conversation(now).why_in(Round::new(window)).await?.written()
                } else {
                    let word = line.split_whitespace().next().unwrap_or_default();
                    self.refuse(DeclarationRefused::Alone, word)?
                }
            }
            Command::Side => self.conversation(now).side(rest).await?.written(),
            Command::Why => self.conversation(now).why().await?.written(),
            Command::Receipt => self.conversation(now).receipts().await?.written(),
            Command::Verify => self.conversation(now).verify(&[]).await?.written(),
            Command::Join => self.join(rest, now).await?,
            Command::Card => self.conversation(now).card(rest)?.written(),
            Command::Rules => self.speaker(now).rules(rest)?.written(),
            Command::Help => self.help(rest)?,
            Command::Start => {
                let (code, account) = (&self.sight.code, &self.guest.account);
                desk::start(&self.desk, code, account, &self.house, now).await?;
                String::new()
            }
            Command::Leave => {
                let Some(asked) = self.leave(now).await? else {
                    self.stood_up = true;
                    return Ok(TerminalAnswer::Leave);
                };
                asked
            }
            Command::Resume => {
                let (code, shown) = (&self.sight.code, Some(self.sight.revision.as_str()));
                desk::resume(&self.desk, code, &self.guest.account, shown, now).await?;
                String::new()
            }
            Command::Close => self.close(now).await?,
            Command::End => self.end_table(now).await?,
            Command::Away => self.away(rest, now).await?,
            Command::Back => self.speaker(now).back(None).await?.written(),
            Command::My => self.my(now).await?,
            Command::Me => self.me(rest, now).await?,
            Command::Dashboard => self.dashboard(now).await?,
            Command::Substitute => self.substitute(rest, now).await?,
            Command::Absence => self.absence(rest, now).await?,
            Command::Vote => self.vote(rest, now).await?,
            Command::Gm => self.decide(rest, now).await?,
            Command::Quit => return Ok(TerminalAnswer::Leave),
        };
        Ok(TerminalAnswer::Show(text))
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

    /// Returns the open questions, below the declaration so far.
    fn questions(&self, now: Time) -> Result<String, ConversationError> {
        let declared =
            (!self.draft.declared.is_empty()).then(|| self.echo(&[], now)).transpose()?;
        self.asked_now(declared)
    }

    /// Returns the questions, below the hand and the declaration.
    fn asked_now(&self, declared: Option<String>) -> Result<String, ConversationError> {
        let (play, seat) = self.sight.seated_in_game()?;
        if let Some(shut) = self.shut()? {
            return Ok(shut);
        }
        let report = play.contest.report(self.sight.viewer());
        let hand = self.letters.write(&self.reader, &OwnHand { seat, report: &report })?;
        let mut text = String::new();
        // The hand is shown directly above the questions.
        if self.only_acts() {
            // Others may have acted since the letter was written.
            follow(&mut text, &self.letters.write(&self.reader, &WholeBoard { report: &report })?);
            follow(&mut text, &hand);
        } else {
            let form = self.sight.form_with_orders(&self.draft.declared);
            follow(&mut text, &hand);
            follow(&mut text, &declared.unwrap_or_default());
            // A declaration with faults may leave no question open.
            if form.faults.is_empty() || form.open().next().is_some() {
                follow(&mut text, &self.letters.questions(&self.reader, &form)?);
            }
        }
        if self.can_act() {
            follow(&mut text, &self.acts(&[])?);
        }
        Ok(text)
    }

    /// Answers a line that is no command, as a declaration or an immediate act; if it cannot be parsed, a
    /// command is suggested.
    async fn say(
        &mut self,
        line: &str,
        typed: TypedLine<'_>,
        now: Time,
    ) -> Result<String, ConversationError> {
        let meant = self.meant(line);
        match typed {
            TypedLine::Alone(word) => self.refuse(DeclarationRefused::Alone, word),
            TypedLine::Card(card) => {
                let name = self.words.lexicon().name(&card.id, self.reader.lang);
                Ok(self.conversation(now).card(name)?.written())
            }
            TypedLine::Seals(declared) => {
                let counts = self.read(declared).is_whole();
                let mut text = self.declare(declared, None, now).await?;
                // A note is read before a seal.
                if counts && self.sight.form(&self.draft.declared).notes.is_empty() {
                    follow(&mut text, &self.seal(now).await?);
                }
                Ok(text)
            }
            TypedLine::Acts(_) => self.act(line, meant.as_deref(), now).await,
            TypedLine::Declares(_) | TypedLine::Command(..) => {
                self.declare(line, meant.as_deref(), now).await
            }
        }
    }

    /// Returns the likely meaning of an unread line: for the host, a decision without its command; or the
    /// command that is at least as similar to the first word as any word of the game.
    fn meant(&self, line: &str) -> Option<String> {
        let verb = Verb::read(line).map(|(verb, _)| verb.word(self.reader.lang));
        let is_command = |verb: &&str| Command::find(CommandPlace::Terminal, verb).is_some();
        if let Some(verb) = verb.filter(|verb| self.sight.is_host && !is_command(verb)) {
            return Some(format!("{} {verb}", Command::Gm.manifest().called(self.reader.lang)));
        }
        let word = text::fold(line.split_whitespace().next()?);
        let meant = Command::nearest(CommandPlace::Terminal, &word)?;
        let likeness = strsim::normalized_damerau_levenshtein(&word, meant);
        (likeness >= self.words.likeness(&word)).then(|| meant.to_owned())
    }

    fn forming(&self) -> Result<String, ConversationError> {
        Ok(self.sight.forming(&self.letters, &self.reader)?)
    }

    /// Returns the notice that the window has closed; `None` if it is open.
    pub(super) fn shut(&self) -> Result<Option<String>, LetterFault> {
        self.sight.shut(&self.letters, &self.reader)
    }

    /// Returns the closing time of the window if the declaration was refused as late; otherwise an empty
    /// text.
    fn closed(&self, refused: Refused, now: Time) -> Result<String, LetterFault> {
        let closes = self.sight.play.as_ref().map(|play| play.timing.closes);
        match closes.filter(|closes| refused == DeclarationRefused::Closed && *closes <= now) {
            Some(at) => self.letters.when(&self.reader, &Moment::at(at, self.sight.zone)),
            None => Ok(String::new()),
        }
    }

    pub(super) fn refuse(
        &self,
        refused: impl Into<Refused>,
        input: &str,
    ) -> Result<String, ConversationError> {
        Ok(self.letters.refused(&self.reader, refused, input)?)
    }
}

/// Returns the input after a command; `None` for another command.
pub(super) fn behind(line: &str, command: Command) -> Option<&str> {
    let (word, rest) = line.trim_start().split_once(char::is_whitespace)?;
    let found = Command::find(CommandPlace::Terminal, &text::fold(word))?;
    (found == command).then(|| rest.trim_start())
}
