//! The interview: a seat's draft, checked against the seat's knowledge.
//!
//! It is the form, the menu, the completion list, the parser's guide and the validation of every
//! game. It never knows more than its seat.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use crate::dice::WindowDice;
use crate::engine::ask::InCase;
use crate::engine::reserves::Reserved;
use crate::engine::{Choice, Run};
use crate::vocabulary::Lapse;
use crate::{
    Answer, Clause, Declaration, Fault, Game, Key, Offer, Play, Policy, Question, Reason, Record,
    Referee, Reply, Seat, Shape, Suppose, Value, Viewer,
};

/// A question of the interview with its answer so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The question, with the legal options as far as the seat can know.
    pub question: Question,
    /// The answer, `None` if there is *none yet*.
    pub answer: Option<Answer>,
    /// True for a question asked in advance: its answer takes effect only if an event brings the question up.
    pub standing: bool,
    /// The fate of an answer that other turns make impossible.
    pub lapse: Lapse,
}

impl Asked {
    /// True if the question has no answer yet and a die or a default will decide it.
    pub fn is_open(&self) -> bool {
        self.answer.is_none() && self.is_left()
    }

    /// True if a die or a default will answer the question, even if the player chose that.
    pub fn is_left(&self) -> bool {
        let possible = match &self.question.shape {
            Shape::Choose { options, .. } => !options.is_empty(),
            _ => true,
        };
        let given = self.answer.as_ref().is_some_and(|answer| answer.value().is_some());
        !given && self.question.suppose != Suppose::Nothing && possible
    }

    /// Returns the only legal answer if it also counts without being declared: the form shows it and does not
    /// ask.
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

    /// True if a form still asks the question: it is open and has several legal answers, or it is optional,
    /// can be answered, and is not asked in advance.
    pub fn waits(&self) -> bool {
        let possible = match &self.question.shape {
            Shape::Choose { options, .. } | Shape::Pick { options, .. } => !options.is_empty(),
            Shape::Pay { .. } | Shape::Number { .. } | Shape::Text { .. } => true,
        };
        let optional = self.question.suppose == Suppose::Nothing && !self.standing && possible;
        (self.is_open() && self.only_answer().is_none()) || (self.answer.is_none() && optional)
    }

    /// True if an empty declaration gives something up at this question: a die or a default decides, or an
    /// option stays unused. Optional questions whose answers can come to nothing are asked whatever the seat
    /// holds, and usually passed.
    fn is_given_up(&self) -> bool {
        self.is_open() || (self.waits() && self.lapse != Lapse::Missing)
    }

    /// True if the question is asked in advance, and leaving it out has no effect.
    pub fn is_idle(&self) -> bool {
        self.standing && self.question.suppose == Suppose::Nothing
    }
}

/// A part with alternatives in reserve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldInReserve {
    pub part: Key,
    /// The questions of the part, for the first answer and for each alternative.
    pub asked: Vec<Vec<Asked>>,
    /// The number of answers passed over because they cannot stand.
    pub passed: usize,
    /// The fault of the first answer, if it cannot stand.
    pub fault: Option<Fault>,
    /// The faults of the alternatives, which could not stand in the current state.
    pub faults: Vec<Fault>,
}

/// The reason for a confirmation before a draft is sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealWarning {
    /// A part of the draft cannot stand.
    Faulty,
    /// The draft is empty, and gives something up.
    Empty,
}

/// The result of an interview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interview {
    /// Every question that came up, in order.
    pub asked: Vec<Asked>,
    /// The answers that cannot stand, in order.
    pub faults: Vec<Fault>,
    /// The answers that cannot stand now, but then only count as missing.
    pub remarks: Vec<Fault>,
    /// The notes on answers that stand as they are.
    pub notes: Vec<Fault>,
    /// The keys of answers that no question asked for.
    pub superfluous: Vec<Key>,
    /// The alternatives in reserve, part by part.
    pub reserves: Vec<HeldInReserve>,
    /// The clause by which the turn is skipped without a declaration, `None` if turns are not skipped.
    pub missing: Option<Clause>,
}

/// The forms of drafts: the interview of each.
pub type Forms<'a> = &'a dyn Fn(&Declaration) -> Interview;

impl Interview {
    /// True if the interview has no fault, remark or superfluous answer that `before` did not have.
    pub fn is_as_sound_as(&self, before: &Self) -> bool {
        let was_amiss =
            |fault: &Fault| before.faults.contains(fault) || before.remarks.contains(fault);
        self.faults.iter().chain(&self.remarks).all(was_amiss)
            && self.superfluous.iter().all(|key| before.superfluous.contains(key))
    }

    /// Returns the question with this key.
    pub fn question(&self, key: &Key) -> Option<&Asked> {
        self.asked.iter().find(|asked| asked.question.key == *key)
    }

    /// True if no question has an answer, and none is left out on purpose.
    pub fn says_nothing(&self) -> bool {
        self.superfluous.is_empty() && self.asked.iter().all(|asked| asked.answer.is_none())
    }

    /// Returns the interviewed draft with the answer of a part that counts now, and nothing in reserve for
    /// the part.
    pub fn taking_up(&self, draft: &Declaration, part: &Key) -> Declaration {
        let held = self.reserves.iter().find(|held| held.part == *part);
        draft.passing_over(part, held.map_or(0, |held| held.passed))
    }

    /// Returns the interviewed orders, passing on every other question that can be passed, `None` if there is
    /// no such question.
    pub fn letting_rest_pass(&self, orders: &Declaration) -> Option<Declaration> {
        let mut passing = orders.clone();
        let open = self.asked.iter().filter(|asked| asked.answer.is_none());
        for asked in open.filter(|asked| asked.question.can_pass()) {
            passing.set(asked.question.key.clone(), Answer::LeftOut);
        }
        (passing != *orders).then_some(passing)
    }

    /// Returns the questions that a die or a default will answer as things stand.
    pub fn open(&self) -> impl Iterator<Item = &Asked> {
        self.asked.iter().filter(|asked| asked.is_open())
    }

    /// True if the interview has a question with a legal answer.
    pub fn is_asking(&self) -> bool {
        self.asked.iter().any(|asked| asked.question.is_answerable())
    }

    /// Returns the reason to ask for confirmation before this interviewed draft is sealed, `None` if there is
    /// none.
    pub fn seal_warning(&self, draft: &Declaration) -> Option<SealWarning> {
        if !self.faults.is_empty() {
            Some(SealWarning::Faulty)
        } else if draft.is_empty() && self.asked.iter().any(Asked::is_given_up) {
            Some(SealWarning::Empty)
        } else {
            None
        }
    }

    /// True if the draft is complete as far as can be known: nothing is open and nothing is faulty.
    pub fn is_complete(&self) -> bool {
        self.faults.is_empty() && self.remarks.is_empty() && self.open().next().is_none()
    }

    /// True if the draft can be carried out as it stands: it has an answer, all answers can stand, and
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

    /// Adds a question. A question that comes up twice is one question; without an answer, its last form
    /// replaces the first.
    pub(crate) fn ask(&mut self, asked: Asked) {
        let key = &asked.question.key;
        match self.asked.iter_mut().find(|known| known.question.key == *key) {
            Some(known) if known.answer.is_none() => *known = asked,
            Some(_) => {}
            None => self.asked.push(asked),
        }
    }

    /// Notes the answers that no question asked for.
    pub(crate) fn note_superfluous(&mut self, declaration: &Declaration) {
        let asked: BTreeSet<&Key> = self.asked.iter().map(|asked| &asked.question.key).collect();
        let passed = |part: &Key| self.reserves.iter().any(|of| of.part == *part && of.passed > 0);
        let is_heard = |part: &Key| asked.iter().any(|asked| asked.whole() == *part);
        let is_asked = |key: &Key| {
            let is_part = || key.name.is_empty() && is_heard(key);
            asked.contains(key) || is_part() || passed(&key.whole())
        };
        let superfluous = declaration.iter().map(|(key, _)| key).filter(|key| !is_asked(key));
        self.superfluous = superfluous.cloned().collect();
    }

    /// Adds a note on an answer that stands.
    pub(crate) fn note(&mut self, note: Fault) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes an answer that cannot stand. Only the first fault of a part counts, because later ones follow from
    /// it, and every fault of a list.
    pub(crate) fn object(&mut self, fault: &Fault, lapse: Lapse) {
        let list = match lapse {
            Lapse::Returned => &mut self.faults,
            Lapse::Missing => &mut self.remarks,
        };
        let is_listed = |of: &Fault| matches!(of.reason, Reason::Listed { .. });
        let follows = |known: &Fault| {
            let is_of_part = known.key.whole() == fault.key.whole();
            let is_of_list = is_listed(known) && is_listed(fault) && known != fault;
            is_of_part && !is_of_list
        };
        if !list.iter().any(follows) {
            list.push(fault.clone());
        }
    }
}

/// The form of a question at the opening of a window, as far as the close needs it.
pub(crate) struct Before {
    pub(crate) key: Key,
    pub(crate) standing: bool,
    pub(crate) lapse: Lapse,
    /// The option that counts without an answer: the only option of an idle question asked in advance, or the
    /// one that the question names.
    pub(crate) plain: Option<SmolStr>,
    /// The cost.
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

/// The result of a sealed declaration checked against the seat's knowledge at the opening.
#[derive(Default)]
pub(crate) struct Opening {
    pub(crate) asked: Vec<Before>,
    pub(crate) faults: Vec<Fault>,
}

impl Opening {
    /// Returns the form of the question with this key.
    pub(crate) fn question(&self, key: &Key) -> Option<&Before> {
        self.asked.iter().find(|asked| asked.key == *key)
    }
}

/// The source of an interview's answers, and the use of its questions.
pub(crate) enum Source<'a, G: Game> {
    /// The player's declaration: the interview collects everything.
    Declared(&'a Declaration),
    /// A sealed declaration: the interview stores only the data that the adjudication needs.
    Sealed(&'a Declaration, &'a mut Vec<Before>),
    /// A policy, whose answers are stored in the declaration.
    Decided(&'a mut dyn Policy<G>, &'a mut Declaration),
}

/// An interview under way.
#[expect(clippy::struct_excessive_bools, reason = "each is set by itself")]
pub(crate) struct Interviewing<'a, G: Game> {
    pub(crate) seat: Seat,
    pub(crate) source: Source<'a, G>,
    pub(crate) found: Interview,
    pub(crate) standing: bool,
    /// True if the answers are carried out as they are asked, with their events.
    pub(crate) executes: bool,
    /// True if all answers are trusted to stand: no state is copied for undoing a part, and the interview
    /// stops where a part would have to be undone.
    pub(crate) trusts: bool,
    /// True if the declaration has alternatives in reserve.
    pub(crate) has_reserves: bool,
}

impl<'a, G: Game> Interviewing<'a, G> {
    pub(crate) fn new(seat: Seat, source: Source<'a, G>) -> Self {
        let has_reserves = match &source {
            Source::Declared(declaration) | Source::Sealed(declaration, _) => {
                declaration.has_reserves()
            }
            Source::Decided(..) => false,
        };
        let found = Interview::default();
        Self { seat, source, found, standing: false, executes: false, trusts: false, has_reserves }
    }

    /// Returns the numbers of questions, faults, remarks and notes so far.
    pub(crate) fn came_to(&self) -> [usize; 4] {
        let asked = match &self.source {
            Source::Sealed(_, before) => before.len(),
            _ => self.found.asked.len(),
        };
        [asked, self.found.faults.len(), self.found.remarks.len(), self.found.notes.len()]
    }

    /// Removes the questions, faults, remarks and notes after these numbers.
    pub(crate) fn rewind(&mut self, [asked, faults, remarks, notes]: [usize; 4]) {
        match &mut self.source {
            Source::Sealed(_, before) => before.truncate(asked),
            _ => self.found.asked.truncate(asked),
        }
        self.found.faults.truncate(faults);
        self.found.remarks.truncate(remarks);
        self.found.notes.truncate(notes);
    }

    pub(crate) fn reply(&mut self, offer: &Offer<'_>, lapse: Lapse, passed: usize) -> Reply {
        let answer = match &mut self.source {
            Source::Declared(declaration) | Source::Sealed(declaration, _) => {
                declaration.answer_after(offer.key, passed)
            }
            Source::Decided(policy, declaration) => return decide(*policy, declaration, offer),
        };
        let reply = answer.map_or(Reply::LeftOut, |answer| offer.read(answer));
        let heard_only = offer.is_empty() || offer.in_case == Some(InCase::Heard);
        if answer.is_none() && heard_only {
            // No question: there is no option at all, or the question is not offered.
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
            faults: Vec::new(),
        };
        self.found.reserves = passed.into_iter().map(held).collect();
        if let Source::Declared(declaration) = self.source {
            self.found.note_superfluous(declaration);
        }
        self.found
    }
}

/// Gets the answer of a policy and stores it in the declaration.
fn decide<G: Game>(
    policy: &mut dyn Policy<G>,
    declaration: &mut Declaration,
    offer: &Offer<'_>,
) -> Reply {
    // A question that comes up twice has its answer.
    if let Some(answer) = declaration.get(offer.key) {
        return offer.read(answer);
    }
    // A policy does not answer questions asked only in case.
    if !offer.has_options() || offer.in_case.is_some() {
        return Reply::LeftOut;
    }
    let answer = offer.value(&policy.reply(offer)).map_or(Answer::LeftOut, Answer::Given);
    let reply = offer.read(&answer);
    declaration.set(offer.key.clone(), answer);
    reply
}

/// Interviews a seat about its coming turn. `state` may be the whole state: the seat's view of it is taken
/// first.
pub fn interview<G: Game>(state: &G::State, seat: Seat, declaration: &Declaration) -> Interview {
    with_reserves(declaration, |declaration| {
        trusting(|trusts| run::<G>(state, seat, Source::Declared(declaration), trusts))
    })
}

/// Interviews a declaration, and each of its alternatives in reserve about its questions.
pub(crate) fn with_reserves(
    declaration: &Declaration,
    interview: impl Fn(&Declaration) -> Interview,
) -> Interview {
    let mut found = interview(declaration);
    if !declaration.has_reserves() {
        return found;
    }
    let held = |part: &Key| {
        let known = found.reserves.iter().find(|of| of.part == *part);
        let (passed, fault) = known.map_or((0, None), |of| (of.passed, of.fault.clone()));
        let (mut asked, mut faults) = (Vec::new(), Vec::new());
        for passed in 0..=declaration.reserves(part).len() {
            let Interview { asked: all, faults: amiss, reserves, .. } =
                interview(&declaration.passing_over(part, passed));
            let of_part = |asked: &Asked| asked.question.key.whole() == *part;
            asked.push(all.into_iter().filter(of_part).collect());
            if passed > 0 {
                // An alternative before the last one falls back to the next.
                let fallen = reserves.into_iter().filter_map(|of| of.fault);
                let amiss = amiss.into_iter().chain(fallen);
                faults.extend(amiss.filter(|fault| fault.key.whole() == *part));
            }
        }
        HeldInReserve { part: part.clone(), asked, passed, fault, faults }
    };
    let parts = declaration.iter().filter(|(_, answer)| matches!(answer, Answer::InReserve(_)));
    found.reserves = parts.map(|(part, _)| held(part)).collect();
    found
}

/// Checks a sealed declaration against the state of its window's opening.
pub(crate) fn opening<G: Game>(state: &G::State, seat: Seat, declaration: &Declaration) -> Opening {
    let mut asked = Vec::new();
    let found = trusting(|trusts| {
        asked.clear();
        run::<G>(state, seat, Source::Sealed(declaration, &mut asked), trusts)
    });
    Opening { asked, faults: found.faults }
}

/// Runs an interview that trusts all answers, and once more without trust if one cannot stand. Faults are
/// rare, and copying the state for every part would take most of the time.
fn trusting(mut hold: impl FnMut(bool) -> Interview) -> Interview {
    let found = hold(true);
    if found.faults.is_empty() { found } else { hold(false) }
}

/// Returns the declaration that a policy makes through the interview.
pub fn declare<G: Game>(state: &G::State, seat: Seat, policy: &mut dyn Policy<G>) -> Declaration {
    let mut declaration = Declaration::default();
    policy.begin(seat, &mut || G::seen_by(state, Viewer::Seat(seat)));
    trusting(|trusts| {
        run::<G>(state, seat, Source::Decided(&mut *policy, &mut declaration), trusts)
    });
    declaration
}

/// Returns the state after these drafts, each turn run after the one before on the view of a seat. No die is
/// thrown and no event is recorded; faulty and open answers are left out.
pub(crate) fn planned<G: Game>(
    state: &G::State,
    seat: Seat,
    drafts: &[(Seat, &Declaration)],
) -> G::State {
    let mut seen = G::seen_by(state, Viewer::Seat(seat));
    for (of, declaration) in drafts {
        let interviewing = Interviewing::new(*of, Source::<G>::Declared(declaration));
        ask(state, interviewing, |referee: &mut Referee<'_, G>| referee.turn(&mut seen, *of));
    }
    seen
}

/// Interviews a seat about an act. `state` may be the whole state.
pub fn acting<G: Game>(state: &G::State, seat: Seat, declaration: &Declaration) -> Interview {
    act::<G>(state, seat, Source::Declared(declaration))
}

/// Returns the act that a policy chooses through the interview, empty if it does nothing.
pub fn act_by<G: Game>(state: &G::State, seat: Seat, policy: &mut dyn Policy<G>) -> Declaration {
    let mut declaration = Declaration::default();
    policy.begin(seat, &mut || G::seen_by(state, Viewer::Seat(seat)));
    act::<G>(state, seat, Source::Decided(policy, &mut declaration));
    declaration
}

/// Interviews a seat about its standing orders. `state` may be the whole state.
pub(crate) fn ordering<G: Game>(
    state: &G::State,
    seat: Seat,
    declaration: &Declaration,
) -> Interview {
    let seen = G::seen_by(state, Viewer::Seat(seat));
    let interviewing = Interviewing::new(seat, Source::Declared(declaration));
    ask(state, interviewing, |referee| G::orders(&seen, seat, referee)).0
}

/// A dry run of a GM's move over a state or a view of it.
#[derive(Debug)]
pub struct Rehearsed<G: Game> {
    /// The interview about the move.
    pub found: Interview,
    /// The state after the move.
    pub state: G::State,
    /// The record of the move.
    pub record: Record<G::Event>,
}

/// Dry-runs a GM's move over a state or a view of it.
pub fn rehearse<G: Game>(state: &G::State, declaration: &Declaration) -> Rehearsed<G> {
    let mut interviewing = Interviewing::new(GM, Source::Declared(declaration));
    interviewing.executes = true;
    let mut amended = state.clone();
    let (found, record) = ask(state, interviewing, |referee| G::amend(&mut amended, referee));
    Rehearsed { found, state: amended, record }
}

/// The seat under which the GM's moves are asked.
const GM: Seat = Seat::new(0);

fn run<G: Game>(state: &G::State, seat: Seat, source: Source<'_, G>, trusts: bool) -> Interview {
    let mut seen = G::seen_by(state, Viewer::Seat(seat));
    let interviewing = Interviewing::new(seat, source);
    // The answers passed over are undone, which needs copies of the state.
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
    let record = if interviewing.executes { Record::default() } else { Record::without_clauses() };
    let (run, procedure) = (Run::Interview(interviewing), G::procedure(state));
    let mut referee = Referee::with_record(run, WindowDice::unthrown(), procedure, record);
    // The interview has listed the faults already.
    let _ = rule(&mut referee);
    let passed: Vec<Reserved> = referee.reserves.passed_over().cloned().collect();
    let (Run::Interview(interviewing), record) = referee.into_parts() else {
        unreachable!("a run never changes its kind")
    };
    (interviewing.finish(passed), record)
}
