//! The drawing of a panel: the question that it shows, the text and the controls.

use crate::panel::action::{length, place_number};
use crate::panel::choices::{choices, picked, reserves, sheet};
use crate::panel::view::{PanelDrawing, PanelFace, PanelSubject};
use crate::panel::{
    Blank, Button, ControlRow, Panel, PanelAction, Style, limits, menus, shortened,
};
use crate::{Caption, DraftView, NextDeclarationShown, OrdersShown, PanelQuestion, Result};
use rules::{Answer, Asked, Interview, SealWarning, Shape, said_again};

/// Draws the panel: the answers so far, the faults, the questions with their legal answers, and the defaults
/// for unanswered questions.
pub fn draw(drawing: &PanelDrawing<'_>) -> Result<Panel> {
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

fn row(drawing: &PanelDrawing<'_>, plans: &[ButtonPlan<'_>]) -> Result<ControlRow> {
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
fn some_row(drawing: &PanelDrawing<'_>, plans: &[ButtonPlan<'_>]) -> Result<Option<ControlRow>> {
    if plans.is_empty() { Ok(None) } else { row(drawing, plans).map(Some) }
}

/// Returns the controls of a question.
fn of_question(
    drawing: &PanelDrawing<'_>,
    found: &Interview,
    at: usize,
) -> Result<Vec<ControlRow>> {
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

/// The maximum length of a line below a heading in a shortened text, in UTF-16 units.
const LINE: usize = 200;

/// Writes the answers so far, the current question, and the consequences of a seal.
pub(super) fn text(
    drawing: &PanelDrawing<'_>,
    found: &Interview,
    face: &PanelFace,
) -> Result<String> {
    let warned = drawing.view.warned.map(|warned| match warned {
        SealWarning::Faulty => "faulty",
        SealWarning::Empty => "empty",
    });
    if drawing.subject == PanelSubject::Orders {
        let (unread, faults) = (drawing.unread, &*found.faults);
        let orders = OrdersShown { unread, faults, by_menus: true, ..OrdersShown::of(found) };
        let orders = drawing.letters.write(drawing.reader, &orders)?;
        return Ok(shortened(orders, limits::TEXT));
    }
    if drawing.subject == PanelSubject::Next {
        let next = NextDeclarationShown::of(found);
        let next = NextDeclarationShown { unread: drawing.unread, by_menus: true, ..next };
        let next = drawing.letters.write(drawing.reader, &next)?;
        return Ok(shortened(next, limits::TEXT));
    }
    let at_once = drawing.subject == PanelSubject::Act;
    let drafted =
        DraftView { interview: found, unread: drawing.unread, sealing: warned.is_some(), at_once };
    let text = drawing.letters.drafted(drawing.reader, &drafted)?;
    let asked = face.question().map(|at| &found.asked[at]);
    let beside = matches!(face, PanelFace::Sheet(_) | PanelFace::List);
    let reserves = matches!(face, PanelFace::Reserves(_));
    let question = PanelQuestion { interview: found, asked, beside, reserves, warned, at_once };
    let question = drawing.letters.panel_question(drawing.reader, &question)?;
    let room = limits::TEXT.saturating_sub(length(&question) + 1);
    let text = fitted(drawing, &text, room)?;
    Ok(shortened(format!("{text}\n{question}"), limits::TEXT))
}

/// Fits a text into this length in UTF-16 units. The headings stay: first the lines below them are shortened,
/// then the last lines below each are left out.
fn fitted(drawing: &PanelDrawing<'_>, text: &str, room: usize) -> Result<String> {
    if length(text) <= room {
        return Ok(text.to_owned());
    }
    let blocks = blocks(text);
    let longest = blocks.iter().map(|block| block.below.len()).max().unwrap_or_default();
    // The note has the number of lines left out, and is widest for the number of all lines.
    let note = |lines| drawing.letters.caption(drawing.reader, Caption::LeftOutLines(lines));
    let widest = length(&note(text.lines().count())?);
    let fits =
        |most: &usize| blocks.iter().map(|block| block.size(*most, widest)).sum::<usize>() <= room;
    let most = match longest {
        all if fits(&all) => all,
        all => (1..all).take_while(fits).last().unwrap_or_default(),
    };
    let mut lines = Vec::new();
    for block in &blocks {
        let (below, left_out) = block.below.split_at(most.min(block.below.len()));
        lines.extend(block.heading.map(str::to_owned));
        lines.extend(below.iter().cloned());
        if !left_out.is_empty() {
            lines.push(format!("{}{}", block.indent(), note(left_out.len())?));
        }
    }
    Ok(lines.join("\n"))
}

/// A heading and the lines below it, none of them longer than [`LINE`].
struct TextBlock<'t> {
    heading: Option<&'t str>,
    below: Vec<String>,
}

impl TextBlock<'_> {
    /// Returns the indentation of the lines below the heading.
    fn indent(&self) -> &str {
        let first = self.below.first().map_or("", String::as_str);
        &first[..first.len() - first.trim_start().len()]
    }

    /// Returns the length with at most this many lines, plus a note of this length if there are more.
    fn size(&self, most: usize, note: usize) -> usize {
        let below = self.below.iter().take(most).map(|line| length(line) + 1).sum::<usize>();
        let note = if self.below.len() > most { length(self.indent()) + note + 1 } else { 0 };
        self.heading.map_or(0, |heading| length(heading) + 1) + below + note
    }
}

/// Returns the blocks of a text, the first without a heading: the lines below a heading are indented.
fn blocks(text: &str) -> Vec<TextBlock<'_>> {
    let mut blocks = vec![TextBlock { heading: None, below: Vec::new() }];
    for line in text.lines() {
        let below = line.starts_with(char::is_whitespace);
        match blocks.last_mut().filter(|_| below) {
            Some(block) => block.below.push(shortened(line.to_owned(), LINE)),
            None => blocks.push(TextBlock { heading: Some(line), below: Vec::new() }),
        }
    }
    blocks
}
