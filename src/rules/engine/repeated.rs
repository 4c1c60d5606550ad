//! A draft held against its questions: what of it nobody asks any more, and what of something that was
//! said for another window can be said in this one.

use crate::engine::interview::Interview;
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::question::Key;
use crate::vocabulary::ruling::{Fault, Reason};

/// What was said for another window, held against what is asked in this one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StillStanding {
    /// As much of it as is asked here and can stand.
    pub draft: Declaration,
    /// What cannot stand here.
    pub faults: Vec<Fault>,
    /// What nobody asks here.
    pub superfluous: Vec<Key>,
}

impl StillStanding {
    /// True if this window asks anything of it.
    pub fn is_asked(&self) -> bool {
        !self.draft.is_empty() || !self.faults.is_empty()
    }

    /// Takes out what nobody asks. What hangs on something that cannot stand goes with it.
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

    /// Takes out the whole part in which something cannot stand: a die would decide what is left open
    /// in the rest of it.
    fn drop_part(&mut self, fault: Fault) {
        self.draft.remove_part(&fault.key.whole());
        self.note(fault);
    }

    /// Takes out an answer that would only count as missing, or if that is nothing by itself, its
    /// whole part.
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

/// Holds what was said for another window against what is asked in this one. What standing orders had
/// said is left out: they are asked as they stand now.
pub fn still_standing(
    form: &dyn Fn(&Declaration) -> Interview,
    said: &Declaration,
) -> StillStanding {
    let mut standing = StillStanding { draft: said.without_orders(), ..StillStanding::default() };
    loop {
        let found = standing.tidy(form);
        let before = standing.draft.clone();
        // What is too long is cut, and stands.
        let is_wrong = |fault: &Fault| !matches!(fault.reason, Reason::TooLong { .. });
        let (faults, remarks) = (found.faults.into_iter(), found.remarks.into_iter());
        faults.filter(is_wrong).for_each(|fault| standing.drop_part(fault));
        remarks.filter(is_wrong).for_each(|remark| standing.drop_answer(remark));
        if standing.draft == before {
            return standing;
        }
    }
}

/// What can be said again of what was said the last time: all that is asked again and can stand, but
/// for the player's own words; and what cannot. None if nothing can.
pub fn said_again(
    form: &dyn Fn(&Declaration) -> Interview,
    before: &Declaration,
) -> Option<StillStanding> {
    let mut said = Declaration::default();
    for (key, answer) in before.iter() {
        if !matches!(answer, Answer::Given(Value::Text(_))) {
            said.set(key.clone(), answer.clone());
        }
    }
    let standing = still_standing(form, &said);
    let says = standing.draft.iter().any(|(_, answer)| matches!(answer, Answer::Given(_)));
    says.then_some(standing)
}

/// Takes out of a draft what nobody asks any more.
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
