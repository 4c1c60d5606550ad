//! The text above the controls.

use super::controls::{length, limits, shortened};
use super::drawing::{PanelDrawing, PanelSubject};
use super::focus::PanelFace;
use crate::{Caption, DraftView, LetterFault, NextDeclarationShown, OrdersShown, PanelQuestion};
use rules::{Interview, SealWarning};

/// The maximum length of a line below a heading in a shortened text, in UTF-16 units.
const LINE: usize = 200;

/// Writes the answers so far, the current question, and the consequences of a seal.
pub(super) fn text(
    drawing: &PanelDrawing<'_>,
    found: &Interview,
    face: &PanelFace,
) -> Result<String, LetterFault> {
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
fn fitted(drawing: &PanelDrawing<'_>, text: &str, room: usize) -> Result<String, LetterFault> {
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
