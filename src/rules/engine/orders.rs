//! Standing orders (常時の指示): a seat's lasting answers, and their use for questions that its declaration leaves
//! out.
//!
//! They answer before the sealing. From then on they are a part of the declaration like any other answer:
//! resolving, replaying or verifying the window needs no orders.

use crate::engine::contest::Contest;
use crate::engine::interview::{Interview, ordering};
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::game::Game;
use crate::vocabulary::question::{Key, Question, Shape};
use crate::vocabulary::seat::{Seat, Viewer};

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
