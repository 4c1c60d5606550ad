//! The referee: it asks and tells for a rule, and undoes a part that fails.
//!
//! One rule function runs as interview, as adjudication and as play-out, with different sources of answers.
//! This file holds the frame; `asking` holds the questions.
//!
//! The effect of an act as far as its seat can know: if several acts of one turn are sealed together, the
//! next is asked over that.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use crate::dice::WindowDice;
use crate::engine::adjudication::Adjudicating;
use crate::engine::interview::{Interviewing, Opening};
use crate::engine::reserves::Reserves;
use crate::vocabulary::Lapse;
use crate::vocabulary::seat::MAX_SEATS;
use crate::{
    Clause, Entry, Fault, Game, Item, Key, Offer, Outcome, Policy, Procedure, Reason, Record,
    Reply, Ruling, Seat, Turnout, Value, Viewer,
};

/// The maximum depth of nested parts.
const MAX_DEPTH: usize = 8;

/// The reason why a rule stops before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A question must be answered first.
    Open,
    /// The part cannot be carried out.
    Impossible(Box<Fault>),
    /// A part is asked again with its next alternative in reserve.
    FallsBack,
}

/// The result of a rule: a value, or a halt.
pub type Play<T> = Result<T, Halt>;

/// The results of questions to several seats, in order.
pub type BySeatAsked<T> = ArrayVec<(Seat, T), MAX_SEATS>;

/// The source of answers in a run of the rules.
pub(crate) enum Run<'a, G: Game> {
    /// The player's draft, over the seat's view.
    Interview(Interviewing<'a, G>),
    /// The sealed declarations of the closed window.
    Adjudication(Box<Adjudicating<'a, G>>),
    /// Policies, on the fly.
    Quick(&'a mut [Box<dyn Policy<G>>]),
}

/// The turn under way.
#[derive(Clone, Debug)]
struct Turn {
    seat: Seat,
    /// True if only the duties of the turn are carried out, and its player is not asked.
    skipped: bool,
    /// True if a part of the turn could not be carried out as declared.
    failed: bool,
}

/// A turn with a part that could not be carried out as declared.
struct Failed {
    /// True if the turn stopped there.
    halted: bool,
}

/// The key for decisions about a whole turn, which is not a question of the turn.
const WHOLE_TURN: &str = "whole-turn";

/// The interface between a game's function and the source of answers in one run.
#[expect(missing_debug_implementations, reason = "it holds sealed declarations and policies")]
pub struct Referee<'a, G: Game> {
    pub(crate) run: Run<'a, G>,
    pub(crate) dice: WindowDice,
    pub(crate) procedure: Procedure,
    pub(crate) record: Record<G::Event>,
    turn: Option<Turn>,
    /// The number of the act in the open window, from 1, `None` outside of acts.
    pub(crate) act: Option<u32>,
    pub(crate) section: SmolStr,
    /// The record lengths at the beginnings of the unfinished parts, outermost first: the entries after them
    /// are not final.
    pub(crate) tentative: ArrayVec<usize, MAX_DEPTH>,
    /// The parts with alternatives in reserve that were heard.
    pub(crate) reserves: Reserves,
    /// The seat that imagines the effect of an act, without any effect of its own.
    pub(crate) imagines: Option<Seat>,
}

impl<'a, G: Game> Referee<'a, G> {
    pub(crate) fn new(run: Run<'a, G>, dice: WindowDice, procedure: Procedure) -> Self {
        Self::with_record(run, dice, procedure, Record::default())
    }

    pub(crate) fn with_record(
        run: Run<'a, G>,
        dice: WindowDice,
        procedure: Procedure,
        record: Record<G::Event>,
    ) -> Self {
        let section = SmolStr::default();
        let (turn, act, imagines) = (None, None, None);
        let (tentative, reserves) = (ArrayVec::new(), Reserves::default());
        Self { run, dice, procedure, record, turn, act, section, tentative, reserves, imagines }
    }

    pub(crate) fn into_parts(self) -> (Run<'a, G>, Record<G::Event>) {
        (self.run, self.record)
    }

    // --- Telling ---

    /// Notes that a clause applied.
    pub fn cite(&mut self, clause: &'static str) {
        if self.imagines.is_none() {
            self.record.cite(clause);
        }
    }

    /// Records an event. In an interview there are no events, except for a move of the GM, which is carried
    /// out as it is asked.
    pub fn tell(&mut self, event: G::Event) {
        self.tell_at(self.recorded(), event);
    }

    /// Records an event before those from this number of record entries on: a heading that is known only after
    /// them.
    pub fn tell_at(&mut self, place: usize, event: G::Event) {
        let happens = match &self.run {
            Run::Interview(interviewing) => interviewing.executes,
            _ => true,
        };
        if happens && self.imagines.is_none() {
            self.note_at(place, Item::Event(event));
        }
    }

    /// Returns the number of record entries.
    pub fn recorded(&self) -> usize {
        self.record.mark()
    }

    fn note(&mut self, item: Item<G::Event>) {
        self.note_at(self.recorded(), item);
    }

    fn note_at(&mut self, place: usize, item: Item<G::Event>) {
        let turn = self.turn.as_ref().map(|turn| turn.seat);
        self.record.insert(place, Entry { turn, section: self.section.clone(), item });
    }

    // --- Frames ---

    /// Plays one seat's turn. A missing declaration skips the turn; a fault that the declaration already had
    /// at the opening undoes and skips it. The GM's decision about the turn comes first.
    pub fn turn(&mut self, state: &mut G::State, seat: Seat) -> Play<()> {
        let procedure = self.procedure;
        let sealed = match &self.run {
            Run::Adjudication(adjudicating) => {
                Some((adjudicating.is_missing(seat), adjudicating.turnout(seat)))
            }
            _ => None,
        };
        let Some((missing, turnout)) = sealed else {
            self.begin(state, seat);
            return self.play_turn(state, seat, false).map(drop);
        };
        self.cite(procedure.sealed);
        let decided = || Fault {
            key: Key::part(WHOLE_TURN),
            reason: Reason::Decided,
            clause: Clause::new(procedure.ruling),
        };
        if turnout == Some(Turnout::Skipped) {
            return self.skip_turn(state, seat, Some(decided()), procedure.ruling);
        }
        let spared = turnout == Some(Turnout::Played);
        if missing && procedure.skips_missing {
            if !spared {
                return self.skip_turn(state, seat, None, procedure.missing);
            }
            self.rule_turn(seat, Outcome::Unskipped, Some(decided()), procedure.ruling);
        }
        let (saved, mark) = (state.clone(), self.record.mark());
        let failed = match self.play_turn(state, seat, false) {
            Ok(failed) => failed,
            Err(halt) => {
                let voids = !spared && procedure.fault.is_some();
                if halt == Halt::Open && voids && self.opening_faults(seat).is_some() {
                    // The whole turn may still be undone.
                    self.tentative.insert(0, mark);
                }
                return Err(halt);
            }
        };
        let fault = failed.as_ref().and_then(|_| self.opening_faults(seat));
        match (fault, procedure.fault) {
            // A fault outside of all parts leaves no turn to spare.
            (Some(_), Some(_)) if spared && failed.is_some_and(|failed| !failed.halted) => {
                self.rule_turn(seat, Outcome::Unskipped, Some(decided()), procedure.ruling);
            }
            (Some(fault), Some(clause)) => {
                *state = saved;
                self.record.rewind(mark);
                return self.skip_turn(state, seat, Some(fault), clause);
            }
            (None, _) | (_, None) => {}
        }
        self.return_unasked(seat, procedure.returned);
        Ok(())
    }

    /// Tells the policy of a seat that it will be asked, if policies answer.
    pub(crate) fn begin(&mut self, state: &G::State, seat: Seat) {
        if let Run::Quick(policies) = &mut self.run {
            policies[seat.index()].begin(seat, &mut || G::seen_by(state, Viewer::Seat(seat)));
        }
    }

    /// Carries out an act of a seat, in a frame of its own.
    pub(crate) fn act(&mut self, state: &mut G::State, seat: Seat) -> Play<()> {
        self.on_behalf(seat, |referee| G::act(state, seat, referee))
    }

    /// Acts for a seat outside of its turn, such as to carry out a plan: rulings name the seat, and parts are
    /// undone and returned as in its turn.
    pub fn on_behalf<T>(&mut self, seat: Seat, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.turn.replace(Turn { seat, skipped: false, failed: false });
        let section = std::mem::take(&mut self.section);
        let done = body(self);
        (self.turn, self.section) = (outer, section);
        done
    }

    /// Rules that a turn is skipped, and carries out its duties.
    fn skip_turn(
        &mut self,
        state: &mut G::State,
        seat: Seat,
        fault: Option<Fault>,
        clause: &'static str,
    ) -> Play<()> {
        self.rule_turn(seat, Outcome::Skipped, fault, clause);
        self.cite(self.procedure.duty);
        self.play_turn(state, seat, true).map(drop)
    }

    /// Runs the game's turn in a frame of its own, and returns its failure, if it has one.
    fn play_turn(
        &mut self,
        state: &mut G::State,
        seat: Seat,
        skipped: bool,
    ) -> Play<Option<Failed>> {
        self.turn = Some(Turn { seat, skipped, failed: false });
        let has_reserves = self.run.has_reserves();
        if has_reserves {
            // A fallback may undo these entries.
            self.tentative.push(self.record.mark());
        }
        let played = self.framed(state, |state, referee| G::turn(state, seat, referee));
        if has_reserves && played != Err(Halt::Open) {
            self.tentative.pop();
        }
        let turn = self.turn.take();
        self.section = SmolStr::default();
        match played {
            Ok(()) => {
                let failed = turn.is_some_and(|turn| turn.failed);
                Ok(failed.then_some(Failed { halted: false }))
            }
            // A frame catches the halt of a part; a halt outside of all parts fails the turn.
            Err(Halt::Impossible(_)) => Ok(Some(Failed { halted: true })),
            Err(halt) => Err(halt),
        }
    }

    /// Carries out a part of a declaration. A part that fails is undone and returned alone. A skipped turn
    /// has no parts.
    pub fn part<T>(
        &mut self,
        key: &Key,
        state: &mut G::State,
        body: impl FnMut(&mut G::State, &mut Self) -> Play<T>,
    ) -> Play<Option<T>> {
        if self.turn.as_ref().is_some_and(|turn| turn.skipped) {
            return Ok(None);
        }
        self.duty(key, state, body)
    }

    /// Carries out a part like [`Self::part`], also in a skipped turn.
    pub fn duty<T>(
        &mut self,
        key: &Key,
        state: &mut G::State,
        mut body: impl FnMut(&mut G::State, &mut Self) -> Play<T>,
    ) -> Play<Option<T>> {
        // The answers of a policy are always legal, so a play-out has nothing to undo, and copying the state
        // for every part would take most of its time.
        let trusts = match &self.run {
            Run::Interview(interviewing) => interviewing.trusts,
            Run::Adjudication(_) => false,
            Run::Quick(_) => true,
        };
        let saved = (!trusts).then(|| state.clone());
        let mark = self.record.mark();
        let outer = std::mem::replace(&mut self.section, key.section.clone());
        self.tentative.push(mark);
        let done = match self.framed(state, &mut body) {
            Err(halt @ (Halt::Open | Halt::FallsBack)) => return Err(halt),
            Err(Halt::Impossible(fault)) => {
                self.fail(&fault, Lapse::Returned);
                self.doubt()?;
                if let Some(saved) = saved {
                    *state = saved;
                    self.record.rewind(mark);
                }
                if let Some(seat) = self.turn.as_ref().map(|turn| turn.seat) {
                    let returned = self.procedure.returned;
                    self.cite(returned);
                    let decided = fault.reason == Reason::Decided;
                    let clause = if decided { self.procedure.ruling } else { returned };
                    self.rule(seat, key.clone(), Outcome::Returned, None, Some(*fault), clause);
                }
                None
            }
            // A part heard to its end with a fault is not carried out.
            Ok(_) if self.fault_in(key).is_some() => {
                self.doubt()?;
                if let Some(saved) = saved {
                    *state = saved;
                }
                None
            }
            Ok(done) => Some(done),
        };
        self.tentative.pop();
        self.section = outer;
        Ok(done)
    }

    /// Stops an interview that trusts all answers at a fault.
    fn doubt(&self) -> Play<()> {
        match &self.run {
            Run::Interview(interviewing) if interviewing.trusts => Err(Halt::Open),
            _ => Ok(()),
        }
    }

    /// Goes on only if all answers to this part can stand. An interview hears a part to its end even after a
    /// barred answer; a rule calls this before it carries anything out.
    pub fn stands(&self, key: &Key) -> Play<()> {
        match self.fault_in(key) {
            Some(fault) => Err(Halt::Impossible(Box::new(fault.clone()))),
            None => Ok(()),
        }
    }

    fn fault_in(&self, key: &Key) -> Option<&Fault> {
        let Run::Interview(interviewing) = &self.run else { return None };
        let part = key.whole();
        interviewing.found.faults.iter().find(|fault| fault.key.whole() == part)
    }

    /// Asks in advance about questions that may come up before the next declaration. No answer is applied
    /// here: a rule asks the same question when it comes up.
    pub fn standing(&mut self, mut ask: impl FnMut(&mut Self) -> Play<()>) {
        if let Run::Interview(interviewing) = &mut self.run {
            interviewing.standing = true;
            // The interview has listed the faults already.
            let _ = self.framed(&mut (), |(), referee| ask(referee));
            if let Run::Interview(interviewing) = &mut self.run {
                interviewing.standing = false;
            }
        }
    }

    /// Asks several seats at the same time: all open questions are gathered before the rule stops. `ask` gets
    /// each seat's view of the state.
    pub fn together<T>(
        &mut self,
        state: &G::State,
        seats: impl IntoIterator<Item = Seat>,
        mut ask: impl FnMut(&G::State, Seat, &mut Self) -> Play<T>,
    ) -> Play<BySeatAsked<T>> {
        let mut answers = BySeatAsked::new();
        let mut open = false;
        for seat in seats {
            if let Run::Adjudication(adjudicating) = &mut self.run {
                adjudicating.begin_script(seat);
            }
            // A play-out has no secrets, and copying the state is slow.
            let answer = if matches!(self.run, Run::Quick(_)) {
                ask(state, seat, self)
            } else {
                let seen = G::seen_by(state, Viewer::Seat(seat));
                self.framed(&mut (), |(), referee| ask(&seen, seat, referee))
            };
            if let Run::Adjudication(adjudicating) = &mut self.run {
                open |= adjudicating.end_script();
            }
            match answer {
                Ok(answer) => answers.push((seat, answer)),
                Err(Halt::Open) => open = true,
                Err(halt) => return Err(halt),
            }
        }
        if open { Err(Halt::Open) } else { Ok(answers) }
    }

    // --- Ruling ---

    /// True if this seat's turn is being skipped.
    pub fn is_skipped(&self, seat: Seat) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.skipped && turn.seat == seat)
    }

    /// True if this seat's own turn is being played.
    pub(crate) fn is_turn_of(&self, seat: Seat) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.seat == seat)
    }

    pub(crate) fn rule(
        &mut self,
        seat: Seat,
        key: Key,
        outcome: Outcome,
        value: Option<Value>,
        fault: Option<Fault>,
        clause: &'static str,
    ) {
        let fault = fault.map(Box::new);
        self.note_ruling(Ruling {
            seat,
            key: Some(key),
            outcome,
            value,
            fault,
            clause: Clause::new(clause),
        });
        self.cite(clause);
    }

    fn rule_turn(
        &mut self,
        seat: Seat,
        outcome: Outcome,
        fault: Option<Fault>,
        clause: &'static str,
    ) {
        let fault = fault.map(Box::new);
        let ruling =
            Ruling { seat, key: None, outcome, value: None, fault, clause: Clause::new(clause) };
        // The ruling is recorded as part of the turn, so that it stands at the turn's place in the result.
        let outer = self.turn.replace(Turn { seat, skipped: true, failed: false });
        self.note_ruling(ruling);
        self.turn = outer;
        self.cite(clause);
    }

    /// Rules that standing orders let pass what a seat has left out: once in a window, for all of its questions.
    pub(super) fn rule_passed(&mut self, seat: Seat) {
        let is_told = |item: &Item<G::Event>| match item {
            Item::Ruling(ruling) => {
                ruling.seat == seat && ruling.outcome == Outcome::Ordered && ruling.key.is_none()
            }
            Item::Event(_) => false,
        };
        if !self.record.entries().iter().any(|entry| is_told(&entry.item)) {
            self.rule_turn(seat, Outcome::Ordered, None, self.procedure.ordered);
        }
    }

    /// Records a ruling, in an adjudication only: an interview finds faults, and a play-out decides by
    /// itself.
    fn note_ruling(&mut self, ruling: Ruling) {
        if !self.throws_no_dice() {
            self.cite(self.procedure.ruling);
            self.note(Item::Ruling(ruling));
        }
    }

    /// Notes a part that could not be carried out as declared. An answer that counts as missing is only a
    /// remark, never a fault of the turn. A part sent back by the GM could have been carried out.
    pub(crate) fn fail(&mut self, fault: &Fault, lapse: Lapse) {
        if fault.reason == Reason::Decided {
            return;
        }
        match &mut self.run {
            Run::Interview(interviewing) => interviewing.found.object(fault, lapse),
            Run::Adjudication(adjudicating) => adjudicating.fail(fault, lapse),
            Run::Quick(_) => {}
        }
        if let (Some(turn), Lapse::Returned) = (&mut self.turn, lapse) {
            turn.failed = true;
        }
    }

    /// Returns the first fault that the seat's declaration had at the opening.
    fn opening_faults(&mut self, seat: Seat) -> Option<Fault> {
        self.opening(seat).and_then(|opening| opening.faults.first().cloned())
    }

    /// Returns the seat's declaration, checked against the opening.
    pub(crate) fn opening(&mut self, seat: Seat) -> Option<&Opening> {
        match &mut self.run {
            Run::Adjudication(adjudicating) => Some(adjudicating.opening(seat)),
            _ => None,
        }
    }

    /// True if the questions are asked in advance.
    pub(crate) fn is_standing(&self) -> bool {
        matches!(&self.run, Run::Interview(interviewing) if interviewing.standing)
    }

    /// Records a ruling for each declared part that never came up: the part is returned.
    fn return_unasked(&mut self, seat: Seat, clause: &'static str) {
        let Run::Adjudication(adjudicating) = &mut self.run else { return };
        let unasked = adjudicating.unasked_parts(seat);
        for key in unasked {
            let fault =
                Fault { key: key.clone(), reason: Reason::NotAsked, clause: Clause::new(clause) };
            self.on_behalf(seat, |referee| {
                referee.section = key.section.clone();
                referee.rule(seat, key, Outcome::Returned, None, Some(fault), clause);
            });
        }
    }

    /// True inside of a part, or of a turn that may still be undone.
    pub(crate) fn is_in_part(&self) -> bool {
        !self.tentative.is_empty()
    }

    /// Returns the number of record entries that are final even though the run has halted.
    pub(crate) fn firm(&self) -> usize {
        self.tentative.first().copied().unwrap_or(self.record.mark())
    }

    // --- Replies ---

    /// Returns the answer of this run's source, `None` if the question must be asked first.
    pub(crate) fn reply(&mut self, offer: &Offer<'_>, lapse: Lapse) -> Option<Answered> {
        if self.is_skipped(offer.seat) {
            // The declaration does not count, but the GM's decision does.
            let forced = match &mut self.run {
                Run::Adjudication(adjudicating) => adjudicating.forced(offer),
                _ => None,
            };
            return Some(forced.unwrap_or(Answered::declared(Reply::LeftOut)));
        }
        if self.is_imagined_of(offer.seat) {
            return Some(Answered::declared(Reply::LeftOut));
        }
        let own_turn = self.is_turn_of(offer.seat) || self.imagines.is_some();
        let passed = self.passed(offer.seat, offer.key);
        let plain = |reply| Some(Answered::declared(reply));
        match &mut self.run {
            Run::Quick(_) if !offer.has_options() || offer.in_case.is_some() => {
                plain(Reply::LeftOut)
            }
            Run::Quick(policies) => plain(policies[offer.seat.index()].reply(offer)),
            Run::Interview(interviewing) if interviewing.seat == offer.seat => {
                plain(interviewing.reply(offer, lapse, passed))
            }
            // The default answers a question to another seat.
            Run::Interview(_) => plain(Reply::LeftOut),
            Run::Adjudication(adjudicating) => adjudicating.reply(offer, lapse, own_turn, passed),
        }
    }
}

/// A reply with its source.
pub(crate) struct Answered {
    pub(crate) reply: Reply,
    pub(crate) by: AnsweredBy,
}

/// The source of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnsweredBy {
    /// The player's declaration, or no answer at all.
    Player,
    /// The player's standing orders.
    Orders,
    Gm,
}

impl Answered {
    pub(crate) fn declared(reply: Reply) -> Self {
        Self { reply, by: AnsweredBy::Player }
    }
}

impl<G: Game> Referee<'_, G> {
    /// Runs a rule over a seat's view, and returns its result. In every kind of run the effects are dropped:
    /// there is no event, ruling or die, no other seat is asked, and the state stays. Open questions stay
    /// open: the rule that carries the act out decides them.
    pub fn imagine<T>(
        &mut self,
        state: &G::State,
        seat: Seat,
        mut body: impl FnMut(&mut G::State, &mut Self) -> Play<T>,
    ) -> Play<T> {
        let mut seen = G::seen_by(state, Viewer::Seat(seat));
        let before = self.imagines.replace(seat);
        let imagined = body(&mut seen, self);
        self.imagines = before;
        imagined
    }

    /// True if no die falls in this run, or at this place in it.
    pub(crate) fn throws_no_dice(&self) -> bool {
        matches!(self.run, Run::Interview(_)) || self.imagines.is_some()
    }

    /// True if the question goes to a seat other than the imagining one: it gets no answer now.
    fn is_imagined_of(&self, seat: Seat) -> bool {
        self.imagines.is_some_and(|imagines| imagines != seat)
    }
}
