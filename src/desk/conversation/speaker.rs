//! A person's conversation about their tables: views on request, votes, and what a host ends.

use chrono_tz::Tz;
use serde_json::{Value as Json, json};

use crate::absence::away::{self, back_at, back_everywhere, whereabouts};
use crate::absence::reputation;
use crate::audit::verify;
use crate::model::{Written, from_refusals, refuse_if};
use crate::overrides::{ballot, host};
use crate::person::kept::{person_settings, set_person};
use crate::person::said_ahead::write_to_side;
use crate::record::letter::Unwritten;
use crate::table::form::{self, join_at};
use crate::view::dashboard::mine;
use crate::view::past::{self, last_close};
use crate::view::see::{self, see_as};
use crate::{
    Ballot, Balloted, Contact, Desk, Gm, Mine, NotDone, Override, OwnList, Sight, VoteFault,
    Whereabouts,
};
use games::any::AnyContest;
use letters::{
    ChapterLink, CheckedDeck, DeclarationRefused, Home, HostLeaves, KeepingRefused, LetterFault,
    Letters, Moment, NextDeclarationShown, OrdersShown, OverrideRefused, OwnHand, OwnSettings,
    OwnTables, OwnVoiceAlone, Reader, Refused, SeatRefused, SettingsMisread, TypedLetter,
    WindowResult, follow,
};
use rules::dice::Brought;
use rules::question::Question;
use rules::receipt::Head;
use rules::{Answer, Declaration, Dice, Round, Seat, Value, text};
use store::StoreError;
use tables::absence::{Period, PeriodFault};
use tables::calling::SettingsFault;
use tables::{AccountId, Address, PersonSettings, ResultForm, Stage, TableCode, Time};

/// A person who gives a command, and the means to answer.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    pub desk: &'a Desk,
    pub letters: &'a Letters,
    pub account: &'a AccountId,
    pub reader: &'a Reader,
    pub now: Time,
}

/// A person's conversation about a table, as they saw it a moment ago.
#[derive(Clone, Copy, Debug)]
pub struct Conversation<'a> {
    pub speaker: Speaker<'a>,
    pub sight: &'a Sight,
}

/// An answer to one person alone.
#[derive(Debug, Default)]
pub struct ConversationAnswer {
    /// Empty if the result shows elsewhere.
    pub text: String,
    /// The possible next steps, for front ends with buttons.
    pub next_steps: Vec<NextStep>,
    /// Text after the answer that must be shown character by character.
    pub verbatim: String,
}

/// A step that a person can take next with one press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// The person answers the questions.
    Declare,
    /// The person reads the texts of the cards before them.
    Cards,
    /// The person reads one of these chapters of the rules.
    Rules(Vec<ChapterLink>),
    /// The person makes their sealed declaration standing orders.
    Always,
    /// The person leaves their seat and stays the host.
    Leave,
    /// The person ends their absence.
    NotAway,
    /// The person ends the game as a draw by their vote alone, at this revision of the table.
    AgreeToDraw { revision: String },
    /// The person does the act that was shown, for good.
    Act { declared: Declaration },
    /// The person closes the window, at this revision of the table.
    Close { revision: String },
    /// The person ends the table, at this revision and for this reason.
    End { revision: String, reason: String },
}

impl From<String> for ConversationAnswer {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl ConversationAnswer {
    /// Returns an answer with one next step.
    pub(super) fn asking(text: String, next: NextStep) -> Self {
        Self { text, next_steps: vec![next], ..Self::default() }
    }

    /// Returns the whole answer as one text, for front ends without files.
    pub fn written(mut self) -> String {
        follow(&mut self.text, &self.verbatim);
        self.text
    }

    /// Puts the answer below a note.
    pub(super) fn below(self, mut note: String) -> Self {
        follow(&mut note, &self.text);
        Self { text: note, ..self }
    }
}

impl Speaker<'_> {
    /// Writes a letter to the person.
    pub(super) fn write(&self, letter: &impl TypedLetter) -> Result<String> {
        Ok(self.letters.write(self.reader, letter)?)
    }

    /// Answers with a letter.
    pub(super) fn say(&self, letter: &impl TypedLetter) -> Result<ConversationAnswer> {
        Ok(self.write(letter)?.into())
    }

    pub(super) fn refused(&self, refused: Refused, detail: &str) -> Result<String> {
        Ok(self.letters.refused(self.reader, refused, detail)?)
    }

    /// Returns the text of the card with this name.
    pub fn card(&self, input: &str) -> Result<ConversationAnswer> {
        Ok(self.letters.card(self.reader, input)?.into())
    }

    /// Returns every fault of a deck of one's own, with these options of the reader's game.
    pub fn deck(&self, options: &Json, input: &str) -> Result<ConversationAnswer> {
        let chairs = self.reader.game.seats_for(options);
        let opened = self.reader.game.open(options, chairs, Dice::new([0; 32], ""));
        let (contest, _) = opened.map_err(|_| DeclarationRefused::NoOwnDeck)?;
        self.checked_deck(&*contest, Seat::new(0), Declaration::default(), input)
    }

    /// Checks a deck as an answer of this seat, together with its other answers.
    fn checked_deck(
        &self,
        contest: &dyn AnyContest,
        seat: Seat,
        mut answers: Declaration,
        input: &str,
    ) -> Result<ConversationAnswer> {
        let asked = asked_for_a_deck(contest, seat, &answers);
        let Question { key, clause, .. } = asked.ok_or(DeclarationRefused::NoOwnDeck)?;
        answers.set(key.clone(), Answer::Given(Value::Text(input.to_owned())));
        let mut found = contest.interview(seat, &answers);
        found.faults.retain(|fault| fault.key == key);
        found.notes.retain(|note| note.key == key);
        let checked =
            CheckedDeck { faults: &found.faults, notes: &found.notes, clause: clause.as_str() };
        self.say(&checked)
    }

    /// Returns the rules of the reader's game (a chapter, a clause, the rule of a card, or, for empty input,
    /// a quick start), and the chapters to read next.
    pub fn rules(&self, input: &str) -> Result<ConversationAnswer> {
        let shown = self.letters.rules(self.reader, input)?;
        Ok(ConversationAnswer {
            text: shown.text,
            next_steps: vec![NextStep::Rules(shown.chapters)],
            ..ConversationAnswer::default()
        })
    }

    /// Sets the person's absence from all of their tables, unless `period` is `None`, and shows it.
    pub async fn away(
        &self,
        period: Option<Result<Period, PeriodFault>>,
        zone: Tz,
    ) -> Result<ConversationAnswer> {
        match period.transpose() {
            Ok(None) => {}
            Ok(Some(Period { from, until })) => {
                away::away(self.desk, self.account, from, until, self.now).await?;
            }
            Err(fault) => {
                return Ok(self.letters.period_fault(self.reader, &fault)?.into());
            }
        }
        let Whereabouts { away, tables } = whereabouts(self.desk, self.account, self.now).await?;
        let away =
            away.map(|away| (Moment::at(away.from_at, zone), Moment::end_at(away.until_at, zone)));
        let next_steps = if away.is_some() { vec![NextStep::NotAway] } else { Vec::new() };
        let text = self.letters.whereabouts(self.reader, away, &tables)?;
        Ok(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() })
    }

    /// Changes the person's settings for all of their tables, and shows them.
    pub async fn me(
        &self,
        change: impl FnOnce(PersonSettings) -> Result<PersonSettings, SettingsFault>,
    ) -> Result<ConversationAnswer> {
        let before = person_settings(self.desk, self.account).await?;
        let settings = match change(before) {
            Ok(settings) => settings,
            Err(SettingsFault::Pace(fault)) => {
                return Ok(self.letters.pace_fault(self.reader, &fault)?.into());
            }
            Err(fault) => {
                return self.say(&SettingsMisread { fault: json!(fault) });
            }
        };
        if settings != before {
            set_person(self.desk, self.account, self.reader.lang, settings).await?;
        }
        let quiet = settings.quiet.map(|quiet| format!("{}-{}", quiet.from, quiet.to));
        let own = OwnSettings {
            zone: settings.zone.map(Tz::name),
            quiet: quiet.as_deref(),
            way: settings.way.into(),
            moments: settings.moments.into(),
        };
        self.say(&own)
    }

    /// Ends the person's absence at one table, or at all of theirs if `at` is `None`.
    pub async fn back(&self, at: Option<&TableCode>) -> Result<ConversationAnswer> {
        match at {
            Some(code) => back_at(self.desk, code, self.account, self.now).await?,
            None => back_everywhere(self.desk, self.account, self.now).await?,
        }
        self.say(&Home {})
    }

    /// Returns the person's tables, the soonest deadline first, and their attendance record. The front end
    /// writes the line for each table.
    pub async fn my(&self, line: impl Fn(&Mine) -> Written) -> Result<ConversationAnswer> {
        let OwnList { tables, more } = mine(self.desk, self.account, self.now).await?;
        let tables = tables.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        let reputation = reputation::reputation(self.desk, self.account, self.now).await?;
        let own =
            OwnTables { tables: &tables, more, lately: reputation.lately, long: reputation.long };
        self.say(&own)
    }
}

/// A result, by default of something said about a table.
pub(crate) type Result<T, E = ConversationError> = std::result::Result<T, E>;

/// An error in a conversation, or the refusal of a command.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error(transparent)]
    NotDone(#[from] NotDone),
    /// Refused because of this word of the input.
    #[error("refused: {0:?} ({1})")]
    RefusedFor(Refused, String),
    #[error(transparent)]
    Letter(#[from] LetterFault),
}

from_refusals!(ConversationError, |refused| NotDone::Refused(refused).into());

impl From<ConversationError> for std::io::Error {
    fn from(broken: ConversationError) -> Self {
        Self::other(broken)
    }
}

impl From<Unwritten> for ConversationError {
    fn from(unwritten: Unwritten) -> Self {
        match unwritten {
            Unwritten::Letter(fault) => fault.into(),
            Unwritten::NoGame(_) => StoreError::Unreadable(unwritten.to_string()).into(),
        }
    }
}

impl From<StoreError> for ConversationError {
    fn from(error: StoreError) -> Self {
        Self::NotDone(error.into())
    }
}

impl ConversationError {
    /// Returns the refusal and the word that caused it. A store error is logged and becomes a refusal; a
    /// faulty letter is returned as the error.
    pub fn refusal(self) -> Result<(Refused, String), Self> {
        let error = match self {
            Self::NotDone(NotDone::Refused(refused)) => return Ok((refused, String::new())),
            Self::RefusedFor(refused, detail) => return Ok((refused, detail)),
            Self::NotDone(NotDone::Store(error)) => error,
            broken => return Err(broken),
        };
        tracing::error!(%error, "could not be saved");
        let refused = match error {
            StoreError::Full => KeepingRefused::NoRoom,
            StoreError::ReadOnly => KeepingRefused::ReadOnly,
            _ => KeepingRefused::Unsaved,
        };
        Ok((refused.into(), String::new()))
    }
}

/// Returns the code of a table as typed. The desk checks that there is such a table.
pub fn table_code(typed: &str) -> TableCode {
    text::fold(typed.trim()).to_uppercase().into()
}

/// Seats a guest at a table, or changes the value brought by a guest who is seated. The words, if any, choose
/// the value that is mixed into the seed of the dice; the chair, if any, is taken unless the game has begun.
pub async fn join(
    desk: &Desk,
    code: &TableCode,
    guest: Contact,
    (words, chair): (Option<&str>, Option<Seat>),
    now: Time,
) -> Result<Seat, NotDone> {
    let words = words.map(str::trim).unwrap_or_default();
    let brought = Brought::read(words).map_err(|_| SeatRefused::NoPromise)?;
    join_at(desk, code, guest, brought, chair, now).await
}

/// True if these words name a chair, such as `P3`, which need not exist, and are no value for the dice.
pub fn names_chair(words: &str) -> bool {
    let folded = text::fold(words.trim());
    let digits = folded.strip_prefix('p').unwrap_or_default();
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// Returns the table's chair with this name.
/// Refused if there is none.
pub fn named_chair(sight: &Sight, input: &str) -> Result<Seat> {
    let input = text::fold(input.trim()).to_uppercase();
    let chair = input.parse::<Seat>().ok().filter(|chair| chair.index() < sight.chairs);
    chair.ok_or_else(|| {
        let free = Seat::all(sight.chairs).filter(|chair| !sight.taken.contains(chair));
        ConversationError::RefusedFor(SeatRefused::NoChair(free.collect()).into(), input)
    })
}

impl Conversation<'_> {
    /// `None` unless the person's vote alone ends the game; otherwise the question to confirm it.
    fn ask_to_draw(&self, ballot: &Ballot) -> Result<Option<ConversationAnswer>> {
        let sight = self.sight;
        let is_own = sight.seat.is_some_and(|seat| sight.taken.contains(&seat));
        let ends =
            matches!(ballot, Ballot::Propose(Override::End)) && sight.stage == Stage::Playing;
        if !ends || !is_own || sight.taken.iter().any(|&seat| self.votes_beside(seat)) {
            return Ok(None);
        }
        let Speaker { letters, reader, .. } = self.speaker;
        let text = letters.write(reader, &OwnVoiceAlone {})?;
        Ok(Some(ConversationAnswer::asking(
            text,
            NextStep::AgreeToDraw { revision: sight.revision.clone() },
        )))
    }

    /// True if another person, who has a vote, sits on the seat.
    fn votes_beside(&self, seat: Seat) -> bool {
        self.sight.seat != Some(seat) && !self.sight.house.contains(&seat)
    }

    /// Proposes a motion, votes, or shows the open votes. Returns the outcome, `None` if the input could not
    /// be read, and its text. A vote that ends the game alone is asked about first, unless the person was
    /// asked at this revision of the table.
    pub async fn vote(
        &self,
        ballot: Result<Ballot, VoteFault>,
        asked_at: Option<&str>,
    ) -> Result<(Option<Balloted>, ConversationAnswer)> {
        let speaker = &self.speaker;
        let ballot = match ballot {
            Ok(ballot) => ballot,
            Err(fault) => {
                return Ok((None, fault.words(speaker.letters, speaker.reader)?.into()));
            }
        };
        if asked_at != Some(&self.sight.revision)
            && let Some(asked) = self.ask_to_draw(&ballot)?
        {
            return Ok((None, asked));
        }
        let code = &self.sight.code;
        let balloted =
            ballot::ballot(speaker.desk, code, speaker.account, &ballot, speaker.now).await?;
        let words = balloted.words(speaker.letters, speaker.reader, self.sight.zone)?;
        Ok((Some(balloted), words.into()))
    }

    /// `None` if the person has no substitute; otherwise the substitute's address and the end of the
    /// substitution.
    pub async fn substitute(&self) -> Result<Option<(Address, Time)>> {
        let Speaker { desk, now, .. } = self.speaker;
        Ok(away::substitute(desk, &self.sight.code, self.sight.seated()?, now).await?)
    }

    /// Closes the open window for whoever leads the table: immediately if nobody's time is cut short, or at
    /// the revision that was shown with the question.
    pub async fn close(&self, asked_at: Option<&str>) -> Result<ConversationAnswer> {
        if asked_at.is_none()
            && let Some(asked) = self.ask_close()?
        {
            return Ok(asked);
        }
        let revision = asked_at.unwrap_or(&self.sight.revision);
        let speaker = &self.speaker;
        let code = &self.sight.code;
        match host::close(speaker.desk, code, self.gm(), Some(revision), speaker.now).await {
            Err(NotDone::Refused(Refused::MovedOn)) => {}
            closed => return Ok(closed.map(|()| ConversationAnswer::default())?),
        }
        let sight = self.see_again().await?;
        let again = Conversation { sight: &sight, ..*self };
        let shown = match again.ask_close()? {
            Some(asked) => asked,
            None => again.position().await?,
        };
        Ok(shown.below(speaker.refused(Refused::MovedOn, "")?))
    }

    /// `None` if nobody's time would be cut short; otherwise the question, with the people concerned.
    fn ask_close(&self) -> Result<Option<ConversationAnswer>> {
        is_led(self.sight)?;
        let Some(closing) = self.sight.closing(self.speaker.now) else { return Ok(None) };
        let text = self.speaker.write(&closing)?;
        Ok(Some(ConversationAnswer::asking(
            text,
            NextStep::Close { revision: self.sight.revision.clone() },
        )))
    }

    /// Ends the table for whoever leads it, for a reason that may be empty, at the revision that was shown.
    /// If `asked_at` is `None`, shows the loss and asks.
    pub async fn end(&self, reason: &str, asked_at: Option<&str>) -> Result<ConversationAnswer> {
        let Some(revision) = asked_at else { return self.ask_end(reason) };
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let given_reason = Some(reason).filter(|reason| !reason.is_empty());
        let ended =
            host::end(speaker.desk, code, self.gm(), given_reason, Some(revision), speaker.now);
        match ended.await {
            Err(NotDone::Refused(Refused::MovedOn)) => {
                let sight = self.see_again().await?;
                let asked = Conversation { sight: &sight, ..*self }.ask_end(reason)?;
                Ok(asked.below(speaker.refused(Refused::MovedOn, "")?))
            }
            ended => Ok(ended.map(|()| ConversationAnswer::default())?),
        }
    }

    fn ask_end(&self, reason: &str) -> Result<ConversationAnswer> {
        is_led(self.sight)?;
        let text = self.speaker.write(&self.sight.ending(reason))?;
        let (revision, reason) = (self.sight.revision.clone(), reason.to_owned());
        Ok(ConversationAnswer::asking(text, NextStep::End { revision, reason }))
    }

    /// Leaves the seat before the game begins. A host with other players is asked first, unless `was_asked`.
    pub async fn leave(&self, was_asked: bool) -> Result<ConversationAnswer> {
        let (speaker, sight) = (&self.speaker, self.sight);
        let is_other = |seat: &Seat| Some(*seat) != sight.seat;
        let others: Vec<Seat> = sight.taken.iter().copied().filter(is_other).collect();
        let is_sitting = sight.seat.is_some_and(|seat| sight.taken.contains(&seat));
        let leads_others = sight.is_host && is_sitting && !others.is_empty();
        if leads_others && sight.stage == Stage::Forming && !was_asked {
            let leaves = HostLeaves { code: &sight.code, others };
            let text = speaker.write(&leaves)?;
            return Ok(ConversationAnswer::asking(text, NextStep::Leave));
        }
        form::leave(speaker.desk, &sight.code, speaker.account, speaker.now).await?;
        Ok(ConversationAnswer::default())
    }

    async fn see_again(&self) -> Result<Sight, NotDone> {
        let speaker = &self.speaker;
        see_as(speaker.desk, &self.sight.code, &self.gm(), speaker.now).await
    }

    fn gm(&self) -> Gm {
        self.sight.gm.clone().unwrap_or_else(|| self.speaker.account.into())
    }

    /// Returns the person's hand, their cards on the table, their standing orders and their declarations.
    pub fn hand(&self) -> Result<ConversationAnswer> {
        let (play, seat) = self.sight.seated_in_play()?;
        let report = play.contest.report(self.sight.viewer());
        let speaker = &self.speaker;
        let mut text = speaker.write(&OwnHand { seat, report: &report })?;
        if !play.orders.is_empty() {
            let orders = OrdersShown::of(&self.sight.ordering(&play.orders));
            let orders = OrdersShown { beside_hand: true, ..orders };
            follow(&mut text, &speaker.write(&orders)?);
        }
        if !play.next.is_empty() {
            let next = NextDeclarationShown::of(&self.sight.form(&play.next));
            let next = NextDeclarationShown { beside_hand: true, ..next };
            follow(&mut text, &speaker.write(&next)?);
        }
        if !play.own.is_empty() && play.shut.is_none() {
            follow(&mut text, &self.echo(&self.sight.form(&play.own), &[])?);
        }
        let acts = || self.sight.acting(&Declaration::default()).is_asking();
        let says = self.sight.stage == Stage::Playing && (self.sight.is_asked() || acts());
        let before = play.contest.cards_before(seat);
        let has_cards = !before.held.is_empty() || !before.on_table.is_empty();
        let next_steps = [(says, NextStep::Declare), (has_cards, NextStep::Cards)];
        let next_steps = next_steps.into_iter().filter(|(is_there, _)| *is_there);
        let next_steps = next_steps.map(|(_, next)| next).collect();
        Ok(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() })
    }

    /// Returns the text of the card with this name; for empty input, of the cards that the person has before
    /// them, or all cards of the game.
    pub fn card(&self, input: &str) -> Result<ConversationAnswer> {
        if !input.is_empty() {
            return self.speaker.card(input);
        }
        let seated = self.sight.play.as_ref().zip(self.sight.seat);
        let before = seated.map(|(play, seat)| play.contest.cards_before(seat)).unwrap_or_default();
        Ok(self.speaker.letters.cards(self.speaker.reader, &before)?.into())
    }

    /// Returns every fault of a deck of one's own: beside the declaration if the open window asks for a deck,
    /// otherwise with the options of the table. Empty input means the deck of the declaration.
    pub fn deck(&self, input: &str) -> Result<ConversationAnswer> {
        let seated = self.sight.play.as_ref().zip(self.sight.seat);
        let asked = seated.and_then(|(play, seat)| {
            let question = asked_for_a_deck(&*play.contest, seat, &play.own)?;
            Some((play, seat, play.own.get(&question.key).and_then(Answer::value)))
        });
        let input = match &asked {
            Some((_, _, Some(Value::Text(drafted)))) if input.is_empty() => drafted,
            _ if input.is_empty() => return Err(DeclarationRefused::NoDeckGiven.into()),
            _ => input,
        };
        match asked {
            Some((play, seat, _)) => {
                self.speaker.checked_deck(&*play.contest, seat, play.own.clone(), input)
            }
            None => self.speaker.deck(&self.sight.options, input),
        }
    }

    /// Returns the result of the last window, in the full form of the source, and the position (E7); at a
    /// terminal the position alone, since the log has the results.
    pub async fn position(&self) -> Result<ConversationAnswer> {
        let Speaker { letters, reader, desk, now, .. } = self.speaker;
        let past = past::past(desk, self.sight, now).await?;
        let last = self.sight.over(&past).last().filter(|_| !reader.plain);
        let Some((play, last)) = self.sight.play.as_ref().zip(last) else {
            let position = self.sight.position(letters, reader, reader.plain)?;
            return Ok(self.with_side(position).await?.into());
        };
        let report = play.contest.report(self.sight.viewer());
        let mut text = letters.result(reader, &last.entries, &report, ResultForm::Full)?;
        follow(&mut text, &self.sight.beside_the_board(play, letters, reader)?);
        Ok(self.with_side(text).await?.into())
    }

    /// Returns the log of the table so far.
    pub async fn log(&self) -> Result<ConversationAnswer> {
        let past = past::past(self.speaker.desk, self.sight, self.speaker.now).await?;
        let windows = past.iter();
        let windows = windows
            .map(|past| WindowResult { number: past.round, entries: &past.entries })
            .collect::<Vec<_>>();
        Ok(self.speaker.letters.log(self.speaker.reader, &windows)?.into())
    }

    /// Returns the rulings of a root window, by its number.
    pub async fn why_in(&self, round: Round) -> Result<ConversationAnswer> {
        let Speaker { letters, reader, desk, now, .. } = self.speaker;
        let past = past::past(desk, self.sight, now).await?;
        let past = past.iter().find(|past| past.round == round);
        let past = past.ok_or(OverrideRefused::NoWindow)?;
        Ok(letters.why(reader, &past.entries)?.into())
    }

    /// Returns the reason why the window is still open, the reason for the last close, and the rulings of the
    /// last result.
    pub async fn why(&self) -> Result<ConversationAnswer> {
        let Speaker { letters, reader, desk, now, .. } = self.speaker;
        let past = past::past(desk, self.sight, now).await?;
        let mut text = self.sight.why_open(letters, reader, now)?;
        if let Some(last) = last_close(desk, self.sight, now).await? {
            follow(&mut text, &letters.write(reader, &last)?);
        }
        // The first result is the deal.
        if let Some(last) = self.sight.over(&past).iter().skip(1).next_back() {
            follow(&mut text, &letters.why(reader, &last.entries)?);
        }
        refuse_if(text.is_empty(), Refused::NothingRuled)?;
        Ok(text.into())
    }

    /// Returns the person's receipts and, once the table is over, the commands that compute each of them
    /// again.
    pub async fn receipts(&self) -> Result<ConversationAnswer> {
        let speaker = &self.speaker;
        let receipts =
            past::receipts(speaker.desk, self.sight, speaker.account, speaker.now).await?;
        let text = receipts.written(speaker.letters, speaker.reader, self.sight.zone)?;
        Ok(ConversationAnswer {
            text,
            verbatim: receipts.commands(),
            ..ConversationAnswer::default()
        })
    }

    /// Replays a table that is over, and compares it with the posted heads of its journal.
    pub async fn verify(&self, heads: &[Head]) -> Result<ConversationAnswer> {
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let replay = verify::verify(speaker.desk, code, speaker.now).await?;
        Ok(replay.written(speaker.letters, speaker.reader, code, heads)?.into())
    }

    /// Writes a line to the speaker's side, unless it is empty, and shows the view of the side.
    pub async fn side(&self, input: &str) -> Result<ConversationAnswer> {
        let Speaker { desk, account, letters, reader, now } = self.speaker;
        let input = input.trim();
        if !input.is_empty() {
            write_to_side(desk, self.sight, account, input, now).await?;
        }
        let own = self.sight.play.as_ref().map(|play| play.own.clone()).unwrap_or_default();
        if let Some(shown) = self.side_beside(&own, LINES).await? {
            return Ok(shown.into());
        }
        let (play, _) = self.sight.seated_in_game()?;
        // The window has closed, and nothing has been written.
        let shut = self.sight.shut(letters, reader)?.filter(|_| !play.partners.is_empty());
        Ok(shut.ok_or(DeclarationRefused::NoSide)?.into())
    }

    /// Returns the view of the speaker's side with their draft and a limited number of lines; empty without
    /// partners.
    pub async fn side_beside(&self, own: &Declaration, lines: u32) -> Result<Option<String>> {
        let Speaker { desk, letters, reader, .. } = self.speaker;
        let Some(side) = see::side(desk, self.sight, own, lines).await? else { return Ok(None) };
        let shown = self.sight.side_shown(&side, letters, reader)?;
        Ok((!shown.is_empty()).then_some(shown))
    }

    /// Returns the result of the drafts of the speaker's side with theirs; empty without partners.
    pub async fn plan_beside(&self, own: &Declaration) -> Result<String> {
        let Speaker { desk, letters, reader, .. } = self.speaker;
        match see::side(desk, self.sight, own, 0).await? {
            Some(side) => Ok(side.plan_shown(letters, reader)?),
            None => Ok(String::new()),
        }
    }

    /// Returns a text with the view of the speaker's side below it.
    pub(super) async fn with_side(&self, mut text: String) -> Result<String> {
        let own = self.sight.play.as_ref().map(|play| play.own.clone()).unwrap_or_default();
        if let Some(side) = self.side_beside(&own, LINES_BESIDE).await? {
            follow(&mut text, &side);
        }
        Ok(text)
    }
}

fn is_led(sight: &Sight) -> Result<(), Refused> {
    match sight.stage {
        _ if !sight.leads => Err(Refused::NotLeader),
        Stage::Over => Err(Refused::Over),
        Stage::Forming | Stage::Playing => Ok(()),
    }
}

/// Returns the question for a deck of one's own, `None` if a seat with these answers is not asked for one.
fn asked_for_a_deck(
    contest: &dyn AnyContest,
    seat: Seat,
    answers: &Declaration,
) -> Option<Question> {
    let asked = contest.interview(seat, answers).asked.into_iter().map(|asked| asked.question);
    asked.into_iter().find(Question::is_list)
}

/// The maximum number of a side's lines shown with other text.
pub const LINES_BESIDE: u32 = 2;

/// The maximum number of a side's lines shown in its own view.
const LINES: u32 = 30;
