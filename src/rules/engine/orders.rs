//! Standing orders (常時の指示): a seat's lasting answers, and their use for questions that its declaration leaves
//! out.
//!
//! They answer before the sealing. From then on they are a part of the declaration like any other answer:
//! resolving, replaying or verifying the window needs no orders.
//!
//! Drafts checked against other questions: they lose answers that are no longer asked for, and a declaration
//! of another window is reused in this one.

use crate::engine::interview::ordering;
use crate::{
    Answer, Contest, Declaration, Fault, Forms, Game, Interview, Key, Question, Reason, Seat,
    Shape, Value, Viewer,
};

impl<G: Game> Contest<G> {
    /// Interviews a seat about its standing orders.
    pub fn ordering(&self, seat: Seat, orders: &Declaration) -> Interview {
        ordering::<G>(&self.now, seat, orders)
    }

    /// Returns a seat's declaration for the open window, with the answers of its standing orders to questions
    /// left out. Answers of orders to an earlier draft are dropped.
    pub fn with_orders(
        &self,
        seat: Seat,
        declaration: &Declaration,
        orders: &Declaration,
    ) -> Declaration {
        let mut declaration = declaration.without_orders();
        if orders.is_empty() {
            return declaration;
        }
        let seen = G::seen_by(&self.now, Viewer::Seat(seat));
        let is_optional = G::procedure(&self.now).kind.is_optional();
        let mut refused: Vec<Key> = Vec::new();
        // An answer can bring up the next question, as in any interview.
        loop {
            let found = self.interview(seat, &declaration);
            let ordered = found.asked.iter().filter(|asked| asked.answer.is_none());
            let ordered = ordered.map(|asked| &asked.question).find_map(|question| {
                let value = G::ordered(&seen, orders, question);
                let value = value.and_then(|value| fitting(&value, question));
                let value = value.filter(|_| !refused.contains(&question.key));
                // An order that does not fit an optional question still lets the question pass.
                let passes = lets_pass(orders, question)
                    || is_optional && question.can_pass() && is_ordered(orders, question);
                (passes || value.is_some()).then(|| (question.key.clone(), value))
            });
            let Some((key, value)) = ordered else { return declaration };
            let faults = found.faults.len();
            let has_value = value.is_some();
            declaration.set(key.clone(), Answer::Ordered(value));
            if has_value && self.interview(seat, &declaration).faults.len() > faults {
                declaration.remove(&key);
                refused.push(key);
            }
        }
    }
}

/// True if the orders answer the question.
fn is_ordered(orders: &Declaration, question: &Question) -> bool {
    orders.get(&question.key.clone().nth(1)).is_some()
}

/// True if the orders pass on the question.
fn lets_pass(orders: &Declaration, question: &Question) -> bool {
    question.can_pass() && orders.get(&question.key.clone().nth(1)) == Some(&Answer::LeftOut)
}

/// Returns the part of an order that can stand as the answer to a question: of several options the first
/// legal one, if the question asks for one.
fn fitting(value: &Value, question: &Question) -> Option<Value> {
    match (&question.shape, value) {
        (Shape::Choose { options, .. }, Value::Choice(id)) => {
            options.contains(id).then(|| value.clone())
        }
        (Shape::Choose { options, .. }, Value::Picks(ids)) => {
            ids.iter().find(|id| options.contains(id)).cloned().map(Value::Choice)
        }
        (Shape::Pick { options, min, max }, Value::Picks(ids)) => {
            let legal = ids.iter().filter(|id| options.contains(id)).take((*max).into());
            let legal: Vec<_> = legal.cloned().collect();
            (legal.len() >= (*min).into() && !legal.is_empty()).then_some(Value::Picks(legal))
        }
        (Shape::Number { min, max }, Value::Number(number)) => {
            Some(Value::Number(*number.clamp(min, max)))
        }
        _ => None,
    }
}

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
    fn tidy(&mut self, form: Forms<'_>) -> Interview {
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
pub fn still_standing(form: Forms<'_>, declaration: &Declaration) -> StillStanding {
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
pub fn said_again(form: Forms<'_>, before: &Declaration) -> Option<StillStanding> {
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
pub fn tidy(draft: &mut Declaration, form: Forms<'_>) -> Interview {
    let found = form(draft);
    if found.superfluous.is_empty() {
        return found;
    }
    for key in &found.superfluous {
        draft.remove(key);
    }
    form(draft)
}
