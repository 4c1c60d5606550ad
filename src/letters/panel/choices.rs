//! The answers that a panel offers for a question.
//!
//! The reserves that can be picked: for each answered part, the answers of one menu entry that count if the
//! answers before them cannot stand.

use smol_str::SmolStr;

use crate::panel::limits;
use rules::ask::most;
use rules::{
    Answer, Asked, Declaration, Denomination, Forms, Interview, Key, Shape, Suppose, Value,
};

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

/// The maximum number of questions side by side.
const SHEET: usize = limits::ROWS - 1;

/// The answers of one menu entry: to a question, and to the follow-up question that it brings up.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) answers: Vec<(Key, Answer)>,
    pub(super) shown: Vec<Value>,
    pub(super) note: Option<AnswerNote>,
}

impl Course {
    /// True if the draft has all answers of the course.
    pub(super) fn is_said(&self, draft: &Declaration) -> bool {
        self.answers.iter().all(|(key, answer)| draft.get(key) == Some(answer))
    }
}

/// A question shown side by side with others.
#[derive(Clone, Debug)]
pub(super) struct SheetQuestion {
    /// The position of the question in the interview.
    pub(super) at: usize,
    pub(super) courses: Vec<Course>,
}

impl SheetQuestion {
    /// Returns the sort key of the question's urgency: false comes first. The first field is true if no
    /// question that a die would decide waits, the second if none waits at all.
    fn can_wait(&self, found: &Interview) -> (bool, bool) {
        let keys = self.courses.iter().flat_map(|course| &course.answers).map(|(key, _)| key);
        let answered = keys.filter_map(|key| found.question(key));
        let waiting =
            || answered.clone().chain([&found.asked[self.at]]).filter(|asked| asked.waits());
        let by_die = |asked: &Asked| asked.question.suppose == Suppose::Die;
        (!waiting().any(by_die), waiting().next().is_none())
    }
}

/// Returns the questions to show side by side, in the order of the interview. If there are too many, those
/// that wait go first.
pub(super) fn sheet(form: Forms<'_>, draft: &Declaration, found: &Interview) -> Vec<SheetQuestion> {
    let mut sheet: Vec<SheetQuestion> = Vec::new();
    for (at, asked) in found.asked.iter().enumerate() {
        let key = &asked.question.key;
        let is_said_with_another = |question: &SheetQuestion| {
            question
                .courses
                .iter()
                .flat_map(|course| &course.answers)
                .any(|(other, _)| other == key)
        };
        let leads = !asked.standing && asked.only_answer().is_none();
        if !leads || sheet.iter().any(is_said_with_another) {
            continue;
        }
        let courses = courses(form, draft, found, asked);
        if (1..limits::ENTRIES).contains(&courses.len()) {
            sheet.push(SheetQuestion { at, courses });
        }
    }
    let mut first: Vec<usize> = (0..sheet.len()).collect();
    first.sort_by_key(|place| sheet[*place].can_wait(found));
    first.truncate(SHEET);
    let mut place = 0..;
    sheet.retain(|_| place.next().is_some_and(|place| first.contains(&place)));
    sheet
}

/// Returns the courses of a question; empty for a question that takes several picks or a text.
pub(super) fn courses(
    form: Forms<'_>,
    draft: &Declaration,
    found: &Interview,
    asked: &Asked,
) -> Vec<Course> {
    if matches!(asked.question.shape, Shape::Pick { .. } | Shape::Text { .. }) {
        return Vec::new();
    }
    let key = &asked.question.key;
    let mut without = found.taking_up(draft, &key.whole());
    forget_what_hangs_on(&mut without, found, asked);
    without.remove(key);
    let before = form(&without);
    let (mut short, mut long) = (Vec::new(), Vec::new());
    for choice in choices(asked) {
        let answered = (key.clone(), choice.answer);
        let one = Course {
            answers: vec![answered.clone()],
            shown: vec![choice.shown.clone()],
            note: choice.note,
        };
        let mut with = without.clone();
        with.set(answered.0.clone(), answered.1.clone());
        match brought_up(&before, &form(&with), key) {
            Some((next, options)) => long.extend(options.into_iter().map(|option| {
                let value = Value::Choice(option);
                let more = (next.clone(), Answer::Given(value.clone()));
                let shown = vec![choice.shown.clone(), value];
                Course { answers: vec![answered.clone(), more], shown, note: None }
            })),
            None => long.push(one.clone()),
        }
        short.push(one);
    }
    // One entry is reserved for leaving the question out.
    if long.len() < limits::ENTRIES { long } else { short }
}

/// Returns the follow-up question in the same part that an answer brings up, with its options.
fn brought_up(before: &Interview, then: &Interview, key: &Key) -> Option<(Key, Vec<SmolStr>)> {
    let is_new = |asked: &&Asked| {
        let other = &asked.question.key;
        other.whole() == key.whole() && other != key && before.question(other).is_none()
    };
    let next = then.asked.iter().find(is_new)?;
    let Shape::Choose { options, .. } = &next.question.shape else { return None };
    let leads = !next.standing && next.question.suppose != Suppose::Nothing && !options.is_empty();
    leads.then(|| (next.question.key.clone(), options.clone()))
}

/// Removes the answers that depend on this one, such as the payment of a card. The player's own texts stay.
pub(super) fn forget_what_hangs_on(draft: &mut Declaration, found: &Interview, asked: &Asked) {
    let key = &asked.question.key;
    if !matches!(asked.question.shape, Shape::Choose { .. } | Shape::Pick { .. }) {
        return;
    }
    let of_part = found.asked.iter().filter(|other| other.question.key.whole() == key.whole());
    for other in of_part.skip_while(|other| other.question.key != *key).skip(1) {
        if !matches!(other.answer, Some(Answer::Given(Value::Text(_)))) {
            draft.remove(&other.question.key);
        }
    }
}

/// The maximum number of payments found.
const MOST: usize = 500;

/// A way to pay that a panel offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Payment {
    /// The number of each piece, in the order of the purse.
    pub(super) pieces: Vec<(SmolStr, u8)>,
    /// The value of the payment above the cost.
    pub(super) over: u32,
}

/// Returns the payments: the least overpaid first, then those of the fewest pieces, then the largest.
fn payments(cost: u32, purse: &[Denomination], limit: Option<u8>) -> Vec<Payment> {
    let mut kinds: Vec<Denomination> =
        purse.iter().filter(|kind| kind.worth > 0).cloned().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.worth));
    let mut search = Search { purse, found: Vec::new() };
    search.go_on(cost, &kinds, limit, &mut Vec::new());
    let mut found = search.found;
    let count = |payment: &Payment| payment.pieces.iter().map(|(_, n)| u32::from(*n)).sum::<u32>();
    found.sort_by_key(|payment| (payment.over, count(payment)));
    found
}

struct Search<'a> {
    purse: &'a [Denomination],
    found: Vec<Payment>,
}

impl Search<'_> {
    /// Pays the rest with these kinds, the largest first. The last piece that covers the rest was needed, and
    /// so was every larger one.
    fn go_on(
        &mut self,
        left: u32,
        kinds: &[Denomination],
        limit: Option<u8>,
        paid: &mut Vec<(SmolStr, u8)>,
    ) {
        if left == 0 {
            self.note(paid, 0);
            return;
        }
        let Some((kind, smaller)) = kinds.split_first() else { return };
        if self.found.len() >= MOST || most(kinds, limit) < left {
            return;
        }
        let held = kind.count.min(limit.unwrap_or(u8::MAX));
        let needed = u8::try_from(left.div_ceil(kind.worth)).unwrap_or(u8::MAX);
        for count in (0..=held.min(needed)).rev() {
            let worth = kind.worth * u32::from(count);
            paid.push((kind.id.clone(), count));
            if worth >= left {
                self.note(paid, worth - left);
            } else {
                self.go_on(left - worth, smaller, limit.map(|limit| limit - count), paid);
            }
            paid.pop();
        }
    }

    fn note(&mut self, paid: &[(SmolStr, u8)], over: u32) {
        let count = |id: &SmolStr| paid.iter().find(|(paid, _)| paid == id).map_or(0, |(_, n)| *n);
        let pieces = self.purse.iter().map(|kind| (kind.id.clone(), count(&kind.id)));
        self.found.push(Payment { pieces: pieces.filter(|(_, n)| *n > 0).collect(), over });
    }
}

/// Returns one question for each answered part of a draft, with the courses not given there yet. A part with
/// reserves is included even without any course left.
pub(super) fn reserves(
    form: Forms<'_>,
    draft: &Declaration,
    found: &Interview,
) -> Vec<SheetQuestion> {
    let mut sheet: Vec<SheetQuestion> = Vec::new();
    for (at, asked) in found.asked.iter().enumerate() {
        let (key, part) = (&asked.question.key, asked.question.key.whole());
        let is_there = |other: &SheetQuestion| found.asked[other.at].question.key.whole() == part;
        let leads = *key != part && !asked.standing && asked.only_answer().is_none();
        let is_said = matches!(draft.get(key), Some(Answer::Given(_)));
        if !leads || !is_said || sheet.iter().any(is_there) {
            continue;
        }
        let courses = left(form, draft, asked);
        let is_held = !draft.reserves(&part).is_empty();
        if courses.len() < limits::ENTRIES && (is_held || !courses.is_empty()) {
            sheet.push(SheetQuestion { at, courses });
        }
    }
    sheet.truncate(SHEET);
    sheet
}

/// Returns the courses for the part of a question that are neither given nor in reserve there.
fn left(form: Forms<'_>, draft: &Declaration, asked: &Asked) -> Vec<Course> {
    let part = asked.question.key.whole();
    let held = draft.reserves(&part);
    // Past the last reserve, the part is asked as if it were unanswered.
    let without = draft.passing_over(&part, held.len() + 1);
    let found = form(&without);
    let Some(asked) = found.question(&asked.question.key) else { return Vec::new() };
    let is_said = |course: &Course| {
        course.is_said(draft) || held.iter().any(|reserve| course.is_said(reserve))
    };
    let mut left = courses(form, &without, &found, asked);
    left.retain(|course| !is_said(course));
    left
}

/// Returns the draft with a course added to the reserves of a part, after the others.
pub(super) fn holding(draft: &Declaration, part: &Key, course: &Course) -> Declaration {
    let mut reserve = Declaration::default();
    for (key, answer) in &course.answers {
        reserve.set(key.clone(), answer.clone());
    }
    let mut draft = draft.clone();
    let held = [draft.reserves(part), &[reserve]].concat();
    draft.set(part.clone(), Answer::InReserve(held));
    draft
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use rules::ask::{largest_first, worth};

    fn purse(counts: [u8; 3], worths: [u32; 3]) -> Vec<Denomination> {
        let kinds = ["small", "medium", "large"].into_iter().zip(worths).zip(counts);
        kinds.map(|((id, worth), count)| Denomination { id: id.into(), worth, count }).collect()
    }

    fn shown(payments: &[Payment]) -> Vec<String> {
        let piece = |(id, n): &(SmolStr, u8)| format!("{}{n}", &id[..1]);
        let line = |payment: &Payment| {
            let pieces: Vec<String> = payment.pieces.iter().map(piece).collect();
            format!("{}+{}", pieces.join(" "), payment.over)
        };
        payments.iter().map(line).collect()
    }

    #[test]
    fn the_least_overpaid_come_first() {
        let purse = purse([2, 2, 2], [1, 2, 3]);
        let found = shown(&payments(4, &purse, None));
        assert_eq!(found, ["s1 l1+0", "m2+0", "s2 m1+0", "m1 l1+1", "l2+2"]);
        assert_eq!(shown(&payments(4, &purse, Some(2))), ["s1 l1+0", "m2+0", "m1 l1+1", "l2+2"]);
        assert_eq!(shown(&payments(0, &purse, None)), ["+0"]);
        assert_eq!(payments(13, &purse, None), []);
    }

    proptest! {
        /// Compares with every way to take pieces out of the purse.
        #[test]
        fn every_payment_without_a_piece_too_many_is_found(
            counts in [0_u8..5, 0..5, 0..5],
            worths in [1_u32..5, 1..5, 1..5],
            cost in 1_u32..12,
            limit in proptest::option::of(1_u8..8),
        ) {
            let purse = purse(counts, worths);
            let found = payments(cost, &purse, limit);
            let is_least = |pieces: [u8; 4]| {
                let all = worth(&purse, pieces);
                let within = limit.is_none_or(|limit| pieces.iter().sum::<u8>() <= limit);
                let used = purse.iter().zip(pieces).filter(|(_, n)| *n > 0);
                within && all >= cost && used.into_iter().all(|(kind, _)| all - kind.worth < cost)
            };
            let mut count = 0;
            for small in 0..=counts[0] {
                for medium in 0..=counts[1] {
                    for large in 0..=counts[2] {
                        count += usize::from(is_least([small, medium, large, 0]));
                    }
                }
            }
            prop_assert_eq!(found.len(), count);
            let mut pieces: Vec<_> = found.iter().map(|payment| &payment.pieces).collect();
            pieces.sort();
            pieces.dedup();
            prop_assert_eq!(pieces.len(), count);
            prop_assert!(found.is_sorted_by_key(|payment| payment.over));
            let largest = largest_first(cost, &purse, limit).map(|pieces| worth(&purse, pieces));
            let is_among =
                |largest| found.iter().any(|payment| payment.over == largest - cost);
            prop_assert!(largest.is_none_or(is_among));
        }
    }
}
