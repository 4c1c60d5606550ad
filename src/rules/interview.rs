//! The interview: a seat's declaration so far, held against what that seat may know.
//!
//! It is the form, the menu, the completion list, the parser's guide and the validation of
//! every game at once. It never knows more than its seat.

use std::collections::BTreeSet;

use super::ask::{InCase, Offer, Reply};
use super::clause::Clause;
use super::declaration::{Answer, Declaration};
use super::dice::Dice;
use super::game::{Game, Policy, Viewer};
use super::question::{Key, Lapse, Question, Shape, Suppose};
use super::record::Record;
use super::referee::{Play, Referee, Run};
use super::ruling::Fault;
use super::seat::Seat;

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

    /// Whether a die or a default will answer it, also where that is how the player wants it.
    pub fn is_left(&self) -> bool {
        let possible = match &self.question.shape {
            Shape::Choose { options, .. } => !options.is_empty(),
            _ => true,
        };
        let given = matches!(self.answer, Some(Answer::Given(_)));
        !given && self.question.suppose != Suppose::Nothing && possible
    }

    /// Whether it is asked in advance, and nothing comes of leaving it out.
    pub fn is_idle(&self) -> bool {
        self.standing && self.question.suppose == Suppose::Nothing
    }
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
    /// The clause by which the turn is skipped if nothing at all is declared; none where nobody
    /// is skipped.
    pub missing: Option<Clause>,
}

impl Interview {
    /// The question with this key.
    pub fn question(&self, key: &Key) -> Option<&Asked> {
        self.asked.iter().find(|asked| asked.question.key == *key)
    }

    /// Whether nothing is said, not even that something is left out.
    pub fn says_nothing(&self) -> bool {
        self.superfluous.is_empty() && self.asked.iter().all(|asked| asked.answer.is_none())
    }

    /// The questions that a die or a default will answer as things stand.
    pub fn open(&self) -> impl Iterator<Item = &Asked> {
        self.asked.iter().filter(|asked| asked.is_open())
    }

    /// Whether anything is asked that has an answer.
    pub fn is_asking(&self) -> bool {
        self.asked.iter().any(|asked| asked.question.is_answerable())
    }

    /// Complete, as far as can be known: nothing open, nothing faulty.
    pub fn is_complete(&self) -> bool {
        self.faults.is_empty() && self.remarks.is_empty() && self.open().next().is_none()
    }

    /// Whether it can be carried out as it stands: something is said, all of it can stand, and
    /// nothing is left to a die or a default.
    pub fn is_all_said(&self) -> bool {
        let is_given = |asked: &Asked| matches!(asked.answer, Some(Answer::Given(_)));
        let may_be_left = |asked: &Asked| asked.question.suppose == Suppose::Nothing;
        self.faults.is_empty()
            && self.remarks.is_empty()
            && self.superfluous.is_empty()
            && self.asked.iter().any(is_given)
            && self.asked.iter().all(|asked| is_given(asked) || may_be_left(asked))
    }

    /// Notes what was said though nobody asked it.
    pub(super) fn note_superfluous(&mut self, said: &Declaration) {
        let asked: BTreeSet<&Key> = self.asked.iter().map(|asked| &asked.question.key).collect();
        let superfluous = said.iter().map(|(key, _)| key).filter(|key| !asked.contains(key));
        self.superfluous = superfluous.cloned().collect();
    }

    /// Notes what cannot stand. What goes wrong later in the same part follows from it.
    pub(super) fn object(&mut self, fault: &Fault, lapse: Lapse) {
        let list = match lapse {
            Lapse::Returned => &mut self.faults,
            Lapse::Missing => &mut self.remarks,
        };
        if list.iter().all(|known| known.key.whole() != fault.key.whole()) {
            list.push(fault.clone());
        }
    }
}

/// Where an interview has its answers from.
pub(super) enum Source<'a, G: Game> {
    /// The player's declaration.
    Said(&'a Declaration),
    /// A policy, whose answers are written down.
    Decided(&'a mut dyn Policy<G>, &'a mut Declaration),
}

/// An interview under way.
pub(super) struct Interviewing<'a, G: Game> {
    pub(super) seat: Seat,
    pub(super) source: Source<'a, G>,
    pub(super) found: Interview,
    pub(super) standing: bool,
    /// Whether it is carried out as it is asked, and tells what happens.
    pub(super) happens: bool,
}

impl<'a, G: Game> Interviewing<'a, G> {
    pub(super) fn new(seat: Seat, source: Source<'a, G>) -> Self {
        Self { seat, source, found: Interview::default(), standing: false, happens: false }
    }

    pub(super) fn reply(&mut self, offer: &Offer<'_>, lapse: Lapse) -> Reply {
        let answer = match &mut self.source {
            Source::Said(declaration) => declaration.get(offer.key).cloned(),
            // A question that comes up twice has been answered.
            Source::Decided(_, declaration) if declaration.get(offer.key).is_some() => {
                declaration.get(offer.key).cloned()
            }
            // A policy says nothing to what is asked only in case.
            Source::Decided(..) if !offer.has_options() || offer.in_case.is_some() => None,
            Source::Decided(policy, declaration) => {
                let reply = policy.reply(offer);
                let answer = offer.value(&reply).map_or(Answer::LeftOut, Answer::Given);
                declaration.set(offer.key.clone(), answer.clone());
                Some(answer)
            }
        };
        let reply = answer.as_ref().map_or(Reply::LeftOut, |answer| offer.read(answer));
        let heard_only = offer.is_empty() || offer.in_case == Some(InCase::Heard);
        if answer.is_none() && heard_only {
            // Nothing could be answered, or nobody is to be bothered: no question.
            return reply;
        }
        self.found.asked.push(Asked {
            question: offer.question(),
            answer,
            standing: self.standing || offer.in_case.is_some(),
            lapse,
        });
        reply
    }

    fn finish(mut self) -> Interview {
        if let Source::Said(declaration) = self.source {
            self.found.note_superfluous(declaration);
        }
        self.found
    }
}

/// Interviews a seat about its coming turn. `state` may be the whole state: what the seat must
/// not know is covered before anything is asked.
pub fn interview<G: Game>(state: &G::State, seat: Seat, said: &Declaration) -> Interview {
    run::<G>(state, seat, Source::Said(said))
}

/// Lets a policy declare through the interview.
pub fn declare<G: Game>(state: &G::State, seat: Seat, policy: &mut dyn Policy<G>) -> Declaration {
    let mut declaration = Declaration::default();
    policy.begin(seat, &mut || G::seen_by(state, Viewer::Seat(seat)));
    run::<G>(state, seat, Source::Decided(policy, &mut declaration));
    declaration
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

fn run<G: Game>(state: &G::State, seat: Seat, source: Source<'_, G>) -> Interview {
    let mut seen = G::seen_by(state, Viewer::Seat(seat));
    let interviewing = Interviewing::new(seat, source);
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
    // No die falls in an interview; the referee wants some all the same.
    let dice = Dice::new([0; 32], "interview").of_window(0, 0);
    let run = Run::Interview(interviewing);
    let mut referee = Referee::new(run, dice, G::procedure(state));
    // What fails is on the interview's list already.
    let _ = rule(&mut referee);
    let (Run::Interview(interviewing), record) = referee.into_parts() else {
        unreachable!("a run never changes its kind")
    };
    (interviewing.finish(), record)
}
