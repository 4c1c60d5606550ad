//! Views on request: the hand, the table, the log, cards, and the rules.

use chrono_tz::Tz;
use serde_json::{Value as Json, json};

use crate::absence::away::{self, back_at, back_everywhere, whereabouts};
use crate::absence::reputation;
use crate::audit::verify;
use crate::conversation::{Conversation, ConversationAnswer, ConversationError, NextStep, Speaker};
use crate::person::kept::{person_settings, set_person};
use crate::person::said_ahead::write_to_side;
use crate::view::dashboard::mine;
use crate::view::past::{self, last_close};
use crate::view::see;
use crate::{Mine, OwnList, Whereabouts};
use games::any::AnyContest;
use letters::{
    CheckedDeck, DeclarationRefused, Home, LetterFault, Moment, NextDeclarationShown, OrdersShown,
    OverrideRefused, OwnHand, OwnSettings, OwnTables, Refused, SettingsMisread, WindowResult,
    follow,
};
use rules::question::Question;
use rules::receipt::Head;
use rules::{Answer, Declaration, Dice, Round, Seat, Value};
use tables::absence::{Period, PeriodFault};
use tables::calling::SettingsFault;
use tables::ids::TableCode;
use tables::{PersonSettings, ResultForm, Stage};

impl Speaker<'_> {
    /// Returns the text of the card with this name.
    pub fn card(&self, input: &str) -> Result<ConversationAnswer, ConversationError> {
        Ok(ConversationAnswer::words(self.letters.card(self.reader, input)?))
    }

    /// Returns every fault of a deck of one's own, with these options of the reader's game.
    pub fn deck(
        &self,
        options: &Json,
        input: &str,
    ) -> Result<ConversationAnswer, ConversationError> {
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
    ) -> Result<ConversationAnswer, ConversationError> {
        let asked = asked_for_a_deck(contest, seat, &answers);
        let Question { key, clause, .. } = asked.ok_or(DeclarationRefused::NoOwnDeck)?;
        answers.set(key.clone(), Answer::Given(Value::Text(input.to_owned())));
        let mut found = contest.interview(seat, &answers);
        found.faults.retain(|fault| fault.key == key);
        found.notes.retain(|note| note.key == key);
        let checked =
            CheckedDeck { faults: &found.faults, notes: &found.notes, clause: clause.as_str() };
        Ok(ConversationAnswer::words(self.letters.write(self.reader, &checked)?))
    }

    /// Returns the rules of the reader's game (a chapter, a clause, the rule of a card, or, for empty input,
    /// a quick start), and the chapters to read next.
    pub fn rules(&self, input: &str) -> Result<ConversationAnswer, ConversationError> {
        let shown = self.letters.rules(self.reader, input)?;
        Ok(ConversationAnswer {
            text: shown.text,
            next_steps: vec![NextStep::Rules(shown.chapters)],
            ..ConversationAnswer::default()
        })
    }
}

impl Conversation<'_> {
    /// Returns the person's hand, their cards on the table, their standing orders and their declarations.
    pub fn hand(&self) -> Result<ConversationAnswer, ConversationError> {
        let (play, seat) = self.sight.seated_in_play()?;
        let report = play.contest.report(self.sight.viewer());
        let speaker = &self.speaker;
        let mut text = speaker.letters.write(speaker.reader, &OwnHand { seat, report: &report })?;
        if !play.orders.is_empty() {
            let orders = OrdersShown::of(&self.sight.ordering(&play.orders));
            let orders = OrdersShown { beside_hand: true, ..orders };
            follow(&mut text, &speaker.letters.write(speaker.reader, &orders)?);
        }
        if !play.next.is_empty() {
            let next = NextDeclarationShown::of(&self.sight.form(&play.next));
            let next = NextDeclarationShown { beside_hand: true, ..next };
            follow(&mut text, &speaker.letters.write(speaker.reader, &next)?);
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
    pub fn card(&self, input: &str) -> Result<ConversationAnswer, ConversationError> {
        if !input.is_empty() {
            return self.speaker.card(input);
        }
        let seated = self.sight.play.as_ref().zip(self.sight.seat);
        let before = seated.map(|(play, seat)| play.contest.cards_before(seat)).unwrap_or_default();
        let text = self.speaker.letters.cards(self.speaker.reader, &before)?;
        Ok(ConversationAnswer::words(text))
    }

    /// Returns every fault of a deck of one's own: beside the declaration if the open window asks for a deck,
    /// otherwise with the options of the table.
    pub fn deck(&self, input: &str) -> Result<ConversationAnswer, ConversationError> {
        let seated = self.sight.play.as_ref().zip(self.sight.seat);
        let asked = seated
            .filter(|(play, seat)| asked_for_a_deck(&*play.contest, *seat, &play.own).is_some());
        match asked {
            Some((play, seat)) => {
                self.speaker.checked_deck(&*play.contest, seat, play.own.clone(), input)
            }
            None => self.speaker.deck(&self.sight.options, input),
        }
    }

    /// Returns the result of the last window, in the full form of the source, and the position (E7); at a
    /// terminal the position alone, since the log has the results.
    pub async fn position(&self) -> Result<ConversationAnswer, ConversationError> {
        let Speaker { letters, reader, desk, now, .. } = self.speaker;
        let past = past::past(desk, self.sight, now).await?;
        let last = self.sight.over(&past).last().filter(|_| !reader.plain);
        let Some((play, last)) = self.sight.play.as_ref().zip(last) else {
            let position = self.sight.position(letters, reader)?;
            return Ok(ConversationAnswer::words(self.with_side(position).await?));
        };
        let report = play.contest.report(self.sight.viewer());
        let mut text = letters.result(reader, &last.entries, &report, ResultForm::Full)?;
        follow(&mut text, &self.sight.beside_the_board(play, letters, reader)?);
        Ok(ConversationAnswer::words(self.with_side(text).await?))
    }

    /// Returns the log of the table so far.
    pub async fn log(&self) -> Result<ConversationAnswer, ConversationError> {
        let past = past::past(self.speaker.desk, self.sight, self.speaker.now).await?;
        let windows = past.iter();
        let windows = windows
            .map(|past| WindowResult { number: past.round, entries: &past.entries })
            .collect::<Vec<_>>();
        Ok(ConversationAnswer::words(self.speaker.letters.log(self.speaker.reader, &windows)?))
    }

    /// Returns the rulings of a root window, by its number.
    pub async fn why_in(&self, round: Round) -> Result<ConversationAnswer, ConversationError> {
        let Speaker { letters, reader, desk, now, .. } = self.speaker;
        let past = past::past(desk, self.sight, now).await?;
        let past = past.iter().find(|past| past.round == round);
        let past = past.ok_or(OverrideRefused::NoWindow)?;
        Ok(ConversationAnswer::words(letters.why(reader, &past.entries)?))
    }

    /// Returns the reason why the window is still open, the reason for the last close, and the rulings of the
    /// last result.
    pub async fn why(&self) -> Result<ConversationAnswer, ConversationError> {
        let Speaker { letters, reader, desk, now, .. } = self.speaker;
        let past = past::past(desk, self.sight, now).await?;
        let mut text = self.sight.why_open(letters, reader, now)?;
        if let Some(last) = last_close(desk, self.sight, now).await? {
            follow(&mut text, &last.written(self.sight, letters, reader)?);
        }
        // The first result is the deal.
        if let Some(last) = self.sight.over(&past).iter().skip(1).next_back() {
            follow(&mut text, &letters.why(reader, &last.entries)?);
        }
        if text.is_empty() {
            return Err(Refused::NothingRuled.into());
        }
        Ok(ConversationAnswer::words(text))
    }

    /// Returns the person's receipts and, once the table is over, the commands that compute each of them
    /// again.
    pub async fn receipts(&self) -> Result<ConversationAnswer, ConversationError> {
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
    pub async fn verify(&self, heads: &[Head]) -> Result<ConversationAnswer, ConversationError> {
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let replay = verify::verify(speaker.desk, code, speaker.now).await?;
        Ok(ConversationAnswer::words(replay.written(
            speaker.letters,
            speaker.reader,
            code,
            heads,
        )?))
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

impl Speaker<'_> {
    /// Sets the person's absence from all of their tables, unless `period` is `None`, and shows it.
    pub async fn away(
        &self,
        period: Option<Result<Period, PeriodFault>>,
        zone: Tz,
    ) -> Result<ConversationAnswer, ConversationError> {
        match period.transpose() {
            Ok(None) => {}
            Ok(Some(Period { from, until })) => {
                away::away(self.desk, self.account, from, until, self.now).await?;
            }
            Err(fault) => {
                return Ok(ConversationAnswer::words(
                    self.letters.period_fault(self.reader, &fault)?,
                ));
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
    ) -> Result<ConversationAnswer, ConversationError> {
        let before = person_settings(self.desk, self.account).await?;
        let settings = match change(before) {
            Ok(settings) => settings,
            Err(SettingsFault::Pace(fault)) => {
                let text = self.letters.pace_fault(self.reader, &fault)?;
                return Ok(ConversationAnswer::words(text));
            }
            Err(fault) => {
                let misread = SettingsMisread { fault: json!(fault) };
                return Ok(ConversationAnswer::words(self.letters.write(self.reader, &misread)?));
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
        Ok(ConversationAnswer::words(self.letters.write(self.reader, &own)?))
    }

    /// Ends the person's absence at one table, or at all of theirs if `at` is `None`.
    pub async fn back(
        &self,
        at: Option<&TableCode>,
    ) -> Result<ConversationAnswer, ConversationError> {
        match at {
            Some(code) => back_at(self.desk, code, self.account, self.now).await?,
            None => back_everywhere(self.desk, self.account, self.now).await?,
        }
        Ok(ConversationAnswer::words(self.letters.write(self.reader, &Home {})?))
    }

    /// Returns the person's tables, the soonest deadline first, and their attendance record. The front end
    /// writes the line for each table.
    pub async fn my(
        &self,
        line: impl Fn(&Mine) -> Result<String, LetterFault>,
    ) -> Result<ConversationAnswer, ConversationError> {
        let OwnList { tables, more } = mine(self.desk, self.account, self.now).await?;
        let tables = tables.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        let reputation = reputation::reputation(self.desk, self.account, self.now).await?;
        let own =
            OwnTables { tables: &tables, more, lately: reputation.lately, long: reputation.long };
        Ok(ConversationAnswer::words(self.letters.write(self.reader, &own)?))
    }
}

/// The maximum number of a side's lines shown with other text.
pub const LINES_BESIDE: u32 = 2;

/// The maximum number of a side's lines shown in its own view.
const LINES: u32 = 30;

impl Conversation<'_> {
    /// Writes a line to the speaker's side, unless it is empty, and shows the view of the side.
    pub async fn side(&self, input: &str) -> Result<ConversationAnswer, ConversationError> {
        let Speaker { desk, account, letters, reader, now } = self.speaker;
        let input = input.trim();
        if !input.is_empty() {
            write_to_side(desk, self.sight, account, input, now).await?;
        }
        let own = self.sight.play.as_ref().map(|play| play.own.clone()).unwrap_or_default();
        if let Some(shown) = self.side_beside(&own, LINES).await? {
            return Ok(ConversationAnswer::words(shown));
        }
        let (play, _) = self.sight.seated_in_game()?;
        // The window has closed, and nothing has been written.
        let shut = self.sight.shut(letters, reader)?.filter(|_| !play.partners.is_empty());
        Ok(ConversationAnswer::words(shut.ok_or(DeclarationRefused::NoSide)?))
    }

    /// Returns the view of the speaker's side with their draft and a limited number of lines; empty without
    /// partners.
    pub async fn side_beside(
        &self,
        own: &Declaration,
        lines: u32,
    ) -> Result<Option<String>, ConversationError> {
        let Speaker { desk, letters, reader, .. } = self.speaker;
        let Some(side) = see::side(desk, self.sight, own, lines).await? else { return Ok(None) };
        let shown = self.sight.side_shown(&side, letters, reader)?;
        Ok((!shown.is_empty()).then_some(shown))
    }

    /// Returns the result of the drafts of the speaker's side with theirs; empty without partners.
    pub async fn plan_beside(&self, own: &Declaration) -> Result<String, ConversationError> {
        let Speaker { desk, letters, reader, .. } = self.speaker;
        match see::side(desk, self.sight, own, 0).await? {
            Some(side) => Ok(side.plan_shown(letters, reader)?),
            None => Ok(String::new()),
        }
    }

    /// Returns a text with the view of the speaker's side below it.
    pub(super) async fn with_side(&self, mut text: String) -> Result<String, ConversationError> {
        let own = self.sight.play.as_ref().map(|play| play.own.clone()).unwrap_or_default();
        if let Some(side) = self.side_beside(&own, LINES_BESIDE).await? {
            follow(&mut text, &side);
        }
        Ok(text)
    }
}
