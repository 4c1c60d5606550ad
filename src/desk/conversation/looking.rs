//! Views on request: the hand, the table, the log, cards, and the rules.

use super::{Conversation, ConversationAnswer, ConversationError, NextStep, Speaker};
use crate::audit::verify;
use crate::view::why::last_close;
use crate::view::{past, receipts};
use games::any::AnyContest;
use letters::{
    CheckedDeck, DeclarationRefused, NextDeclarationShown, OrdersShown, OverrideRefused, OwnHand,
    Refused, WindowResult, follow,
};
use rules::question::Question;
use rules::receipt::Head;
use rules::{Answer, Declaration, Dice, Round, Seat, Value};
use serde_json::Value as Json;
use tables::{ResultForm, Stage};

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
            receipts::receipts(speaker.desk, self.sight, speaker.account, speaker.now).await?;
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
