//! The answers that a panel offers for a question.

use smol_str::SmolStr;

use super::payments::payments;
use rules::question::Shape;
use rules::{Answer, Asked, Declaration, Interview, Suppose, Value};

/// What a draft comes to: the interview of a seat in a contest.
pub type InterviewOf<'a> = &'a dyn Fn(&Declaration) -> Interview;

/// Numbers among at most so many are offered one by one; others are typed.
const NUMBERS: i64 = 25;

/// An answer that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OfferedAnswer {
    /// What stands in the draft after it is taken.
    pub(super) answer: Answer,
    pub(super) shown: Value,
    /// What is to be said about it.
    pub(super) note: Option<AnswerNote>,
}

/// What is to be said about an answer that is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerNote {
    /// By how much a payment is worth more than the cost.
    Over(u32),
    /// How often it can be picked still: more than once.
    Left(usize),
}

/// Every answer that is offered, in order. What is barred is not among them.
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

/// What has been picked so far.
pub(super) fn picked(asked: &Asked) -> &[SmolStr] {
    match asked.answer.as_ref().and_then(Answer::value) {
        Some(Value::Picks(picked)) => picked,
        _ => &[],
    }
}

fn plain(value: Value) -> OfferedAnswer {
    OfferedAnswer { answer: Answer::Given(value.clone()), shown: value, note: None }
}

/// One more of what can be picked. What stands `n` times can be picked `n` times.
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

/// True if something is to be said to a question still: what need not be said as well, if it can
/// be, but for what is asked in advance.
pub(super) fn waits(asked: &Asked) -> bool {
    let possible = match &asked.question.shape {
        Shape::Choose { options, .. } | Shape::Pick { options, .. } => !options.is_empty(),
        Shape::Pay { .. } | Shape::Number { .. } | Shape::Text { .. } => true,
    };
    let optional = asked.question.suppose == Suppose::Nothing && !asked.standing && possible;
    (asked.is_open() && asked.only_answer().is_none()) || (asked.answer.is_none() && optional)
}
