//! The questions a rule can ask: `choose`, `pick`, `pay`, `number`, `text`.
//!
//! Each returns `None` if the rule goes on without an answer, or if only an interview cannot know the answer
//! (an unthrown die).

use smol_str::SmolStr;

use crate::engine::ask::{NO_BARS, Options, Several, largest_first, most, payment_value, spare};
use crate::engine::interview::Source;
use crate::engine::referee::AnsweredBy;
use crate::engine::reserves::Reserved;
use crate::engine::{Choice, Halt, Run};
use crate::vocabulary::Lapse;
use crate::{
    Ask, Bar, Clause, Denomination, Fault, Game, Key, Label, Offer, Outcome, Picks, Piece, Pieces,
    Play, Procedure, Reason, Referee, Reply, Seat, Suppose, TextForm, Value,
};

/// The default of every payment.
const LARGEST_FIRST: &Suppose = &Suppose::LargestFirst;

/// A legal answer, or none with the fault of the answer given.
enum Settled {
    Given(Reply),
    LeftOut(Option<Fault>),
    /// The legal part of the picks; the rest cannot stand.
    Partly(Picks, Fault),
}

impl<G: Game> Referee<'_, G> {
    /// Asks for one of several options.
    pub fn choose<T: Piece>(&mut self, seat: Seat, ask: &Ask, options: &[T]) -> Play<Option<T>> {
        self.choose_barring(seat, ask, options, &[])
    }

    /// Asks for one of several options, while others are barred for now.
    pub fn choose_barring<T: Piece>(
        &mut self,
        seat: Seat,
        ask: &Ask,
        options: &[T],
        bars: &[Bar<T>],
    ) -> Play<Option<T>> {
        match self.listen(seat, ask, options, bars)? {
            Ok(option) => Ok(Some(option)),
            Err(fault) => {
                let index = self.suppose_option(seat, ask, &options, fault);
                if index.is_some() {
                    self.cite(ask.clause);
                }
                Ok(index.map(|index| options[index]))
            }
        }
    }

    /// Asks for one of several options without a default: for a rule that lets the die [`Self::decide`] among
    /// fewer options than a player may name.
    pub fn hear<T: Piece>(
        &mut self,
        seat: Seat,
        ask: &Ask,
        options: &[T],
        bars: &[Bar<T>],
    ) -> Play<Option<T>> {
        Ok(self.listen(seat, ask, options, bars)?.ok())
    }

    /// Returns the declared option, or the fault of the answer, `None` if there was no answer.
    fn listen<T: Piece>(
        &mut self,
        seat: Seat,
        ask: &Ask,
        options: &[T],
        bars: &[Bar<T>],
    ) -> Play<Result<T, Option<Fault>>> {
        let offer =
            Offer { bars: &bars, ..offer(self.procedure, seat, ask, Choice::Option(&options)) };
        match self.settle(ask, &offer)? {
            Settled::Given(Reply::Option(index)) => {
                self.cite(ask.clause);
                Ok(Ok(options[index]))
            }
            // An interview goes on from here, to hear the rest of the part.
            Settled::Given(Reply::Barred(index)) => Ok(Ok(bars[index].option)),
            Settled::Given(_) | Settled::Partly(..) => Ok(Err(None)),
            Settled::LeftOut(fault) => Ok(Err(fault)),
        }
    }

    /// Decides by the default of the question among these options, for a seat without an answer.
    pub fn decide<T: Piece>(&mut self, seat: Seat, ask: &Ask, options: &[T]) -> Option<T> {
        let index = self.suppose_option(seat, ask, &options, None)?;
        self.cite(ask.clause);
        Some(options[index])
    }

    /// Objects to an answer that is legal by itself but cannot stand as a whole: for a rule that must see the
    /// whole answer first.
    pub fn object_to(&mut self, ask: &Ask, reason: Reason) {
        self.object_by(ask, reason, ask.clause);
    }

    /// Objects to an answer like [`Self::object_to`], by this clause.
    pub fn object_by(&mut self, ask: &Ask, reason: Reason, clause: &'static str) {
        let fault = Fault { key: ask.key.clone(), reason, clause: Clause::new(clause) };
        self.fail(&fault, Lapse::Returned);
    }

    /// Objects to an answer by all of these faults, each with its clause, and stops its part if there is one.
    pub fn object_to_all(&mut self, ask: &Ask, faults: Vec<(Reason, &'static str)>) -> Play<()> {
        let fault =
            |(reason, clause)| Fault { key: ask.key.clone(), reason, clause: Clause::new(clause) };
        let faults: Vec<Fault> = faults.into_iter().map(fault).collect();
        for fault in &faults {
            self.fail(fault, Lapse::Returned);
        }
        faults.into_iter().next().map_or(Ok(()), |fault| Err(Halt::Impossible(Box::new(fault))))
    }

    /// True if the run shows the notes on answers: other runs need none.
    pub fn takes_notes(&self) -> bool {
        matches!(self.run, Run::Interview(_))
    }

    /// True if the interview has a note on the answer.
    pub fn has_note(&self, ask: &Ask) -> bool {
        let Run::Interview(interviewing) = &self.run else { return false };
        interviewing.found.notes.iter().any(|note| note.key == ask.key)
    }

    /// Notes something about an answer that stands as it is, by this clause.
    pub fn note_on(&mut self, ask: &Ask, reason: Reason, clause: &'static str) {
        if let Run::Interview(interviewing) = &mut self.run {
            let note = Fault { key: ask.key.clone(), reason, clause: Clause::new(clause) };
            interviewing.found.note(note);
        }
    }

    /// Stops a part that cannot be carried out.
    fn impossible<T>(&mut self, seat: Seat, ask: &Ask, reason: Reason) -> Play<T> {
        let fault = Fault { key: ask.key.clone(), reason, clause: Clause::new(ask.clause) };
        if self.falls_back(seat, &fault) {
            return Err(Halt::FallsBack);
        }
        self.fail(&fault, Lapse::Returned);
        Err(Halt::Impossible(Box::new(fault)))
    }

    /// Asks for several options in order. Only the first `nameable` can be named. If the default is a die,
    /// the missing picks up to `count` are drawn from all options.
    pub fn pick<T: Piece>(
        &mut self,
        seat: Seat,
        ask: &Ask,
        options: &[T],
        nameable: usize,
        count: usize,
    ) -> Play<Several<T>> {
        let named = &options[..nameable];
        let most = u8::try_from(count.min(options.len())).unwrap_or(u8::MAX);
        let min = if ask.suppose == Suppose::Die { most } else { 0 };
        let offer =
            offer(self.procedure, seat, ask, Choice::Picks { options: &named, min, max: most });
        let (mut picks, fault) = match self.settle(ask, &offer)? {
            Settled::Given(Reply::Picks(picks)) => (picks, None),
            Settled::Partly(picks, fault) => (picks, Some(fault)),
            Settled::Given(_) => (Picks::new(), None),
            Settled::LeftOut(fault) => (Picks::new(), fault),
        };
        let given = picks.len();
        if !self.throws_no_dice() && given < usize::from(min) {
            let label = Label::of(seat, ask.key.clone());
            self.draw_several(&label, &options, &mut picks, usize::from(min));
            let drawn = || picks[given..].iter().map(|&pick| options[pick].id()).collect();
            // A play-out does not record the drawn pieces.
            let is_recorded = !matches!(self.run, Run::Quick(_));
            let drawn = is_recorded.then(|| Value::Picks(drawn()));
            let outcome =
                if options.len() <= usize::from(min) { Outcome::Only } else { Outcome::ByDie };
            let clause = self.left_out_clause(seat);
            self.rule(seat, ask.key.clone(), outcome, drawn, fault, clause);
        } else if fault.is_some() {
            let clause = self.procedure.returned;
            self.rule(seat, ask.key.clone(), Outcome::Returned, None, fault, clause);
        }
        if !picks.is_empty() {
            self.cite(ask.clause);
        }
        Ok(picks.iter().map(|&pick| options[pick]).collect())
    }

    /// Asks for a payment. A missing or impossible payment becomes the largest pieces first; if the cost has
    /// fallen since the opening, the seat keeps whole spare pieces. With an unknown cost (in an interview)
    /// only the purse is checked, and nothing is paid.
    pub fn pay(
        &mut self,
        seat: Seat,
        ask: &Ask,
        cost: Option<u32>,
        purse: &[Denomination],
        limit: Option<u8>,
    ) -> Play<Option<Pieces>> {
        let fallback = cost.map(|cost| largest_first(cost, purse, limit));
        let offer = offer(self.procedure, seat, ask, Choice::Payment { cost, purse, limit });
        let settled = self.settle(ask, &offer)?;
        if let (Some(cost), Some(None), false) = (cost, fallback, self.is_standing()) {
            return self.impossible(
                seat,
                ask,
                Reason::Unaffordable { cost, purse: most(purse, limit) },
            );
        }
        self.stands(&ask.key)?;
        let Some(fallback) = fallback.flatten() else { return Ok(None) };
        self.cite(ask.clause);
        let (key, clause) = (ask.key.clone(), self.procedure.payment);
        match settled {
            Settled::Given(Reply::Payment(paid)) => {
                let spare = self.fallen(seat, &offer).map(|cost| spare(cost, purse, paid));
                let Some(spare) = spare.filter(|spare| *spare != Pieces::default()) else {
                    return Ok(Some(paid));
                };
                let value = payment_value(purse, spare);
                self.rule(seat, key, Outcome::Trimmed, Some(value), None, clause);
                let mut needed = paid;
                needed.iter_mut().zip(spare).for_each(|(paid, spare)| *paid -= spare);
                Ok(Some(needed))
            }
            Settled::Given(_) | Settled::Partly(..) => Ok(Some(fallback)),
            Settled::LeftOut(fault) => {
                let value = payment_value(purse, fallback);
                self.rule(seat, key, Outcome::LargestFirst, Some(value), fault, clause);
                Ok(Some(fallback))
            }
        }
    }

    /// Asks for a number from `min` to `max`.
    ///
    /// # Panics
    /// If a die is to decide among more numbers than a `u32` counts.
    pub fn number(&mut self, seat: Seat, ask: &Ask, min: i64, max: i64) -> Play<Option<i64>> {
        let offer = offer(self.procedure, seat, ask, Choice::Number { min, max });
        let number = match self.settle(ask, &offer)? {
            Settled::Given(Reply::Number(number)) => Some(number),
            Settled::LeftOut(fault) if ask.suppose == Suppose::Die => {
                let shown = self.throw_between(&Label::of(seat, ask.key.clone()), min, max);
                if let Some(shown) = shown {
                    let clause = self.left_out_clause(seat);
                    let value = Some(Value::Number(shown));
                    self.rule(seat, ask.key.clone(), Outcome::ByDie, value, fault, clause);
                }
                shown
            }
            _ => None,
        };
        if number.is_some() {
            self.cite(ask.clause);
        }
        Ok(number)
    }

    /// Asks for a text in the player's own words. A text of more than `max` characters is cut, with a ruling.
    pub fn text(
        &mut self,
        seat: Seat,
        ask: &Ask,
        max: usize,
        form: TextForm,
    ) -> Play<Option<String>> {
        let offer = offer(self.procedure, seat, ask, Choice::Text { max, form });
        let Settled::Given(Reply::Text(text)) = self.settle(ask, &offer)? else { return Ok(None) };
        self.cite(ask.clause);
        let length = text.chars().count();
        if length <= max {
            return Ok(Some(text));
        }
        let (reason, clause) = (Reason::TooLong { max, length }, Clause::new(ask.clause));
        let fault = Fault { key: ask.key.clone(), reason, clause };
        self.fail(&fault, Lapse::Missing);
        self.rule(seat, ask.key.clone(), Outcome::Cut, None, Some(fault), ask.clause);
        Ok(Some(text.chars().take(max).collect()))
    }

    /// Gets an answer, and handles one that is not legal, or no longer.
    fn settle(&mut self, ask: &Ask, offer: &Offer<'_>) -> Play<Settled> {
        let Some(answered) = self.reply(offer, ask.lapse) else { return Err(Halt::Open) };
        match answered.reply {
            Reply::LeftOut => {
                // A default is ruled on as such.
                if answered.by == AnsweredBy::Orders && ask.suppose == Suppose::Nothing {
                    self.rule_passed(offer.seat);
                }
                Ok(Settled::LeftOut(None))
            }
            // An order that another seat has made impossible counts as no answer this time.
            Reply::Partly(..) | Reply::Unfit(_) | Reply::Barred(_)
                if answered.by == AnsweredBy::Orders =>
            {
                Ok(Settled::LeftOut(None))
            }
            // The illegal picks alone count as missing.
            Reply::Partly(picks, reason) if ask.lapse == Lapse::Missing => {
                match self.object(ask, offer, reason, ask.clause)? {
                    Settled::LeftOut(Some(fault)) => Ok(Settled::Partly(picks, fault)),
                    settled => Ok(settled),
                }
            }
            Reply::Unfit(reason) | Reply::Partly(_, reason) => {
                let clause = match reason {
                    Reason::TooMany { .. } => ask.limit_clause.unwrap_or(ask.clause),
                    Reason::Decided => self.procedure.ruling,
                    _ => ask.clause,
                };
                let reason = match (reason, ask.absent) {
                    (Reason::NotOffered { mut input, .. }, Some(why)) if input.len() == 1 => {
                        Reason::Barred { input: input.remove(0), why: SmolStr::new_static(why) }
                    }
                    (reason, _) => reason,
                };
                self.object(ask, offer, reason, clause)
            }
            Reply::Barred(index) => {
                let (input, why, clause) = offer.bars.bar(index);
                let reason = Reason::Barred { input, why: SmolStr::new_static(why) };
                let settled = self.object(ask, offer, reason, clause);
                if matches!(settled, Err(Halt::FallsBack)) {
                    return settled;
                }
                if matches!(self.run, Run::Interview(_)) && ask.lapse == Lapse::Returned {
                    return Ok(Settled::Given(Reply::Barred(index)));
                }
                settled
            }
            reply => {
                let ruled = match answered.by {
                    AnsweredBy::Player => None,
                    AnsweredBy::Orders => Some((Outcome::Ordered, self.procedure.ordered)),
                    AnsweredBy::Gm => Some((Outcome::Forced, self.procedure.ruling)),
                };
                if let Some((outcome, clause)) = ruled {
                    let value = offer.value(&reply);
                    self.rule(offer.seat, ask.key.clone(), outcome, value, None, clause);
                }
                Ok(Settled::Given(reply))
            }
        }
    }

    /// Handles an answer that cannot stand: the part is returned, or the answer counts as left out.
    fn object(
        &mut self,
        ask: &Ask,
        offer: &Offer<'_>,
        reason: Reason,
        clause: &'static str,
    ) -> Play<Settled> {
        let fault = Fault { key: ask.key.clone(), reason, clause: Clause::new(clause) };
        // An answer stored in case need not stand.
        if offer.in_case.is_none() && self.falls_back(offer.seat, &fault) {
            return Err(Halt::FallsBack);
        }
        self.cite(clause);
        self.fail(&fault, ask.lapse);
        // An impossible payment counts as left out, whatever the part does.
        let payment = matches!(offer.choice, Choice::Payment { .. });
        if ask.lapse == Lapse::Returned && !payment && self.is_turn_of(offer.seat) {
            Err(Halt::Impossible(Box::new(fault)))
        } else {
            Ok(Settled::LeftOut(Some(fault)))
        }
    }

    fn suppose_option(
        &mut self,
        seat: Seat,
        ask: &Ask,
        options: &dyn Options,
        fault: Option<Fault>,
    ) -> Option<usize> {
        let interview = self.throws_no_dice();
        let (index, outcome, clause) = match (&ask.suppose, options.count()) {
            (Suppose::Nothing, _) => {
                // An answer that cannot stand gets a ruling, even if nothing replaces it.
                let outcome = match (&fault, ask.default_clause) {
                    (Some(_), _) => Some((Outcome::Returned, self.procedure.returned)),
                    (None, clause) => clause.map(|clause| (Outcome::Nothing, clause)),
                };
                if let Some((outcome, clause)) = outcome {
                    self.rule(seat, ask.key.clone(), outcome, None, fault, clause);
                }
                return None;
            }
            (_, 0) | (Suppose::Standing(_) | Suppose::LargestFirst, _) => return None,
            (Suppose::Die, 1) => (0, Outcome::Only, self.left_out_clause(seat)),
            (Suppose::Die, _) if interview => return None,
            (Suppose::Die, _) => {
                let plain = self.plain_at_opening(seat, &ask.key, options);
                let outcome = if plain.is_some() { Outcome::Supposed } else { Outcome::ByDie };
                let label = || Label::of(seat, ask.key.clone());
                let index = plain.unwrap_or_else(|| self.draw(&label(), options));
                (index, outcome, self.left_out_clause(seat))
            }
            (Suppose::This(id), count) => {
                let index = (0..count).find(|&index| options.id(index) == *id)?;
                (index, Outcome::Supposed, ask.default_clause.unwrap_or(self.procedure.left_out))
            }
        };
        let value = Value::Choice(options.id(index));
        self.rule(seat, ask.key.clone(), outcome, Some(value), fault, clause);
        Some(index)
    }

    /// Returns the option that counted without an answer at the opening, before another seat made a choice of
    /// the question, if it is still legal.
    fn plain_at_opening(&mut self, seat: Seat, key: &Key, options: &dyn Options) -> Option<usize> {
        if self.is_skipped(seat) {
            return None;
        }
        let plain = self.opening(seat)?.question(key)?.plain.as_ref()?;
        (0..options.count()).find(|&index| options.id(index) == *plain)
    }

    /// Returns the clause for a decision by die or by the only option: a skipped turn has its own.
    fn left_out_clause(&self, seat: Seat) -> &'static str {
        if self.is_skipped(seat) { self.procedure.duty } else { self.procedure.left_out }
    }

    /// Returns the cost if it was higher at the opening.
    fn fallen(&mut self, seat: Seat, offer: &Offer<'_>) -> Option<u32> {
        let Choice::Payment { cost: Some(cost), .. } = offer.choice else { return None };
        let before = self.opening(seat)?.question(offer.key)?.cost?;
        (before > cost).then_some(cost)
    }
}

fn offer<'a>(procedure: Procedure, seat: Seat, ask: &'a Ask, choice: Choice<'a>) -> Offer<'a> {
    let (suppose, default) = match (&ask.suppose, choice) {
        // A payment is never decided by die, whatever the rule says.
        (_, Choice::Payment { .. }) => (LARGEST_FIRST, procedure.payment),
        (suppose @ (Suppose::Die | Suppose::This(_)), _) => {
            (suppose, ask.default_clause.unwrap_or(procedure.left_out))
        }
        (suppose, _) => (suppose, ask.default_clause.unwrap_or(ask.clause)),
    };
    let Ask { key, clause, tacit, in_case, plain, .. } = ask;
    let (clause, tacit, in_case, plain) = (*clause, *tacit, *in_case, *plain);
    Offer { seat, key, clause, suppose, default, choice, bars: &NO_BARS, tacit, in_case, plain }
}

/// The progress of a run, to rewind to.
struct RunMark {
    record: usize,
    /// The numbers of questions, faults, remarks and notes.
    came_to: [usize; 4],
    tentative: usize,
    section: SmolStr,
}

impl<G: Game> Run<'_, G> {
    /// True if any seat has answers in reserve.
    pub(crate) fn has_reserves(&self) -> bool {
        match self {
            Self::Interview(interviewing) => interviewing.has_reserves,
            Self::Adjudication(adjudicating) => adjudicating.has_reserves,
            Self::Quick(_) => false,
        }
    }

    /// Returns the number of alternatives that a seat has in reserve for a part.
    fn reserves(&self, seat: Seat, part: &Key) -> usize {
        match self {
            Self::Interview(interviewing) if interviewing.seat == seat => {
                match &interviewing.source {
                    Source::Declared(declaration) | Source::Sealed(declaration, _) => {
                        declaration.reserves(part).len()
                    }
                    Source::Decided(..) => 0,
                }
            }
            Self::Adjudication(adjudicating) => adjudicating.reserves(seat, part),
            Self::Interview(_) | Self::Quick(_) => 0,
        }
    }
}

impl<G: Game> Referee<'_, G> {
    /// Returns the number of alternatives of a part that were passed over before this question.
    pub(crate) fn passed(&mut self, seat: Seat, key: &Key) -> usize {
        if !self.run.has_reserves() {
            return 0;
        }
        let part = key.whole();
        if let Some(passed) = self.reserves.passed(seat, &part) {
            return passed;
        }
        if self.run.reserves(seat, &part) > 0 {
            self.reserves.hear(seat, part);
        }
        0
    }

    /// True if an alternative is in reserve for an answer that cannot stand: then a frame asks again. A
    /// decision of the GM has no alternative.
    pub(crate) fn falls_back(&mut self, seat: Seat, fault: &Fault) -> bool {
        if fault.reason == Reason::Decided || !self.run.has_reserves() {
            return false;
        }
        let held = self.run.reserves(seat, &fault.key.whole());
        self.reserves.fall_back(seat, fault, held)
    }

    /// Carries out a frame, and again with the next alternative as long as an answer in the frame cannot
    /// stand.
    pub(crate) fn framed<S: Clone, T>(
        &mut self,
        state: &mut S,
        mut body: impl FnMut(&mut S, &mut Self) -> Play<T>,
    ) -> Play<T> {
        if !self.run.has_reserves() {
            return body(state, self);
        }
        let (saved, mark, frame) = (state.clone(), self.mark(), self.reserves.begin());
        let done = loop {
            self.rule_reserves(frame);
            match body(state, self) {
                Err(Halt::FallsBack) if self.reserves.asks_again(frame) => {
                    *state = saved.clone();
                    self.rewind(&mark);
                }
                done => break done,
            }
        };
        self.reserves.end();
        done
    }

    /// Rules for which parts of a frame an alternative counts. The ruling does not show the alternative: its
    /// events do.
    fn rule_reserves(&mut self, frame: usize) {
        for Reserved { seat, part, fault, .. } in self.reserves.passed_in(frame) {
            let clause = self.procedure.in_reserve;
            self.rule(seat, part, Outcome::InReserve, None, fault, clause);
        }
    }

    fn mark(&self) -> RunMark {
        let came_to = match &self.run {
            Run::Interview(interviewing) => interviewing.came_to(),
            _ => [0; 4],
        };
        let (record, tentative) = (self.record.mark(), self.tentative.len());
        RunMark { record, came_to, tentative, section: self.section.clone() }
    }

    fn rewind(&mut self, mark: &RunMark) {
        self.record.rewind(mark.record);
        self.tentative.truncate(mark.tentative);
        self.section = mark.section.clone();
        if let Run::Interview(interviewing) = &mut self.run {
            interviewing.rewind(mark.came_to);
        }
    }
}
