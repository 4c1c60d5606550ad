//! Standing orders (常時の指示): what a seat leaves as its answer for as long as it likes, and how that
//! answers what its declaration leaves out.
//!
//! They answer before anything is sealed. From then on they are a part of the declaration like any
//! other answer: whoever resolves, replays or verifies the window needs no orders.

use crate::engine::contest::Contest;
use crate::engine::interview::{Interview, ordering};
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::game::Game;
use crate::vocabulary::question::{Key, Question, Shape};
use crate::vocabulary::seat::{Seat, Viewer};

impl<G: Game> Contest<G> {
    /// What a seat can leave as standing orders, and how these read.
    pub fn ordering(&self, seat: Seat, orders: &Declaration) -> Interview {
        ordering::<G>(&self.now, seat, orders)
    }

    /// A seat's declaration for the open window, with what its standing orders say to whatever it
    /// leaves out. What they said to an earlier draft counts no more.
    pub fn with_orders(&self, seat: Seat, said: &Declaration, orders: &Declaration) -> Declaration {
        let mut declaration = said.without_orders();
        if orders.is_empty() {
            return declaration;
        }
        let seen = G::seen_by(&self.now, Viewer::Seat(seat));
        let is_optional = G::procedure(&self.now).kind.is_optional();
        let mut refused: Vec<Key> = Vec::new();
        // One answer can bring up the next question, as in any interview.
        loop {
            let found = self.interview(seat, &declaration);
            let ordered = found.asked.iter().filter(|asked| asked.answer.is_none());
            let ordered = ordered.map(|asked| &asked.question).find_map(|question| {
                let value = G::ordered(&seen, orders, question);
                let value = value.and_then(|value| fitting(&value, question));
                let value = value.filter(|_| !refused.contains(&question.key));
                // Who has ordered something that does not fit here has nothing to be asked.
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

/// True if orders say anything to it.
fn is_ordered(orders: &Declaration, question: &Question) -> bool {
    orders.get(&question.key.clone().nth(1)).is_some()
}

/// True if orders are to go on without it.
fn lets_pass(orders: &Declaration, question: &Question) -> bool {
    question.can_pass() && orders.get(&question.key.clone().nth(1)) == Some(&Answer::LeftOut)
}

/// As much of an order as can stand as the answer to a question: of several options the first that is
/// legal, where one is asked for.
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
