//! The answers that a panel offers for a question.

use smol_str::SmolStr;

use super::payments::payments;
use rules::question::Shape;
use rules::{Answer, Asked, Declaration, Interview, Value};

/// The function that interviews a seat of a contest about a draft.
pub type InterviewOf<'a> = &'a dyn Fn(&Declaration) -> Interview;

/// The maximum size of a range whose numbers are offered one by one; others are typed.
const NUMBERS: i64 = 25;

/// An offered answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OfferedAnswer {
    /// The answer in the draft after the press.
    pub(super) answer: Answer,
    pub(super) shown: Value,
    /// The note on the answer; `None` without one.
    pub(super) note: Option<AnswerNote>,
}

/// A note on an offered answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerNote {
    /// The value of a payment above the cost.
    Over(u32),
    /// The number of times that an option can still be picked, above one.
    Left(usize),
}

/// Returns every offered answer, in order. Barred options are left out.
pub(super) fn choices(asked: &Asked) -> Vec<OfferedAnswer> {
    match &asked.question.shape {
        Shape::Choose { options, .. } => {
            each_once(options).map(|id| plain(Value::Choice(id.clone()))).collect()
        }
        Shape::Pick { options, max, .. } => {
            let picked = picked(asked);
            if picked.len() >= usize::from(*max) {
                return Vec::new();
            }
            each_once(options).filter_map(|id| one_more(options, picked, id)).collect()
        }
        Shape::Pay { cost: Some(cost), purse, limit } => {
            let paid = payments(*cost, purse, *limit).into_iter();
            let choice = |(value, over)| OfferedAnswer {
                note: Some(AnswerNote::Over(over)),
                ..plain(value)
            };
            paid.map(|paid| (Value::Payment(paid.pieces), paid.over)).map(choice).collect()
        }
        &Shape::Number { min, max } if max - min < NUMBERS => {
            (min..=max).map(|number| plain(Value::Number(number))).collect()
        }
        Shape::Pay { .. } | Shape::Number { .. } | Shape::Text { .. } => Vec::new(),
    }
}

/// Returns the picks so far.
pub(super) fn picked(asked: &Asked) -> &[SmolStr] {
    match asked.answer.as_ref().and_then(Answer::value) {
        Some(Value::Picks(picked)) => picked,
        _ => &[],
    }
}

fn plain(value: Value) -> OfferedAnswer {
    OfferedAnswer { answer: Answer::Given(value.clone()), shown: value, note: None }
}

/// Returns one more pick. An option listed `n` times can be picked `n` times.
fn one_more(options: &[SmolStr], picked: &[SmolStr], id: &SmolStr) -> Option<OfferedAnswer> {
    let count = |among: &[SmolStr]| among.iter().filter(|other| *other == id).count();
    let left = count(options).checked_sub(count(picked)).filter(|left| *left > 0)?;
    let answer = Answer::Given(Value::Picks([picked, std::slice::from_ref(id)].concat()));
    let note = (left > 1).then_some(AnswerNote::Left(left));
    Some(OfferedAnswer { answer, shown: Value::Choice(id.clone()), note })
}

fn each_once(options: &[SmolStr]) -> impl Iterator<Item = &SmolStr> {
    let first = |(at, id): (usize, &SmolStr)| !options[..at].contains(id);
    options.iter().enumerate().filter(move |one| first(*one)).map(|(_, id)| id)
}
