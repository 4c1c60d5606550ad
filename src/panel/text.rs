//! What stands above the controls.

use super::controls::{length, limits};
use super::draw::Drawing;
use crate::letters::{Caption, Drafted, LetterFault, PanelQuestion};
use crate::rules::question::Shape;
use crate::rules::{Answer, Asked, Fault, Interview, Reason, Value};

/// Of so many options that are barred it is told why; of more, only that they are.
const FEW: usize = 5;

/// What has been said, and what is asked now.
pub(super) fn text(
    drawing: &Drawing<'_>,
    found: &Interview,
    shown: Option<usize>,
) -> Result<String, LetterFault> {
    let asked = shown.map(|at| &found.asked[at]);
    let focus = asked.map(|asked| &asked.question.key);
    let drafted = Drafted { interview: found, unread: drawing.unread, focus };
    let said = drawing.letters.drafted(drawing.reader, &drafted)?;
    let bars = asked.map(|asked| bars(drawing, asked)).unwrap_or_default();
    let question = PanelQuestion {
        asked,
        few: bars.len() <= FEW,
        bars: &bars,
        warned: drawing.view.warned.map(super::Warned::word),
    };
    let question = drawing.letters.panel_question(drawing.reader, &question)?;
    cut(drawing, &format!("{said}\n{question}"))
}

/// Why each option is barred: what the interview would say if it were taken.
fn bars(drawing: &Drawing<'_>, asked: &Asked) -> Vec<Fault> {
    let Shape::Choose { barred, .. } = &asked.question.shape else { return Vec::new() };
    let key = &asked.question.key;
    let why = |id| {
        let mut draft = drawing.draft.clone();
        draft.set(key.clone(), Answer::Given(Value::Choice(id)));
        let found = (drawing.form)(&draft);
        let mut faults = found.faults.into_iter().chain(found.remarks);
        faults.find(|fault| fault.key == *key && matches!(fault.reason, Reason::Barred { .. }))
    };
    barred.iter().cloned().filter_map(why).collect()
}

/// As many of the last lines as there is room for, and how many were left out before them.
fn cut(drawing: &Drawing<'_>, text: &str) -> Result<String, LetterFault> {
    if length(text) <= limits::TEXT {
        return Ok(text.to_owned());
    }
    let lines: Vec<&str> = text.lines().collect();
    let note = |lines| drawing.letters.caption(drawing.reader, Caption::LeftOutLines(lines));
    let mut room = limits::TEXT.saturating_sub(length(&note(lines.len())?));
    let fits = |line: &&&str| {
        let left = room.checked_sub(length(line) + 1);
        room = left.unwrap_or_default();
        left.is_some()
    };
    let kept = lines.iter().rev().take_while(fits).count();
    let (left_out, kept) = lines.split_at(lines.len() - kept);
    Ok(format!("{}\n{}", note(left_out.len())?, kept.join("\n")))
}
