//! The drawing of a panel.

use super::action::{Blank, PanelAction, place_number};
use super::choices::{choices, picked};
use super::controls::{Button, ControlRow, Panel, Style, limits, shortened};
use super::courses::sheet;
use super::drawing::{PanelDrawing, PanelSubject};
use super::focus::PanelFace;
use super::menus;
use super::reserves::reserves;
use super::text::text;
use crate::{Caption, LetterFault};
use rules::question::Shape;
use rules::{Answer, Asked, Interview, SealWarning, said_again};

/// Draws the panel: the answers so far, the faults, the questions with their legal answers, and the defaults
/// for unanswered questions.
pub fn draw(drawing: &PanelDrawing<'_>) -> Result<Panel, LetterFault> {
    let found = (drawing.form)(drawing.draft);
    let is_act = drawing.subject == PanelSubject::Act;
    let sheet = if is_act { Vec::new() } else { sheet(drawing.form, drawing.draft, &found) };
    let stands_beside = sheet.len() > 1;
    let face = if drawing.view.reserves {
        PanelFace::Reserves(reserves(drawing.form, drawing.draft, &found))
    } else {
        drawing.view.face(&found, sheet)
    };
    let mut rows = match &face {
        PanelFace::Question(at) => of_question(drawing, &found, *at)?,
        PanelFace::Warned => {
            let anyway = (PanelAction::SealAnyway, Caption::SealAnyway, Style::Grave);
            let fresh = (PanelAction::Fresh, Caption::Fresh, Style::Main);
            vec![row(drawing, &[anyway, fresh])?]
        }
        PanelFace::Sheet(sheet) => {
            let menu = |question| menus::courses(drawing, &found, question).map(ControlRow::Menu);
            sheet.iter().map(menu).collect::<Result<_, _>>()?
        }
        PanelFace::Reserves(sheet) => {
            let menu =
                |question| menus::in_reserve(drawing, &found, question).map(ControlRow::Menu);
            sheet.iter().map(menu).collect::<Result<_, _>>()?
        }
        PanelFace::Complete if is_act => {
            vec![row(drawing, &[(PanelAction::Seal, Caption::Do, Style::Main)])?]
        }
        PanelFace::Complete if drawing.subject == PanelSubject::Declaration => {
            vec![row(drawing, &[(PanelAction::Seal, Caption::Seal, Style::Main)])?]
        }
        PanelFace::Complete | PanelFace::List => Vec::new(),
    };

    let shown = face.question();
    if !matches!(face, PanelFace::Sheet(_) | PanelFace::Reserves(_)) {
        rows.extend(menus::questions(drawing, &found, shown)?);
    }
    rows.extend(some_row(drawing, &foot(drawing, &found, &face, stands_beside))?);
    Ok(Panel { text: text(drawing, &found, &face)?, rows })
}

/// A button before its label is written.
type ButtonPlan<'a> = (PanelAction, Caption<'a>, Style);

fn row(drawing: &PanelDrawing<'_>, plans: &[ButtonPlan<'_>]) -> Result<ControlRow, LetterFault> {
    let captions: Vec<Caption<'_>> = plans.iter().map(|(_, caption, _)| *caption).collect();
    let labels = drawing.letters.captions(drawing.reader, &captions)?;
    let button = |(&(action, _, style), label): (&ButtonPlan<'_>, String)| Button {
        action,
        label: shortened(label, limits::BUTTON),
        style,
    };
    Ok(ControlRow::Buttons(plans.iter().zip(labels).map(button).collect()))
}

/// Returns a row of buttons, or `None` if there are no buttons.
fn some_row(
    drawing: &PanelDrawing<'_>,
    plans: &[ButtonPlan<'_>],
) -> Result<Option<ControlRow>, LetterFault> {
    if plans.is_empty() { Ok(None) } else { row(drawing, plans).map(Some) }
}

/// Returns the controls of a question.
fn of_question(
    drawing: &PanelDrawing<'_>,
    found: &Interview,
    at: usize,
) -> Result<Vec<ControlRow>, LetterFault> {
    let (asked, question) = (&found.asked[at], place_number(at));
    let choices = choices(asked);
    let pays = matches!(asked.question.shape, Shape::Pay { .. });
    let mut rows = Vec::new();
    if !pays && (1..=limits::BUTTONS).contains(&choices.len()) {
        let plan = |(option, choice)| {
            let choice: &super::choices::OfferedAnswer = choice;
            let chosen = asked.answer.as_ref() == Some(&choice.answer);
            let style = if chosen { Style::Chosen } else { Style::Main };
            let action = PanelAction::Answer { question, option: place_number(option) };
            (action, Caption::Offer(&choice.shown), style)
        };
        let plans: Vec<ButtonPlan<'_>> = choices.iter().enumerate().map(plan).collect();
        rows.push(row(drawing, &plans)?);
    } else if !choices.is_empty() {
        rows.push(ControlRow::Menu(menus::options(drawing, asked, question, &choices)?));
    }
    rows.extend(some_row(drawing, &beside(drawing, asked, question, choices.is_empty()))?);
    Ok(rows)
}

/// Returns the buttons of a question beside its options.
fn beside<'a>(
    drawing: &PanelDrawing<'_>,
    asked: &'a Asked,
    question: u16,
    must_write: bool,
) -> Vec<ButtonPlan<'a>> {
    let mut plans = Vec::new();
    let writes = match asked.question.shape {
        Shape::Pay { .. } | Shape::Text { .. } => true,
        Shape::Number { .. } => must_write,
        Shape::Choose { .. } | Shape::Pick { .. } => false,
    };
    if writes {
        let style = if must_write { Style::Main } else { Style::Plain };
        plans.push((PanelAction::Write(Blank::Question(question)), Caption::Write, style));
    }
    if !picked(asked).is_empty() {
        plans.push((PanelAction::Undo(question), Caption::Undo, Style::Plain));
    }
    let left_out = asked.answer == Some(Answer::LeftOut);
    let style = if left_out { Style::Chosen } else { Style::Plain };
    let can_leave_out = match drawing.subject {
        PanelSubject::Declaration | PanelSubject::Next => true,
        // The first question of an act, which names the act, cannot be left out.
        PanelSubject::Act => question > 0 && asked.question.can_pass() && picked(asked).is_empty(),
        PanelSubject::Orders => false,
    };
    if can_leave_out {
        plans.push((PanelAction::LeaveOut(question), Caption::LeaveOut(asked), style));
    }
    if asked.answer.is_some() {
        plans.push((PanelAction::Next(question), Caption::Next, Style::Plain));
    }
    plans
}

/// Returns the buttons of the whole draft.
fn foot<'a>(
    drawing: &PanelDrawing<'_>,
    found: &Interview,
    face: &PanelFace,
    stands_beside: bool,
) -> Vec<ButtonPlan<'a>> {
    let mut plans: Vec<ButtonPlan<'_>> = Vec::new();
    let empty = drawing.draft.is_empty();
    let declares = drawing.subject == PanelSubject::Declaration;
    if declares && !matches!(face, PanelFace::Warned | PanelFace::Complete) {
        let open = found.asked.iter().any(|asked| asked.is_open() && asked.only_answer().is_none());
        let complete = found.faults.is_empty() && !open;
        let style = if complete { Style::Main } else { Style::Plain };
        plans.push(if found.seal_warning(drawing.draft) == Some(SealWarning::Empty) {
            (PanelAction::SealAnyway, Caption::SealEmpty, Style::Plain)
        } else {
            (PanelAction::Seal, Caption::Seal, style)
        });
        if empty && drawing.before.is_some_and(|before| said_again(drawing.form, before).is_some())
        {
            plans.push((PanelAction::Same, Caption::Same, Style::Plain));
        }
    }
    match face {
        PanelFace::Sheet(_) => {
            let list = PanelAction::Leaf(0);
            plans.push((list, Caption::Others, Style::Plain));
        }
        PanelFace::Reserves(_) => {
            let caption = if stands_beside { Caption::ToSheet } else { Caption::Back };
            plans.push((PanelAction::Fresh, caption, Style::Plain));
        }
        PanelFace::Question(_) | PanelFace::List if stands_beside => {
            plans.push((PanelAction::Fresh, Caption::ToSheet, Style::Plain));
        }
        PanelFace::Warned => {}
        PanelFace::Question(_) | PanelFace::List | PanelFace::Complete => {
            if let Some(before) = answered_before(found, face.question()) {
                plans.push((PanelAction::Back(place_number(before)), Caption::Back, Style::Plain));
            }
        }
    }
    if can_hold(drawing, found, face) {
        plans.push((PanelAction::Reserves, Caption::Reserves, Style::Plain));
    }
    let orders = drawing.subject == PanelSubject::Orders;
    if orders && found.letting_rest_pass(drawing.draft).is_some() {
        plans.push((PanelAction::PassRest, Caption::PassRest, Style::Main));
    }
    if !empty {
        plans.push((PanelAction::Clear, Caption::Clear, Style::Plain));
    }
    if drawing.subject != PanelSubject::Act {
        plans.push((PanelAction::Write(Blank::Whole), Caption::Whole, Style::Plain));
    }
    plans
}

/// True if the panel can show reserves for the draft.
fn can_hold(drawing: &PanelDrawing<'_>, found: &Interview, face: &PanelFace) -> bool {
    matches!(drawing.subject, PanelSubject::Declaration | PanelSubject::Next)
        && matches!(face, PanelFace::Sheet(_) | PanelFace::Complete)
        && !reserves(drawing.form, drawing.draft, found).is_empty()
}

/// Returns the last answered question before the one shown, or else the last of all.
fn answered_before(found: &Interview, shown: Option<usize>) -> Option<usize> {
    let answered = |asked: &Asked| asked.answer.is_some();
    let before = &found.asked[..shown.unwrap_or(found.asked.len())];
    let other = |at: &usize| Some(*at) != shown;
    let last = || found.asked.iter().rposition(answered).filter(other);
    before.iter().rposition(answered).or_else(last)
}
