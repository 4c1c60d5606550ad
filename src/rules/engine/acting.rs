//! Acts: a seat does them immediately and in public while a root window is open.
//!
//! An act changes the state under the window, and is stored beside the snapshot of the opening: loading a
//! contest repeats the acts. An act is complete, so it throws no dice.
//!
//! The answers that a seat can give by one press of a control.
//!
//! They are derived from public knowledge, so that a control that everybody sees reveals nothing. The press
//! itself checks that its answer is still possible.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use crate::engine::Resolution;
use crate::engine::adjudication::adjudicate;
use crate::{
    Act, Answer, Answers, Contest, Declaration, Fault, Forms, Game, Interview, Key, Policy,
    Referee, Seat, Shape, Value, Viewer, WindowKind, interview,
};

/// The maximum number of rounds in which bot players act in turn.
pub(crate) const ROUNDS: usize = 32;

impl<G: Game> Contest<G> {
    /// Interviews a seat about an act. During the resolution of a root window nobody acts, and nothing is
    /// asked.
    pub fn acting(&self, seat: Seat, declaration: &Declaration) -> Interview {
        if self.is_suspended() || self.standing.is_some() {
            let mut found = Interview::default();
            found.note_superfluous(declaration);
            return found;
        }
        interview::acting::<G>(&self.root, seat, declaration)
    }

    /// Carries an act out. Declarations already made in the window stay.
    ///
    /// # Errors
    /// If the act has faults, superfluous answers or open questions: the interview with all of them.
    pub fn act(&mut self, act: Act) -> Result<Resolution<G::Event>, Interview> {
        let found = self.acting(act.seat, &act.declaration);
        if !found.is_all_said() {
            return Err(found);
        }
        self.carry_out(act).map_err(|_| found)
    }

    /// Repeats the acts of the window over the state of its opening.
    pub(crate) fn redo(&mut self, acts: Vec<Act>) -> Result<(), Box<Fault>> {
        acts.into_iter().try_for_each(|act| self.carry_out(act).map(drop))
    }

    /// Returns the number of acts in the open window.
    pub fn acts_done(&self) -> usize {
        self.acts.len()
    }

    /// Returns the acts of a seat in the open window, after the first `behind` acts of all seats.
    pub fn acts_of(&self, seat: Seat, behind: usize) -> Vec<&Declaration> {
        let acts = self.acts.iter().skip(behind).filter(|act| act.seat == seat);
        acts.map(|act| &act.declaration).collect()
    }

    /// Returns the seats that have acted in the open window, in order.
    pub fn actors(&self) -> BTreeSet<Seat> {
        self.acts.iter().map(|act| act.seat).collect()
    }

    /// Undoes all acts of the open window.
    pub fn forget_acts(&mut self) {
        if let Some(opened) = self.opened.take() {
            self.stand_at(opened);
        }
    }

    /// Returns the seat that did the last act of the open window, `None` while a root window is being
    /// resolved.
    pub fn last_actor(&self) -> Option<Seat> {
        let is_open = !self.is_suspended() && self.standing.is_none();
        self.acts.last().filter(|_| is_open).map(|act| act.seat)
    }

    /// Undoes the last act of the open window. If the game forbids this, or there is no act, the error is the
    /// clause, `None` if the rules have none.
    pub fn take_back(&mut self) -> Result<(), Option<&'static str>> {
        let last = self.last_actor().and_then(|_| self.acts.last()).ok_or(None)?;
        G::may_take_back(&last.declaration)?;
        let mut acts = self.acts.clone();
        acts.pop();
        let mut before = self.clone();
        before.forget_acts();
        before.redo(acts).map_err(|_| None)?;
        *self = before;
        Ok(())
    }

    /// Returns the act that a policy chooses at a seat, `None` if it does nothing.
    pub fn act_by(&self, seat: Seat, policy: &mut dyn Policy<G>) -> Option<Act> {
        if self.is_suspended() || self.standing.is_some() {
            return None;
        }
        let declaration = interview::act_by::<G>(&self.root, seat, policy);
        let is_act = !declaration.is_empty() && self.acting(seat, &declaration).is_all_said();
        is_act.then_some(Act { seat, declaration })
    }

    /// Lets policies act in turn until none of them acts any more, or no seat is asked.
    pub fn act_all(
        &mut self,
        policies: &mut [Box<dyn Policy<G>>],
        mut watch: impl FnMut(&Self, &Resolution<G::Event>),
    ) {
        for _ in 0..ROUNDS {
            let before = self.acts.len();
            for (seat, policy) in Seat::all(policies.len()).zip(policies.iter_mut()) {
                if self.asked().is_empty() {
                    return;
                }
                let Some(act) = self.act_by(seat, &mut **policy) else { continue };
                if let Ok(resolution) = self.act(act) {
                    watch(self, &resolution);
                }
            }
            if self.acts.len() == before {
                return;
            }
        }
    }

    fn carry_out(&mut self, act: Act) -> Result<Resolution<G::Event>, Box<Fault>> {
        let mut answers = Answers::new(self.answers.declared.count());
        answers.declared[act.seat] = Some(act.declaration.clone());
        let dice = self.dice.of_window(self.round.get(), self.attempt);
        let number = u32::try_from(self.acts.len() + 1).expect("a window has few acts");
        let rule = |state: &mut G::State, referee: &mut Referee<'_, G>| {
            referee.act = Some(number);
            referee.act(state, act.seat)
        };
        let acted = adjudicate::<G>(rule, &self.root, &answers, dice)?;
        let opened = self.opened.take().unwrap_or_else(|| self.root.clone());
        let acts = std::mem::take(&mut self.acts);
        self.stand_at(acted.state);
        (self.opened, self.acts) = (Some(opened), acts);
        self.acts.push(act);
        let (entries, met) = acted.record.into_parts();
        Ok(Resolution { entries, met, standing: None })
    }
}

/// The maximum number of answers to one question that are offered as presses.
const MOST: usize = 10;

/// An answer or act that one press declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Press {
    pub declaration: Declaration,
    /// The chosen options, in the order of their questions; empty for a pass.
    pub options: Vec<SmolStr>,
    /// True if the press is complete; if not, more questions follow.
    pub whole: bool,
}

impl Press {
    fn ends_with_a_player(&self) -> bool {
        self.options.last().is_some_and(|option| option.parse::<Seat>().is_ok())
    }
}

impl<G: Game> Contest<G> {
    /// Returns the answers to the only question of the open window, if all seats that are asked have the same
    /// one and each answer is complete; else, in a reaction window, the pass on all its questions. Empty if
    /// there is neither.
    pub fn common_answers(&self) -> Vec<Press> {
        if self.is_suspended() {
            return Vec::new();
        }
        let seen = G::seen_by(&self.root, Viewer::Public);
        let answers = self.common(|seat| answers::<G>(&seen, seat));
        if answers.is_empty() && self.procedure().kind == WindowKind::Reaction {
            return self.common(|seat| pass::<G>(&seen, seat));
        }
        answers
    }

    /// Returns the presses of the seats that are asked, if they are the same for all. Else empty.
    fn common(&self, presses: impl Fn(Seat) -> Vec<Press>) -> Vec<Press> {
        let mut all = self.asked().into_iter().map(presses);
        let first = all.next().unwrap_or_default();
        if all.all(|other| other == first) { first } else { Vec::new() }
    }

    /// Returns the acts that one seat or another can do immediately. An act that takes two answers is offered
    /// with both, unless the second has too many options, or is a player: a name alone says too little.
    pub fn common_acts(&self) -> Vec<Press> {
        if self.is_suspended() || self.standing.is_some() {
            return Vec::new();
        }
        let seen = G::seen_by(&self.root, Viewer::Public);
        let mut all: Vec<Press> = Vec::new();
        for (seat, _) in G::asked(&self.root).iter() {
            for begun in next::<G>(&seen, seat, &Press::default()) {
                let ended = if begun.whole { Vec::new() } else { next::<G>(&seen, seat, &begun) };
                let fit = (1..=MOST).contains(&ended.len())
                    && ended.iter().all(|press| press.whole && !press.ends_with_a_player());
                for press in if fit { ended } else { vec![begun] } {
                    if !all.contains(&press) {
                        all.push(press);
                    }
                }
            }
        }
        all
    }
}

/// Returns the answers to the only question that a seat is asked.
fn answers<G: Game>(seen: &G::State, seat: Seat) -> Vec<Press> {
    let form = |declaration: &Declaration| interview::interview::<G>(seen, seat, declaration);
    let found = form(&Declaration::default());
    let Some((key, options)) = choice(&found).filter(|_| found.asked.len() == 1) else {
        return Vec::new();
    };
    let mut answers = each(&Press::default(), key, options, &form);
    answers.retain(|press| press.whole);
    if answers.len() <= MOST { answers } else { Vec::new() }
}

/// Returns the pass on all questions that a seat is asked; empty if a question cannot be passed.
fn pass<G: Game>(seen: &G::State, seat: Seat) -> Vec<Press> {
    let form = |declaration: &Declaration| interview::interview::<G>(seen, seat, declaration);
    let found = form(&Declaration::default());
    let passing = found.letting_rest_pass(&Declaration::default());
    let passing = passing.filter(|declaration| form(declaration).is_complete());
    passing
        .map(|declaration| Press { declaration, options: Vec::new(), whole: true })
        .into_iter()
        .collect()
}

/// Returns an act with each answer to its next question.
fn next<G: Game>(seen: &G::State, seat: Seat, begun: &Press) -> Vec<Press> {
    let form = |declaration: &Declaration| interview::acting::<G>(seen, seat, declaration);
    let found = form(&begun.declaration);
    choice(&found).map_or_else(Vec::new, |(key, options)| each(begun, key, options, &form))
}

/// Returns the first unanswered question, if it is a choice.
fn choice(found: &Interview) -> Option<(&Key, &[SmolStr])> {
    let waiting = found.asked.iter().find(|asked| asked.answer.is_none())?;
    match &waiting.question.shape {
        Shape::Choose { options, .. } => Some((&waiting.question.key, options)),
        _ => None,
    }
}

fn each(begun: &Press, key: &Key, options: &[SmolStr], form: Forms<'_>) -> Vec<Press> {
    let with = |option: &SmolStr| {
        let mut press = begun.clone();
        press.declaration.set(key.clone(), Answer::Given(Value::Choice(option.clone())));
        press.options.push(option.clone());
        press.whole = form(&press.declaration).is_all_said();
        press
    };
    options.iter().map(with).collect()
}
