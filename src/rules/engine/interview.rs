//! The interview: a seat's declaration so far, held against what that seat may know.
//!
//! It is the form, the menu, the completion list, the parser's guide and the validation of
//! every game at once. It never knows more than its seat.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use crate::chance::dice::WindowDice;
use crate::engine::ask::{Choice, InCase, Offer, Reply};
use crate::engine::referee::{Play, Referee, Run};
use crate::engine::reserves::Reserved;
use crate::vocabulary::clause::Clause;
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::game::{Game, Policy};
use crate::vocabulary::question::{Key, Lapse, Question, Shape, Suppose};
use crate::vocabulary::record::Record;
use crate::vocabulary::ruling::Fault;
use crate::vocabulary::seat::{Seat, Viewer};

/// A question of the interview and what is said to it so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The question, with what is legal as far as the seat can know.
    pub question: Question,
    /// What is said; `None` is *not yet*.
    pub answer: Option<Answer>,
    /// Asked in advance: it takes effect only if something happens.
    pub standing: bool,
    /// What becomes of an answer that others make impossible.
    pub lapse: Lapse,
}

impl Asked {
    /// Whether the player has still to say something, or a die or a default will.
    pub fn is_open(&self) -> bool {
        self.answer.is_none() && self.is_left()
    }

    /// True if a die or a default will answer it, also where that is how the player wants it.
    pub fn is_left(&self) -> bool {
        let possible = match &self.question.shape {
            Shape::Choose { options, .. } => !options.is_empty(),
            _ => true,
        };
        let given = self.answer.as_ref().is_some_and(|answer| answer.value().is_some());
        !given && self.question.suppose != Suppose::Nothing && possible
    }

    /// The only answer that there is, if it counts also when nothing is said: it is shown, and not
    /// asked.
    pub fn only_answer(&self) -> Option<&SmolStr> {
        let Question { shape: Shape::Choose { options, .. }, suppose, .. } = &self.question else {
            return None;
        };
        let [only] = options.as_slice() else { return None };
        let counts = match suppose {
            Suppose::Die => true,
            Suppose::This(option) => option == only,
            Suppose::LargestFirst | Suppose::Standing(_) | Suppose::Nothing => false,
        };
        counts.then_some(only)
    }

    /// True if it is asked in advance, and nothing comes of leaving it out.
    pub fn is_idle(&self) -> bool {
        self.standing && self.question.suppose == Suppose::Nothing
    }
}

/// A part for which something is held in reserve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldInReserve {
    /// The part.
    pub part: Key,
    /// What is asked in it by what is said first, and by each that is held in reserve.
    pub asked: Vec<Vec<Asked>>,
    /// How many of them are passed over, as they cannot stand.
    pub passed: usize,
    /// Why the first is.
    pub fault: Option<Fault>,
}

/// Why a draft is asked about before it is sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealWarning {
    /// Something of it cannot stand.
    Faulty,
    /// It says nothing, and a die or a default will answer.
    Empty,
}

/// What an interview finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interview {
    /// Every question that came up, in order.
    pub asked: Vec<Asked>,
    /// What cannot stand, in order.
    pub faults: Vec<Fault>,
    /// What would not stand as things are, but then only counts as missing.
    pub remarks: Vec<Fault>,
    /// What was said though nobody asked it.
    pub superfluous: Vec<Key>,
    /// What is held in reserve, part by part.
    pub reserves: Vec<HeldInReserve>,
    /// The clause by which the turn is skipped if nothing at all is declared; none where nobody
    /// is skipped.
    pub missing: Option<Clause>,
}

impl Interview {
    /// True if nothing is amiss but what was so before.
    pub fn is_as_sound_as(&self, before: &Self) -> bool {
        let was_amiss =
            |fault: &Fault| before.faults.contains(fault) || before.remarks.contains(fault);
        self.faults.iter().chain(&self.remarks).all(was_amiss)
            && self.superfluous.iter().all(|key| before.superfluous.contains(key))
    }

    /// The question with this key.
    pub fn question(&self, key: &Key) -> Option<&Asked> {
        self.asked.iter().find(|asked| asked.question.key == *key)
    }

    /// True if nothing is said, not even that something is left out.
    pub fn says_nothing(&self) -> bool {
        self.superfluous.is_empty() && self.asked.iter().all(|asked| asked.answer.is_none())
    }

    /// The draft that was interviewed, with what counts of a part as things stand, and nothing in
    /// reserve for it.
    pub fn taking_up(&self, draft: &Declaration, part: &Key) -> Declaration {
        let held = self.reserves.iter().find(|held| held.part == *part);
        draft.passing_over(part, held.map_or(0, |held| held.passed))
    }

    /// The orders that were interviewed, and to let pass whatever else can be: what these say nothing
    /// of. None if that is nothing.
    pub fn letting_rest_pass(&self, orders: &Declaration) -> Option<Declaration> {
        let mut passing = orders.clone();
        let open = self.asked.iter().filter(|asked| asked.answer.is_none());
        for asked in open.filter(|asked| asked.question.can_pass()) {
            passing.set(asked.question.key.clone(), Answer::LeftOut);
        }
        (passing != *orders).then_some(passing)
    }

    /// The questions that a die or a default will answer as things stand.
    pub fn open(&self) -> impl Iterator<Item = &Asked> {
        self.asked.iter().filter(|asked| asked.is_open())
    }

    /// True if anything is asked that has an answer.
    pub fn is_asking(&self) -> bool {
        self.asked.iter().any(|asked| asked.question.is_answerable())
    }

    /// Why this draft, which was interviewed, is asked about before it is sealed; none if it is not.
    pub fn seal_warning(&self, draft: &Declaration) -> Option<SealWarning> {
        if !self.faults.is_empty() {
            Some(SealWarning::Faulty)
        } else if draft.is_empty() && self.open().next().is_some() {
            Some(SealWarning::Empty)
        } else {
            None
        }
    }

    /// Complete, as far as can be known: nothing open, nothing faulty.
    pub fn is_complete(&self) -> bool {
        self.faults.is_empty() && self.remarks.is_empty() && self.open().next().is_none()
    }

    /// True if it can be carried out as it stands: something is said, all of it can stand, and
    /// nothing is left to a die or a default.
    pub fn is_all_said(&self) -> bool {
        let is_given = |asked: &Asked| {
            let answer = asked.answer.as_ref().and_then(Answer::value);
            match (answer, &asked.question.shape) {
                (Some(Value::Picks(picks)), Shape::Pick { min, .. }) => {
                    picks.len() >= usize::from(*min)
                }
                (answer, _) => answer.is_some(),
            }
        };
        let may_be_left = |asked: &Asked| asked.question.suppose == Suppose::Nothing;
        self.faults.is_empty()
            && self.remarks.is_empty()
            && self.superfluous.is_empty()
            && self.asked.iter().any(is_given)
            && self.asked.iter().all(|asked| is_given(asked) || may_be_left(asked))
    }

    /// Notes a question. What comes up again is one question: as long as nothing is said to it, what it
    /// was the last time tells what comes of that.
    pub(crate) fn ask(&mut self, asked: Asked) {
        let key = &asked.question.key;
        match self.asked.iter_mut().find(|known| known.question.key == *key) {
            Some(known) if known.answer.is_none() => *known = asked,
            Some(_) => {}
            None => self.asked.push(asked),
        }
    }

    /// Notes what was said though nobody asked it.
    pub(crate) fn note_superfluous(&mut self, said: &Declaration) {
        let asked: BTreeSet<&Key> = self.asked.iter().map(|asked| &asked.question.key).collect();
        let passed = |part: &Key| self.reserves.iter().any(|of| of.part == *part && of.passed > 0);
        let is_heard = |part: &Key| asked.iter().any(|asked| asked.whole() == *part);
        let is_asked = |key: &Key| {
            let is_part = || key.name.is_empty() && is_heard(key);
            asked.contains(key) || is_part() || passed(&key.whole())
        };
        let superfluous = said.iter().map(|(key, _)| key).filter(|key| !is_asked(key));
        self.superfluous = superfluous.cloned().collect();
    }

    /// Notes what cannot stand. What goes wrong later in the same part follows from it.
    pub(crate) fn object(&mut self, fault: &Fault, lapse: Lapse) {
        let list = match lapse {
            Lapse::Returned => &mut self.faults,
            Lapse::Missing => &mut self.remarks,
        };
        if list.iter().all(|known| known.key.whole() != fault.key.whole()) {
            list.push(fault.clone());
        }
    }
}

/// What a question was when a window opened, as far as its close asks.
pub(crate) struct Before {
    pub(crate) key: Key,
    pub(crate) standing: bool,
    pub(crate) lapse: Lapse,
    /// The option that went without saying: the only one of what was asked in advance and of which
    /// nothing would have come, or the one that the question names.
    pub(crate) plain: Option<SmolStr>,
    /// What was to be paid.
    pub(crate) cost: Option<u32>,
}

impl Before {
    fn of(offer: &Offer<'_>, standing: bool, lapse: Lapse) -> Self {
        let is_idle = standing && *offer.suppose == Suppose::Nothing;
        let (plain, cost) = match offer.choice {
            Choice::Option(_) if offer.plain.is_some() => {
                (offer.plain.map(SmolStr::new_static), None)
            }
            Choice::Option(options) if is_idle && options.count() == 1 => {
                (Some(options.id(0)), None)
            }
            Choice::Payment { cost, .. } => (None, cost),
            _ => (None, None),
        };
        Self { key: offer.key.clone(), standing, lapse, plain, cost }
    }
}

/// A sealed declaration, held against what its seat could know when the window opened.
#[derive(Default)]
pub(crate) struct Opening {
    pub(crate) asked: Vec<Before>,
    pub(crate) faults: Vec<Fault>,
}

impl Opening {
    /// What the question with this key was.
    pub(crate) fn question(&self, key: &Key) -> Option<&Before> {
        self.asked.iter().find(|asked| asked.key == *key)
    }
}

/// Where an interview has its answers from, and what becomes of its questions.
pub(crate) enum Source<'a, G: Game> {
    /// The player's declaration: everything is found.
    Said(&'a Declaration),
    /// A sealed declaration: only what its adjudication may ask is kept.
    Sealed(&'a Declaration, &'a mut Vec<Before>),
    /// A policy, whose answers are written down.
    Decided(&'a mut dyn Policy<G>, &'a mut Declaration),
}

/// An interview under way.
#[expect(clippy::struct_excessive_bools, reason = "each is set by itself")]
pub(crate) struct Interviewing<'a, G: Game> {
    pub(crate) seat: Seat,
    pub(crate) source: Source<'a, G>,
    pub(crate) found: Interview,
    pub(crate) standing: bool,
    /// True if it is carried out as it is asked, and tells what happens.
    pub(crate) happens: bool,
    /// True if everything is trusted to stand: nothing is kept to undo a part by, and it stops where
    /// one would have to be undone.
    pub(crate) trusts: bool,
    /// True if anything is held in reserve.
    pub(crate) has_reserves: bool,
}

impl<'a, G: Game> Interviewing<'a, G> {
    pub(crate) fn new(seat: Seat, source: Source<'a, G>) -> Self {
        let has_reserves = match &source {
            Source::Said(declaration) | Source::Sealed(declaration, _) => {
                declaration.has_reserves()
            }
            Source::Decided(..) => false,
        };
        let found = Interview::default();
        Self { seat, source, found, standing: false, happens: false, trusts: false, has_reserves }
    }

    /// How much has been asked, and objected to.
    pub(crate) fn came_to(&self) -> (usize, usize, usize) {
        let asked = match &self.source {
            Source::Sealed(_, before) => before.len(),
            _ => self.found.asked.len(),
        };
        (asked, self.found.faults.len(), self.found.remarks.len())
    }

    /// Forgets what came after that.
    pub(crate) fn rewind(&mut self, asked: usize, faults: usize, remarks: usize) {
        match &mut self.source {
            Source::Sealed(_, before) => before.truncate(asked),
            _ => self.found.asked.truncate(asked),
        }
        self.found.faults.truncate(faults);
        self.found.remarks.truncate(remarks);
    }

    pub(crate) fn reply(&mut self, offer: &Offer<'_>, lapse: Lapse, passed: usize) -> Reply {
        let answer = match &mut self.source {
            Source::Said(declaration) | Source::Sealed(declaration, _) => {
                declaration.said_after(offer.key, passed)
            }
            Source::Decided(policy, declaration) => return decide(*policy, declaration, offer),
        };
        let reply = answer.map_or(Reply::LeftOut, |answer| offer.read(answer));
        let heard_only = offer.is_empty() || offer.in_case == Some(InCase::Heard);
        if answer.is_none() && heard_only {
            // Nothing could be answered, or nobody is to be bothered: no question.
            return reply;
        }
        let standing = self.standing || offer.in_case.is_some();
        if let Source::Sealed(_, before) = &mut self.source {
            before.push(Before::of(offer, standing, lapse));
        } else {
            let (question, answer) = (offer.question(), answer.cloned());
            self.found.ask(Asked { question, answer, standing, lapse });
        }
        reply
    }

    fn finish(mut self, passed: Vec<Reserved>) -> Interview {
        let held = |of: Reserved| HeldInReserve {
            part: of.part,
            asked: Vec::new(),
            passed: of.passed,
            fault: of.fault,
        };
        self.found.reserves = passed.into_iter().map(held).collect();
        if let Source::Said(declaration) = self.source {
            self.found.note_superfluous(declaration);
        }
        self.found
    }
}

/// Lets a policy answer, and writes that down.
fn decide<G: Game>(
    policy: &mut dyn Policy<G>,
    declaration: &mut Declaration,
    offer: &Offer<'_>,
) -> Reply {
    // A question that comes up twice has been answered.
    if let Some(answer) = declaration.get(offer.key) {
        return offer.read(answer);
    }
    // A policy says nothing to what is asked only in case.
    if !offer.has_options() || offer.in_case.is_some() {
        return Reply::LeftOut;
    }
    let answer = offer.value(&policy.reply(offer)).map_or(Answer::LeftOut, Answer::Given);
    let reply = offer.read(&answer);
    declaration.set(offer.key.clone(), answer);
    reply
}

/// Interviews a seat about its coming turn. `state` may be the whole state: what the seat must
/// not know is covered before anything is asked.
pub fn interview<G: Game>(state: &G::State, seat: Seat, said: &Declaration) -> Interview {
    with_reserves(said, |said| trusting(|trusts| run::<G>(state, seat, Source::Said(said), trusts)))
}

/// What is found of what is said, and of what is held in reserve what each of it is asked.
pub(crate) fn with_reserves(
    said: &Declaration,
    interview: impl Fn(&Declaration) -> Interview,
) -> Interview {
    let mut found = interview(said);
    if !said.has_reserves() {
        return found;
    }
    let asked_in = |part: &Key, passed: usize| {
        let asked = interview(&said.passing_over(part, passed)).asked;
        asked.into_iter().filter(|asked| asked.question.key.whole() == *part).collect()
    };
    let parts = said.iter().filter(|(_, answer)| matches!(answer, Answer::InReserve(_)));
    let held = parts.map(|(part, _)| HeldInReserve {
        asked: (0..=said.reserves(part).len()).map(|passed| asked_in(part, passed)).collect(),
        ..found.reserves.iter().find(|of| of.part == *part).cloned().unwrap_or_else(|| {
            HeldInReserve { part: part.clone(), asked: Vec::new(), passed: 0, fault: None }
        })
    });
    found.reserves = held.collect();
    found
}

/// Holds a sealed declaration against the state with which its window opened.
pub(crate) fn opening<G: Game>(state: &G::State, seat: Seat, said: &Declaration) -> Opening {
    let mut asked = Vec::new();
    let found = trusting(|trusts| {
        asked.clear();
        run::<G>(state, seat, Source::Sealed(said, &mut asked), trusts)
    });
    Opening { asked, faults: found.faults }
}

/// Hardly anything that is said is at fault, and copying the state for every part costs most of the
/// time: it is trusted to stand, and where it does not, all of it is held once more.
fn trusting(mut hold: impl FnMut(bool) -> Interview) -> Interview {
    let found = hold(true);
    if found.faults.is_empty() { found } else { hold(false) }
}

/// Lets a policy declare through the interview.
pub fn declare<G: Game>(state: &G::State, seat: Seat, policy: &mut dyn Policy<G>) -> Declaration {
    let mut declaration = Declaration::default();
    policy.begin(seat, &mut || G::seen_by(state, Viewer::Seat(seat)));
    trusting(|trusts| {
        run::<G>(state, seat, Source::Decided(&mut *policy, &mut declaration), trusts)
    });
    declaration
}

/// The state that drafts come to, each turn run after the one before, over what one seat knows of it:
/// no die falls, nothing is told, and what cannot stand or is left open is left out.
pub(crate) fn planned<G: Game>(
    state: &G::State,
    seat: Seat,
    drafts: &[(Seat, &Declaration)],
) -> G::State {
    let mut seen = G::seen_by(state, Viewer::Seat(seat));
    for (of, said) in drafts {
        let interviewing = Interviewing::new(*of, Source::<G>::Said(said));
        ask(state, interviewing, |referee: &mut Referee<'_, G>| referee.turn(&mut seen, *of));
    }
    seen
}

/// Interviews a seat about something that it does at once. `state` may be the whole state.
pub fn acting<G: Game>(state: &G::State, seat: Seat, said: &Declaration) -> Interview {
    act::<G>(state, seat, Source::Said(said))
}

/// Lets a policy do something at once through the interview; it says nothing if it does nothing.
pub fn act_by<G: Game>(state: &G::State, seat: Seat, policy: &mut dyn Policy<G>) -> Declaration {
    let mut said = Declaration::default();
    policy.begin(seat, &mut || G::seen_by(state, Viewer::Seat(seat)));
    act::<G>(state, seat, Source::Decided(policy, &mut said));
    said
}

/// Interviews a seat about its standing orders. `state` may be the whole state.
pub(crate) fn ordering<G: Game>(state: &G::State, seat: Seat, said: &Declaration) -> Interview {
    let seen = G::seen_by(state, Viewer::Seat(seat));
    let interviewing = Interviewing::new(seat, Source::Said(said));
    ask(state, interviewing, |referee| G::orders(&seen, seat, referee)).0
}

/// A move of the GM's that was asked over as much of the state as was given.
#[derive(Debug)]
pub struct Rehearsed<G: Game> {
    /// What was asked.
    pub found: Interview,
    /// The state that it would come to.
    pub state: G::State,
    /// What it would tell.
    pub record: Record<G::Event>,
}

/// Interviews the GM about a move, over as much of the state as is given.
pub fn rehearse<G: Game>(state: &G::State, said: &Declaration) -> Rehearsed<G> {
    let mut interviewing = Interviewing::new(GM, Source::Said(said));
    interviewing.happens = true;
    let mut amended = state.clone();
    let (found, record) = ask(state, interviewing, |referee| G::amend(&mut amended, referee));
    Rehearsed { found, state: amended, record }
}

/// The seat under which the GM's moves are asked.
const GM: Seat = Seat::new(0);

fn run<G: Game>(state: &G::State, seat: Seat, source: Source<'_, G>, trusts: bool) -> Interview {
    let mut seen = G::seen_by(state, Viewer::Seat(seat));
    let interviewing = Interviewing::new(seat, source);
    // What is passed over is undone.
    let trusts = trusts && !interviewing.has_reserves;
    let interviewing = Interviewing { trusts, ..interviewing };
    let (found, _) = ask(state, interviewing, |referee| referee.turn(&mut seen, seat));
    let procedure = G::procedure(state);
    let missing = procedure.skips_missing.then(|| Clause::new(procedure.missing));
    Interview { missing, ..found }
}

fn act<G: Game>(state: &G::State, seat: Seat, source: Source<'_, G>) -> Interview {
    let mut seen = G::seen_by(state, Viewer::Seat(seat));
    ask(state, Interviewing::new(seat, source), |referee| referee.act(&mut seen, seat)).0
}

fn ask<'a, G: Game>(
    state: &G::State,
    interviewing: Interviewing<'a, G>,
    rule: impl FnOnce(&mut Referee<'a, G>) -> Play<()>,
) -> (Interview, Record<G::Event>) {
    let record = if interviewing.happens { Record::default() } else { Record::without_clauses() };
    let (run, procedure) = (Run::Interview(interviewing), G::procedure(state));
    let mut referee = Referee::with_record(run, WindowDice::unthrown(), procedure, record);
    // What fails is on the interview's list already.
    let _ = rule(&mut referee);
    let passed: Vec<Reserved> = referee.reserves.passed_over().cloned().collect();
    let (Run::Interview(interviewing), record) = referee.into_parts() else {
        unreachable!("a run never changes its kind")
    };
    (interviewing.finish(passed), record)
}
