//! Drafts checked against other questions: they lose answers that are no longer asked for, and a declaration
//! of another window is reused in this one.

use crate::engine::interview::Interview;
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::question::Key;
use crate::vocabulary::ruling::{Fault, Reason};

/// A declaration of another window, checked against the questions of this one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StillStanding {
    /// The answers that are asked for here and can stand.
    pub draft: Declaration,
    /// The answers that cannot stand here.
    pub faults: Vec<Fault>,
    /// The answers that are not asked for here.
    pub superfluous: Vec<Key>,
}

impl StillStanding {
    /// True if this window asks for any of the answers.
    pub fn is_asked(&self) -> bool {
        !self.draft.is_empty() || !self.faults.is_empty()
    }

    /// Removes the answers that are not asked for, including those that depend on a faulty answer.
    fn tidy(&mut self, form: &dyn Fn(&Declaration) -> Interview) -> Interview {
        let found = form(&self.draft);
        if found.superfluous.is_empty() {
            return found;
        }
        for key in found.superfluous {
            self.draft.remove(&key);
            if self.faults.iter().all(|fault| fault.key.whole() != key.whole()) {
                self.superfluous.push(key);
            }
        }
        self.tidy(form)
    }

    /// Removes the whole part of an answer that cannot stand: otherwise a die would decide the rest of the
    /// part.
    fn drop_part(&mut self, fault: Fault) {
        self.draft.remove_part(&fault.key.whole());
        self.note(fault);
    }

    /// Removes an answer that would only count as missing, or its whole part if the answer has no key of its
    /// own.
    fn drop_answer(&mut self, remark: Fault) {
        if self.draft.remove(&remark.key).is_none() {
            self.draft.remove_part(&remark.key.whole());
        }
        self.note(remark);
    }

    fn note(&mut self, fault: Fault) {
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}

/// Checks a declaration of another window against the questions of this one. Answers of standing orders are
/// left out: the present orders give new ones.
pub fn still_standing(
    form: &dyn Fn(&Declaration) -> Interview,
    declaration: &Declaration,
) -> StillStanding {
    let mut standing =
        StillStanding { draft: declaration.without_orders(), ..StillStanding::default() };
    loop {
        let found = standing.tidy(form);
        let before = standing.draft.clone();
        // A text that is too long is cut, and stands.
        let is_wrong = |fault: &Fault| !matches!(fault.reason, Reason::TooLong { .. });
        let (faults, remarks) = (found.faults.into_iter(), found.remarks.into_iter());
        faults.filter(is_wrong).for_each(|fault| standing.drop_part(fault));
        remarks.filter(is_wrong).for_each(|remark| standing.drop_answer(remark));
        if standing.draft == before {
            return standing;
        }
    }
}

/// Returns the part of the last declaration that can be declared again, without the player's own words, and
/// the faults of the rest. `None` if nothing can.
pub fn said_again(
    form: &dyn Fn(&Declaration) -> Interview,
    before: &Declaration,
) -> Option<StillStanding> {
    let mut declaration = Declaration::default();
    for (key, answer) in before.iter() {
        if !matches!(answer, Answer::Given(Value::Text(_))) {
            declaration.set(key.clone(), answer.clone());
        }
    }
    let standing = still_standing(form, &declaration);
    let says = standing.draft.iter().any(|(_, answer)| matches!(answer, Answer::Given(_)));
    says.then_some(standing)
}

/// Removes the answers that are not asked for any more, and interviews the draft.
pub fn tidy(draft: &mut Declaration, form: &dyn Fn(&Declaration) -> Interview) -> Interview {
    let found = form(draft);
    if found.superfluous.is_empty() {
        return found;
    }
    for key in &found.superfluous {
        draft.remove(key);
    }
    form(draft)
}
