//! The reserves that can be picked: for each answered part, the answers of one menu entry that count if the
//! answers before them cannot stand.

use super::choices::InterviewOf;
use super::controls::limits;
use super::courses::{Course, SHEET, SheetQuestion, courses};
use rules::{Answer, Asked, Declaration, Interview, Key};

/// Returns one question for each answered part of a draft, with the courses not given there yet. A part with
/// reserves is included even without any course left.
pub(super) fn reserves(
    form: InterviewOf<'_>,
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
fn left(form: InterviewOf<'_>, draft: &Declaration, asked: &Asked) -> Vec<Course> {
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
