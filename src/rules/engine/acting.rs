//! Acts: a seat does them immediately and in public while a root window is open.
//!
//! An act changes the state under the window, and is stored beside the snapshot of the opening: loading a
//! contest repeats the acts. An act is complete, so it throws no dice.

use std::collections::BTreeSet;

use crate::engine::adjudication::{Answers, adjudicate};
use crate::engine::contest::{Contest, Resolution};
use crate::engine::interview;
use crate::engine::interview::Interview;
use crate::engine::referee::Referee;
use crate::vocabulary::declaration::{Act, Declaration};
use crate::vocabulary::game::{Game, Policy};
use crate::vocabulary::ruling::Fault;
use crate::vocabulary::seat::Seat;

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
