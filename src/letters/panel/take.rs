//! The results of presses on a panel.

use std::fmt;

use crate::UnreadPiece;
use crate::panel::action::place_number;
use crate::panel::choices::{choices, courses, forget_what_hangs_on, holding, picked, reserves};
use crate::panel::view::is_faulty;
use crate::panel::{Blank, PanelAction, View};
use rules::{
    Answer, Asked, Declaration, Forms, Interview, Key, StillStanding, Value, said_again, tidy,
};

/// The result of a press.
#[derive(Debug)]
pub enum PressOutcome {
    /// A draft to store, and to draw a panel of.
    Kept(EditedDraft),
    /// A draft to store that repeats the last declaration, as far as it can stand.
    SaysAgain(StillStanding),
    /// A modal to open.
    Opens(Blank),
    /// A draft to seal as it stands, with its interview.
    Seals(Interview),
}

/// A draft after a press or a modal, with the part to show. Its `Debug` output hides the answers.
#[derive(Clone, PartialEq, Eq)]
pub struct EditedDraft {
    pub draft: Declaration,
    /// The part of the draft to show.
    pub view: View,
    /// The pieces of the input that could not be parsed.
    pub unread: Vec<UnreadPiece>,
}

impl EditedDraft {
    /// Returns a draft with the default view.
    pub fn of(draft: Declaration) -> Self {
        Self { draft, view: View::default(), unread: Vec::new() }
    }
}

impl fmt::Debug for EditedDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EditedDraft")
    }
}

/// The error for a press on a missing control: the panel was drawn from another draft.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the panel was drawn from another draft")]
pub struct OutdatedPanel;

/// Returns the result of a press on the panel of this draft. `before` is the author's last declaration,
/// needed to repeat it. Fails if the panel of this draft has no such control.
pub fn take(
    action: PanelAction,
    form: Forms<'_>,
    draft: &Declaration,
    before: Option<&Declaration>,
) -> Result<PressOutcome, OutdatedPanel> {
    let found = form(draft);
    let look =
        |view| PressOutcome::Kept(EditedDraft { draft: draft.clone(), view, unread: Vec::new() });
    let key = |question| asked(&found, question).map(|asked| &asked.question.key);
    Ok(match action {
        PanelAction::Look(question) => look(View::at(key(question)?)),
        PanelAction::Next(question) => look(View::after(&found, key(question)?)),
        PanelAction::Turn { question, page } => look(View { page, ..View::at(key(question)?) }),
        PanelAction::Leaf(page) => look(View { leaf: Some(page), ..View::default() }),
        PanelAction::LeafBeside { question, page } => {
            let question = Some(key(question)?.clone());
            look(View { question, leaf: Some(page), ..View::default() })
        }
        PanelAction::Fresh => look(View::default()),
        PanelAction::Answer { question, option } => {
            let asked = asked(&found, question)?;
            let choice = choices(asked).into_iter().nth(option.into()).ok_or(OutdatedPanel)?;
            PressOutcome::Kept(answered(form, draft, &found, asked, Some(choice.answer)))
        }
        PanelAction::Course { question, option } => {
            let asked = asked(&found, question)?;
            let courses = courses(form, draft, &found, asked).into_iter();
            let mut answers = courses.skip(option.into()).map(|course| course.answers);
            PressOutcome::Kept(with_course(
                form,
                draft,
                &found,
                asked,
                answers.next().ok_or(OutdatedPanel)?,
            ))
        }
        PanelAction::Reserves => {
            reserves(form, draft, &found).first().ok_or(OutdatedPanel)?;
            look(View { reserves: true, ..View::default() })
        }
        PanelAction::Reserve { question, option } => {
            let part = key(question)?.whole();
            let offered = reserves(form, draft, &found).into_iter();
            let mut offered = offered.filter(|offered| place_number(offered.at) == question);
            let courses = offered.next().ok_or(OutdatedPanel)?.courses;
            let course = courses.get(usize::from(option)).ok_or(OutdatedPanel)?;
            PressOutcome::Kept(EditedDraft::of(holding(draft, &part, course)))
        }
        PanelAction::NoReserve(question) => {
            let part = key(question)?.whole();
            draft.reserves(&part).first().ok_or(OutdatedPanel)?;
            PressOutcome::Kept(EditedDraft::of(draft.passing_over(&part, 0)))
        }
        PanelAction::Same => {
            let again = before.and_then(|before| said_again(form, before)).ok_or(OutdatedPanel)?;
            PressOutcome::SaysAgain(again)
        }
        PanelAction::LeaveOut(question) => {
            let asked = asked(&found, question)?;
            PressOutcome::Kept(answered(form, draft, &found, asked, Some(Answer::LeftOut)))
        }
        PanelAction::PassRest => {
            let passing = found.letting_rest_pass(draft).ok_or(OutdatedPanel)?;
            PressOutcome::Kept(EditedDraft::of(passing))
        }
        PanelAction::Undo(question) => {
            let asked = asked(&found, question)?;
            let (_, before) = picked(asked).split_last().ok_or(OutdatedPanel)?;
            let answer = Answer::Given(Value::Picks(before.to_vec()));
            let answer = (!before.is_empty()).then_some(answer);
            PressOutcome::Kept(answered(form, draft, &found, asked, answer))
        }
        PanelAction::Back(question) => {
            let asked = asked(&found, question)?;
            PressOutcome::Kept(answered(form, draft, &found, asked, None))
        }
        PanelAction::Clear => PressOutcome::Kept(EditedDraft::of(Declaration::default())),
        PanelAction::Write(Blank::Question(question)) => {
            asked(&found, question)?;
            PressOutcome::Opens(Blank::Question(question))
        }
        PanelAction::Write(Blank::Whole) => PressOutcome::Opens(Blank::Whole),
        PanelAction::Seal => match found.seal_warning(draft) {
            Some(warned) => look(View { warned: Some(warned), ..View::default() }),
            None => PressOutcome::Seals(found),
        },
        PanelAction::SealAnyway => PressOutcome::Seals(found),
    })
}

pub(super) fn asked(found: &Interview, question: u16) -> Result<&Asked, OutdatedPanel> {
    found.asked.get(usize::from(question)).ok_or(OutdatedPanel)
}

/// Returns the draft with another answer to a question; `None` removes the answer.
pub(super) fn answered(
    form: Forms<'_>,
    draft: &Declaration,
    found: &Interview,
    asked: &Asked,
    answer: Option<Answer>,
) -> EditedDraft {
    let key = &asked.question.key;
    // A new pick replaces the answers of the part and its reserves.
    let mut draft = found.taking_up(draft, &key.whole());
    if asked.answer.is_some() && asked.answer != answer {
        forget_what_hangs_on(&mut draft, found, asked);
    }
    let taken_back = answer.is_none();
    match answer {
        Some(answer) => draft.set(key.clone(), answer),
        None => drop(draft.remove(key)),
    }
    let found = tidy(&mut draft, form);
    let stays = taken_back || is_faulty(&found, key) || takes_more(&found, key);
    let view = if stays { View::at(key) } else { View::default() };
    EditedDraft { draft, view, unread: Vec::new() }
}

/// Returns the draft with the answers of a course.
fn with_course(
    form: Forms<'_>,
    draft: &Declaration,
    found: &Interview,
    asked: &Asked,
    answers: Vec<(Key, Answer)>,
) -> EditedDraft {
    let mut draft = found.taking_up(draft, &asked.question.key.whole());
    if answers.iter().any(|(key, answer)| draft.get(key) != Some(answer)) {
        forget_what_hangs_on(&mut draft, found, asked);
    }
    for (key, answer) in answers {
        draft.set(key, answer);
    }
    tidy(&mut draft, form);
    EditedDraft::of(draft)
}

/// True if one more option can be picked.
fn takes_more(found: &Interview, key: &Key) -> bool {
    found.question(key).is_some_and(|asked| !picked(asked).is_empty() && !choices(asked).is_empty())
}
