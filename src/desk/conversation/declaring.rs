//! Declarations by input: a draft, a seal, withdrawing both, and making a seal a standing order.

use std::sync::Arc;

use crate::conversation::speaker::{
    Conversation, ConversationAnswer, ConversationError, NextStep, Result, Speaker,
};
use crate::model::refuse_if;
use crate::person::said_ahead::{self, declare_next, give_orders};
use crate::view::see;
use crate::window::act::{PressedControl, act_by};
use crate::window::declare;
use crate::{DeclarationStatus, OrdersWord, ReceivedDeclaration, StandingOrders};
use letters::{
    DeclarationRefused, Echoed, NextDeclarationShown, OrdersShown, Refused, SaidAgain, SureToAct,
    UnreadPiece, WithdrawnParts,
};
use rules::question::Shape;
use rules::text::{self, NamedPart, Reading};
use rules::{
    Answer, Asked, Declaration, Fault, Interview, Key, Question, StillStanding, Value, said_again,
    tidy,
};

impl Conversation<'_> {
    /// Replaces the person's declaration.
    pub async fn declare(
        &self,
        declaration: &Declaration,
        status: DeclarationStatus,
    ) -> Result<ReceivedDeclaration> {
        self.declare_as_read(declaration, self.sight.form(declaration), status).await
    }

    /// Replaces the person's declaration with one that has been parsed already.
    pub async fn declare_as_read(
        &self,
        declaration: &Declaration,
        interview: Interview,
        status: DeclarationStatus,
    ) -> Result<ReceivedDeclaration> {
        let Speaker { desk, account, now, .. } = self.speaker;
        let seen = self.sight.play.as_ref().zip(self.sight.seat);
        let seen = seen.map(|(play, seat)| (Arc::clone(&play.ground), seat, interview));
        Ok(declare::declare(desk, &self.sight.code, account, declaration, status, seen, now)
            .await?)
    }

    /// Returns the previous declaration, as far as it is asked again and valid, with a note on the rest and
    /// on any other declaration that it replaces.
    pub async fn same(&self, own: &Declaration) -> Result<(Declaration, String)> {
        self.sight.seated_in_game()?;
        let before = see::said_before(self.speaker.desk, self.sight).await?;
        let form = |draft: &Declaration| self.sight.form(draft);
        let again = before.and_then(|before| said_again(&form, &before));
        let again = again.ok_or(DeclarationRefused::NothingToRepeat)?;
        let note = self.note_of(&again, own)?;
        Ok((again.draft, note))
    }

    /// Returns the note on the invalid parts of a previous declaration and on a replaced declaration; empty
    /// if there is neither.
    pub fn note_of(&self, again: &StillStanding, own: &Declaration) -> Result<String> {
        let StillStanding { draft, faults, superfluous } = again;
        let replaces = !own.is_empty() && own.without_orders() != *draft;
        let note = SaidAgain { faults, superfluous, replaces };
        self.speaker.write(&note)
    }

    /// Returns the person's declaration without a section, or an empty one if no section is named, with a note
    /// on what is withdrawn.
    pub fn without(&self, own: &Declaration, section: &str) -> Result<(Declaration, String)> {
        self.sight.seated_in_game()?;
        refuse_if(own.is_empty() && !self.sight.has_sealed(), DeclarationRefused::NothingDeclared)?;
        if section.is_empty() {
            return Ok((Declaration::default(), self.note_of_withdrawn(own, own)?));
        }
        let (named, words) = (NamedPart::read(section), self.sight.words());
        let withdrawn = named.within(own, words.lexicon());
        // A later part that is left out only ends its list.
        if withdrawn.iter().all(|(key, it)| key.number > 1 && *it == Answer::LeftOut) {
            return Err(ConversationError::RefusedFor(
                DeclarationRefused::NothingThere.into(),
                section.to_owned(),
            ));
        }
        let note = self.note_of_withdrawn(&withdrawn, own)?;
        Ok((named.taken_from(own, words.lexicon()), note))
    }

    /// Returns the note on the withdrawn answers of a declaration; empty if none of them is asked.
    fn note_of_withdrawn(&self, withdrawn: &Declaration, from: &Declaration) -> Result<String> {
        let lang = self.speaker.reader.lang;
        let form = self.sight.form(from);
        let parts = text::write(withdrawn, &form, &self.sight.words(), lang);
        if parts.is_empty() {
            return Ok(String::new());
        }
        self.speaker.write(&WithdrawnParts { parts: &parts })
    }

    /// Returns the echo of an accepted declaration, after the input that could not be read.
    pub fn echo_of(
        &self,
        received: &ReceivedDeclaration,
        unread: &[UnreadPiece],
    ) -> Result<String> {
        let closing = self.sight.closing_times(received.timing, self.speaker.now);
        let receipt = received.receipt.as_deref();
        let (sealed, skipped) = (receipt.is_some(), self.sight.is_skipped());
        let unsealed = !sealed && self.sight.has_sealed();
        let echoed = Echoed::of(&received.interview, closing);
        let echoed = Echoed { unread, sealed, unsealed, skipped, receipt, ..echoed };
        self.speaker.write(&echoed)
    }

    /// Returns the echo of the person's declaration, after the input that could not be read.
    pub fn echo(&self, interview: &Interview, unread: &[UnreadPiece]) -> Result<String> {
        let (play, _) = self.sight.seated_in_play()?;
        let closing = self.sight.closing_times(play.timing, self.speaker.now);
        let (sealed, skipped) = (self.sight.has_sealed(), self.sight.is_skipped());
        let echoed = Echoed { unread, sealed, skipped, ..Echoed::of(interview, closing) };
        self.speaker.write(&echoed)
    }

    /// Returns the next step after a seal: to make it a standing order, unless it is one.
    pub fn after_sealing(&self, declared: &Declaration) -> Vec<NextStep> {
        let ordered = self.sight.play.as_ref().map(|play| &play.orders);
        let always = self.always_of(declared);
        let is_new = |(key, answer): (&Key, &Answer)| {
            ordered.and_then(|orders| orders.get(key)) != Some(answer)
        };
        always.iter().any(is_new).then_some(NextStep::Always).into_iter().collect()
    }

    /// Returns the part of a declaration that can be a standing order.
    pub(super) fn always_of(&self, declared: &Declaration) -> Declaration {
        let mut always = Declaration::default();
        for asked in self.sight.ordering(&Declaration::default()).asked {
            let can_pass = asked.question.can_pass();
            let key = asked.question.key;
            let Some(answer) = declared.get(&key) else { continue };
            let is_order = match answer {
                Answer::Given(_) => true,
                Answer::LeftOut => can_pass,
                Answer::Ordered(_) | Answer::InReserve(_) => false,
            };
            if !is_order {
                continue;
            }
            let mut orders = Declaration::default();
            orders.set(key.clone(), answer.clone());
            if self.sight.ordering(&orders).faults.is_empty() {
                always.set(key, answer.clone());
            }
        }
        always
    }

    /// Reads an act from an input line.
    pub fn read_act(&self, line: &str) -> SaidAct {
        let act = self.said_act(self.sight.read_act(line));
        // A question is not an order: it is asked about, like a deed that is not named.
        let is_named = act.is_named && !line.trim_end().ends_with(['?', '\u{ff1f}']);
        SaidAct { is_named, ..act }
    }

    /// Adds the answers that leave no choice to a parsed act.
    pub fn said_act(&self, reading: Reading) -> SaidAct {
        let unread = UnreadPiece::of(&reading);
        let deed = self.sight.acting(&Declaration::default()).asked.into_iter().next();
        let is_named = deed.is_some_and(|deed| reading.names(&deed.question.key));
        let declared = self.with_only_answers(reading.declaration);
        SaidAct { found: self.sight.acting(&declared), declared, unread, is_named }
    }

    /// Adds the answers that leave no choice to an act.
    fn with_only_answers(&self, mut declared: Declaration) -> Declaration {
        loop {
            let found = self.sight.acting(&declared);
            let mut open = found.asked.iter().filter(|asked| asked.answer.is_none());
            let only = open.find_map(|asked| Some((&asked.question.key, asked.only_answer()?)));
            let Some((key, only)) = only else { return declared };
            declared.set(key.clone(), Answer::Given(Value::Choice(only.clone())));
        }
    }

    /// `None` unless the act is complete, and either final or typed without its deed; otherwise the question
    /// to ask before the act.
    pub fn ask_before(&self, declared: &Declaration, is_named: bool) -> Result<Option<String>> {
        let Self { speaker, sight } = self;
        let declared = self.with_only_answers(declared.clone());
        let at_stake = sight.at_stake(&declared);
        if is_named && at_stake.is_none() || !sight.acting(&declared).is_all_said() {
            return Ok(None);
        }
        let act = &sight.written_act(&declared, speaker.reader.lang);
        let sure = SureToAct { act, at_stake: at_stake.unwrap_or("secrecy") };
        Ok(Some(speaker.write(&sure)?))
    }

    /// Carries out an act. `pressed` is the control that was pressed for the act, if any.
    pub async fn act(&self, declared: &Declaration, pressed: Option<PressedControl>) -> Result<()> {
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let declared = self.with_only_answers(declared.clone());
        act_by(speaker.desk, code, speaker.account, &declared, pressed, speaker.now).await?;
        Ok(())
    }

    /// Adds the orders in the input to the standing orders, and shows all of them. Input that cannot be read
    /// or is invalid is shown, and changes nothing.
    pub async fn orders(&self, input: &str) -> Result<ConversationAnswer> {
        let speaker = &self.speaker;
        let standing =
            said_ahead::orders(speaker.desk, &self.sight.code, speaker.account, speaker.now)
                .await?;
        let form = |draft: &Declaration| self.sight.ordering(draft);
        let mut always = KeptAlways::default();
        let orders = match OrdersWord::read(input) {
            _ if input.trim().is_empty() => return self.show_orders(&standing.interview, &[], &[]),
            Some(OrdersWord::None) => Declaration::default(),
            Some(OrdersWord::Always) => {
                always = self.always()?;
                let mut orders = standing.orders;
                orders.extend(always.orders.clone());
                orders
            }
            None | Some(OrdersWord::Pass | OrdersWord::Use) => {
                let before = OrdersWord::before_pass(input).filter(|_| self.can_pass());
                let input = before.unwrap_or(input);
                let orders = if let Some(part) = OrdersWord::taken_back(input) {
                    self.without_order(&standing.orders, part)?
                } else if let Some(orders) = self.with_part_passed(&standing.orders, input) {
                    orders
                } else {
                    let reading = text::read(input, &standing.orders, &form, &self.sight.words());
                    let (unread, found) = (UnreadPiece::of(&reading), form(&reading.declaration));
                    let faults = [found.faults, found.remarks].concat();
                    let is_ordered = unread.is_empty() && faults.is_empty();
                    let read = is_ordered.then_some(reading.declaration);
                    let read = read.or_else(|| self.with_part_used(&standing.orders, input));
                    match read.or_else(|| self.with_listed(&standing.orders, input)) {
                        Some(orders) => orders,
                        None => {
                            return self.show_orders(&standing.interview, &unread, &faults);
                        }
                    }
                };
                let passing = before.and_then(|_| form(&orders).letting_rest_pass(&orders));
                passing.unwrap_or(orders)
            }
        };
        let given = self.keep_orders(&orders).await?;
        let ordered: Vec<Key> = always.orders.iter().map(|(key, _)| key.clone()).collect();
        let orders = OrdersShown::of(&given.interview);
        let orders = OrdersShown { kept: &ordered, unkept: &always.left, ..orders };
        speaker.say(&orders)
    }

    /// True if anything that can be ordered can be passed.
    fn can_pass(&self) -> bool {
        let found = self.sight.ordering(&Declaration::default());
        found.asked.iter().any(|asked| asked.question.can_pass())
    }

    /// `None` if the input passes nothing; otherwise the orders, with the named part or question passed.
    fn with_part_passed(&self, orders: &Declaration, input: &str) -> Option<Declaration> {
        let named = NamedPart::read(OrdersWord::passed(input)?);
        let (mut passed, lexicon) = (orders.clone(), self.sight.game.lexicon());
        for asked in self.sight.ordering(orders).asked {
            let Question { key, .. } = &asked.question;
            if asked.question.can_pass() && named.is_of(key, lexicon) {
                passed.set(key.clone(), Answer::LeftOut);
            }
        }
        (passed != *orders).then_some(passed)
    }

    /// `None` if the input does not begin with a question as it is listed; otherwise the orders with the answer
    /// behind it.
    fn with_listed(&self, orders: &Declaration, input: &str) -> Option<Declaration> {
        let (found, lexicon) = (self.sight.ordering(orders), self.sight.game.lexicon());
        let is_end = |c: char| c.is_whitespace() || matches!(c, ':' | '：');
        input.rmatch_indices(is_end).find_map(|(at, _)| {
            let named = NamedPart::read(&input[..at]);
            let is_named = |it: &&Asked| named.names_question(&it.question.key, lexicon);
            let key = &found.asked.iter().find(is_named)?.question.key;
            let form = |draft: &Declaration| {
                let mut found = self.sight.ordering(draft);
                found.asked.retain(|asked| asked.question.key == *key);
                found
            };
            let part = lexicon.calls(&key.section).next()?;
            let answer = format!("{part}: {}", input[at..].trim_start_matches(is_end));
            let reading = text::read(&answer, orders, &form, &self.sight.words());
            let is_answer = reading.is_whole() && !reading.lines.is_empty();
            is_answer.then_some(reading.declaration)
        })
    }

    /// `None` if the input does not name one question with a single answer; otherwise the orders with this
    /// answer.
    fn with_part_used(&self, orders: &Declaration, input: &str) -> Option<Declaration> {
        let named = NamedPart::read(OrdersWord::used(input));
        let (found, lexicon) = (self.sight.ordering(orders), self.sight.game.lexicon());
        let mut named = found.asked.into_iter().filter(|it| named.is_of(&it.question.key, lexicon));
        let (Some(Asked { question, .. }), None) = (named.next(), named.next()) else {
            return None;
        };
        let Shape::Choose { options, .. } = question.shape else { return None };
        let [only] = &options[..] else { return None };
        let mut using = orders.clone();
        using.set(question.key, Answer::Given(Value::Choice(only.clone())));
        Some(using)
    }

    /// Returns the orders without those of a part. Refused if the part has none.
    fn without_order(&self, orders: &Declaration, part: &str) -> Result<Declaration> {
        let left = NamedPart::read(part).taken_from(orders, self.sight.game.lexicon());
        if left == *orders {
            let refused = DeclarationRefused::NoSuchOrder.into();
            return Err(ConversationError::RefusedFor(refused, part.to_owned()));
        }
        Ok(left)
    }

    /// Returns the parts of the declaration that can be standing orders. Refused if there are none.
    fn always(&self) -> Result<KeptAlways, Refused> {
        let own = &self.sight.playing()?.own;
        let orders = self.always_of(own);
        refuse_if(orders.is_empty(), DeclarationRefused::NothingToOrder)?;
        let mut left = Vec::new();
        for (key, answer) in own.iter() {
            let part = key.whole();
            let is_kept = orders.iter().any(|(ordered, _)| ordered.whole() == part);
            if matches!(answer, Answer::Given(_)) && !is_kept && !left.contains(&part) {
                left.push(part);
            }
        }
        Ok(KeptAlways { orders, left })
    }

    /// Shows the standing orders after the faults of the input, which has changed nothing.
    fn show_orders(
        &self,
        standing: &Interview,
        unread: &[UnreadPiece],
        faults: &[Fault],
    ) -> Result<ConversationAnswer> {
        let orders = OrdersShown { unread, faults, ..OrdersShown::of(standing) };
        self.speaker.say(&orders)
    }

    /// Adds the input to the declaration for the next window, and shows it with any input that cannot be
    /// read.
    pub async fn next(&self, input: &str) -> Result<ConversationAnswer> {
        self.sight.next_kind()?;
        let before = &self.sight.playing()?.next;
        let (mut next, unread) = match OrdersWord::read(input) {
            _ if input.trim().is_empty() => return self.next_shown(before, &[]),
            Some(OrdersWord::None) => return self.withdraw_next().await,
            _ => {
                let reading = self.sight.read(input, before);
                let unread = UnreadPiece::of(&reading);
                (reading.declaration, unread)
            }
        };
        tidy(&mut next, &|draft| self.sight.form(draft));
        self.keep_next(&next).await?;
        self.next_shown(&next, &unread)
    }

    /// Withdraws the declaration for the next window.
    pub async fn withdraw_next(&self) -> Result<ConversationAnswer> {
        self.sight.next_kind()?;
        let before = &self.sight.playing()?.next;
        let note = self.note_of_withdrawn(before, before)?;
        self.keep_next(&Declaration::default()).await?;
        Ok(self.next_shown(&Declaration::default(), &[])?.below(note))
    }

    /// Replaces the standing orders.
    pub async fn keep_orders(&self, orders: &Declaration) -> Result<StandingOrders> {
        let Speaker { desk, account, now, .. } = self.speaker;
        Ok(give_orders(desk, &self.sight.code, account, orders, now).await?)
    }

    /// Stores the declaration for the next window if it has changed.
    pub async fn keep_next(&self, next: &Declaration) -> Result<()> {
        if *next != self.sight.playing()?.next {
            let Speaker { desk, account, now, .. } = self.speaker;
            declare_next(desk, self.sight, account, next, now).await?;
        }
        Ok(())
    }

    /// Shows the declaration for the next window.
    fn next_shown(&self, next: &Declaration, unread: &[UnreadPiece]) -> Result<ConversationAnswer> {
        let shown = NextDeclarationShown::of(&self.sight.form(next));
        let Speaker { letters, reader, .. } = self.speaker;
        let shown = letters.write(reader, &NextDeclarationShown { unread, ..shown })?;
        Ok(shown.into())
    }
}

/// An act as read from an input line.
#[derive(Debug)]
pub struct SaidAct {
    pub declared: Declaration,
    /// The interview about the act.
    pub found: Interview,
    pub unread: Vec<UnreadPiece>,
    /// True if the input names the deed. Otherwise the person is asked before the act is done.
    pub is_named: bool,
}

impl SaidAct {
    /// True if the act is complete and all of the input was understood.
    pub fn is_whole(&self) -> bool {
        self.unread.is_empty() && self.found.is_all_said()
    }
}

/// The part of a declaration that becomes standing orders.
#[derive(Default)]
struct KeptAlways {
    orders: Declaration,
    /// The parts of the declaration that cannot be standing orders.
    left: Vec<Key>,
}
