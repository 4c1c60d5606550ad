//! The referee: whom a rule asks, whom it tells, and who undoes a part that fails.
//!
//! One rule function runs as interview, as adjudication and as play-out; the difference is
//! only in who answers here. This file holds the frame; `asking` holds the questions.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use crate::chance::dice::WindowDice;
use crate::engine::adjudication::{Adjudicating, Turnout};
use crate::engine::ask::{Offer, Reply};
use crate::engine::interview::{Interviewing, Opening};
use crate::engine::reserves::Reserves;
use crate::vocabulary::clause::Clause;
use crate::vocabulary::declaration::Value;
use crate::vocabulary::game::{Game, Policy, Procedure};
use crate::vocabulary::question::{Key, Lapse};
use crate::vocabulary::record::{Entry, Item, Record};
use crate::vocabulary::ruling::{Fault, Outcome, Reason, Ruling};
use crate::vocabulary::seat::{MAX_SEATS, Seat, Viewer};

/// How deep parts may lie in one another.
const MAX_DEPTH: usize = 8;

/// Why a rule stops before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Somebody must be asked first.
    Open,
    /// The part cannot be carried out.
    Impossible(Box<Fault>),
    /// A part is asked again with what is held in reserve for it.
    FallsBack,
}

/// What a rule gives: it goes on, or it halts.
pub type Play<T> = Result<T, Halt>;

/// What a rule knows to have been asked of each seat, in order.
pub type BySeatAsked<T> = ArrayVec<(Seat, T), MAX_SEATS>;

/// Who answers the questions of a run of the rules.
pub(crate) enum Run<'a, G: Game> {
    /// The player's declaration so far, over what the seat may know.
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
    /// Skipped: only duties are carried out, and nobody is asked.
    skipped: bool,
    /// True if anything could not be carried out as declared.
    failed: bool,
}

/// A turn in which something could not be carried out as declared.
struct Failed {
    /// True if the turn came to no end by that.
    halted: bool,
}

/// What a decision about a whole turn is kept under: no question of the turn.
const WHOLE_TURN: &str = "whole-turn";

/// Asks, tells and rules, for one run of a game's function.
#[expect(missing_debug_implementations, reason = "it holds sealed declarations and policies")]
pub struct Referee<'a, G: Game> {
    pub(crate) run: Run<'a, G>,
    pub(crate) dice: WindowDice,
    pub(crate) procedure: Procedure,
    pub(crate) record: Record<G::Event>,
    turn: Option<Turn>,
    /// Which act of the open window this is, counted from 1, if it is one.
    pub(crate) act: Option<u32>,
    pub(crate) section: SmolStr,
    /// Where the unfinished parts began, outermost first: what they told is not final.
    pub(crate) tentative: ArrayVec<usize, MAX_DEPTH>,
    /// What is held in reserve, as far as it was heard.
    pub(crate) reserves: Reserves,
    /// Who imagines what an act will leave: nothing happens there.
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

    /// Notes that a clause has been met.
    pub fn cite(&mut self, clause: &'static str) {
        if self.imagines.is_none() {
            self.record.cite(clause);
        }
    }

    /// Tells a fact. Nothing happens in an interview, and nothing is told, but for a move of the
    /// GM's, which is carried out as it is asked.
    pub fn tell(&mut self, event: G::Event) {
        let happens = match &self.run {
            Run::Interview(interviewing) => interviewing.happens,
            _ => true,
        };
        if happens && self.imagines.is_none() {
            self.note(Item::Event(event));
        }
    }

    /// How much has been told.
    pub(crate) fn told(&self) -> usize {
        self.record.mark()
    }

    fn note(&mut self, item: Item<G::Event>) {
        let turn = self.turn.as_ref().map(|turn| turn.seat);
        self.record.push(Entry { turn, section: self.section.clone(), item });
    }

    // --- Frames ---

    /// Plays one seat's turn: skipped if nothing was declared, undone and skipped if a fault
    /// shows that the declaration could not have stood from the opening either. What the GM has
    /// decided about the turn comes before that.
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
                if halt == Halt::Open && !spared && self.opening_faults(seat).is_some() {
                    // The whole turn may yet be undone.
                    self.tentative.insert(0, mark);
                }
                return Err(halt);
            }
        };
        let fault = failed.as_ref().and_then(|_| self.opening_faults(seat));
        match fault {
            // What failed outside of all parts leaves no turn that could be spared.
            Some(_) if spared && failed.is_some_and(|failed| !failed.halted) => {
                self.rule_turn(seat, Outcome::Unskipped, Some(decided()), procedure.ruling);
            }
            Some(fault) => {
                *state = saved;
                self.record.rewind(mark);
                return self.skip_turn(state, seat, Some(fault), procedure.fault);
            }
            None => {}
        }
        self.return_unasked(seat, procedure.returned);
        Ok(())
    }

    /// Tells a seat's policy, if policies answer, that it will be asked.
    pub(crate) fn begin(&mut self, state: &G::State, seat: Seat) {
        if let Run::Quick(policies) = &mut self.run {
            policies[seat.index()].begin(seat, &mut || G::seen_by(state, Viewer::Seat(seat)));
        }
    }

    /// Carries out what one seat does at once, in a frame of its own.
    pub(crate) fn act(&mut self, state: &mut G::State, seat: Seat) -> Play<()> {
        self.on_behalf(seat, |referee| G::act(state, seat, referee))
    }

    /// Does something for a seat outside of its turn, such as to carry out what it has planned: what
    /// is ruled about it bears its name, and its parts are undone and returned as in its turn.
    pub fn on_behalf<T>(&mut self, seat: Seat, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.turn.replace(Turn { seat, skipped: false, failed: false });
        let section = std::mem::take(&mut self.section);
        let done = body(self);
        (self.turn, self.section) = (outer, section);
        done
    }

    /// Rules that a turn is skipped, and carries out what a skipped turn still has to do.
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

    /// Runs the game's turn in a frame of its own and gives the first thing that failed in it.
    fn play_turn(
        &mut self,
        state: &mut G::State,
        seat: Seat,
        skipped: bool,
    ) -> Play<Option<Failed>> {
        self.turn = Some(Turn { seat, skipped, failed: false });
        let has_reserves = self.run.has_reserves();
        if has_reserves {
            // What was told may be undone by what falls back.
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
            // A part that halts is caught by its frame; a turn that halts outside of all has failed.
            Err(Halt::Impossible(_)) => Ok(Some(Failed { halted: true })),
            Err(halt) => Err(halt),
        }
    }

    /// Carries out a part of a declaration. If it fails, it alone is undone and returned.
    /// In a skipped turn there are no parts.
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

    /// Like [`Self::part`], and carried out in a skipped turn too.
    pub fn duty<T>(
        &mut self,
        key: &Key,
        state: &mut G::State,
        mut body: impl FnMut(&mut G::State, &mut Self) -> Play<T>,
    ) -> Play<Option<T>> {
        // A policy answers only with what is legal, so a play-out has nothing to undo, and
        // copying the state for every part would cost it most of its time.
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
            // What was heard to its end although it cannot stand is not carried out.
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

    /// An interview that trusted what is said goes no further than to what cannot stand.
    fn doubt(&self) -> Play<()> {
        match &self.run {
            Run::Interview(interviewing) if interviewing.trusts => Err(Halt::Open),
            _ => Ok(()),
        }
    }

    /// Goes on only if everything said for this part can stand. An interview hears a part to its
    /// end also behind a barred answer; a rule asks this before it carries anything out.
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

    /// Asks in advance what may come up before the next declaration. Nothing is applied here:
    /// the same questions are asked where it does come up.
    pub fn standing(&mut self, mut ask: impl FnMut(&mut Self) -> Play<()>) {
        if let Run::Interview(interviewing) = &mut self.run {
            interviewing.standing = true;
            // What cannot stand is on the interview's list already.
            let _ = self.framed(&mut (), |(), referee| ask(referee));
            if let Run::Interview(interviewing) = &mut self.run {
                interviewing.standing = false;
            }
        }
    }

    /// Asks several seats at once: every open question is gathered before anybody waits.
    /// `ask` sees the state as that seat may know it.
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
            // A play-out holds no secrets from itself, and copying the state costs.
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

    /// True if this seat's own turn is under way.
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
        // A skipped turn is told within it, so that it stands at its place in the result.
        let outer = self.turn.replace(Turn { seat, skipped: true, failed: false });
        self.note_ruling(ruling);
        self.turn = outer;
        self.cite(clause);
    }

    /// Only an adjudication rules; an interview finds faults, and a play-out decides for itself.
    fn note_ruling(&mut self, ruling: Ruling) {
        if !self.throws_no_dice() {
            self.cite(self.procedure.ruling);
            self.note(Item::Ruling(ruling));
        }
    }

    /// Notes that something could not be carried out as declared. What counts as missing then
    /// is mended by that: it is remarked upon, and never a fault of the turn. What the GM sends
    /// back could have been carried out.
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

    /// What the seat's declaration was found to lack when held against the opening.
    fn opening_faults(&mut self, seat: Seat) -> Option<Fault> {
        self.opening(seat).and_then(|opening| opening.faults.first().cloned())
    }

    /// The seat's declaration, held against the opening.
    pub(crate) fn opening(&mut self, seat: Seat) -> Option<&Opening> {
        match &mut self.run {
            Run::Adjudication(adjudicating) => Some(adjudicating.opening(seat)),
            _ => None,
        }
    }

    /// True if what is asked is asked in advance only.
    pub(crate) fn is_standing(&self) -> bool {
        matches!(&self.run, Run::Interview(interviewing) if interviewing.standing)
    }

    /// Parts that were declared and never came up are returned.
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

    /// Whether a part, or a turn that may yet be undone, has come to no end.
    pub(crate) fn is_in_part(&self) -> bool {
        !self.tentative.is_empty()
    }

    /// How much of the record is final although the run has halted.
    pub(crate) fn firm(&self) -> usize {
        self.tentative.first().copied().unwrap_or(self.record.mark())
    }

    // --- Replies ---

    /// Gets an answer from whoever answers in this run. `None`: somebody must be asked first.
    pub(crate) fn reply(&mut self, offer: &Offer<'_>, lapse: Lapse) -> Option<Answered> {
        if self.is_skipped(offer.seat) {
            // Nothing of the declaration counts, but what the GM has decided does.
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
            // Another seat's question: what it supposes.
            Run::Interview(_) => plain(Reply::LeftOut),
            Run::Adjudication(adjudicating) => adjudicating.reply(offer, lapse, own_turn, passed),
        }
    }
}

/// A reply, and who has given it.
pub(crate) struct Answered {
    pub(crate) reply: Reply,
    pub(crate) by: AnsweredBy,
}

/// Who has answered a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnsweredBy {
    /// Its player, in this declaration, or nobody.
    Player,
    /// Its player's standing orders.
    Orders,
    /// The GM.
    Gm,
}

impl Answered {
    pub(crate) fn declared(reply: Reply) -> Self {
        Self { reply, by: AnsweredBy::Player }
    }
}
