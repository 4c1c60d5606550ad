//! The questions shown side by side: each is a menu whose entries may give several answers.

use smol_str::SmolStr;

use super::choices::{AnswerNote, InterviewOf, choices};
use super::controls::limits;
use rules::question::Shape;
use rules::{Answer, Asked, Declaration, Interview, Key, Suppose, Value};

/// The maximum number of questions side by side.
pub(super) const SHEET: usize = limits::ROWS - 1;

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
pub(super) fn sheet(
    form: InterviewOf<'_>,
    draft: &Declaration,
    found: &Interview,
) -> Vec<SheetQuestion> {
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
    form: InterviewOf<'_>,
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
