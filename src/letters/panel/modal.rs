//! The forms to type into, and the parser of their input.

use crate::panel::action::{beginning, length};
use crate::panel::take::{answered, asked};
use crate::panel::{
    Blank, EditedDraft, Field, Modal, OutdatedPanel, PanelDrawing, View, limits, shortened,
};
use crate::{Caption, Result, UnreadPiece};
use rules::text::{Reading, Words};
use rules::{Answer, Asked, Declaration, Forms, Shape, Value, text, tidy};

/// The maximum length of a typed payment or number, in UTF-16 units.
const LINE: usize = 200;

/// Draws the form for an input, with the current answers. The form for the whole declaration also has the
/// answers to questions that are no longer asked.
pub fn modal(drawing: &PanelDrawing<'_>, words: &Words<'_>, blank: Blank) -> Result<Modal> {
    let found = (drawing.form)(drawing.draft);
    if let Blank::Question(question) = blank
        && let Some(asked) = found.asked.get(usize::from(question))
    {
        let title = caption_of(drawing, Caption::Question(asked), limits::TITLE)?;
        return Ok(Modal { blank, title, fields: vec![answer(drawing, asked)?] });
    }
    let written = text::write(drawing.draft, &found, words, drawing.reader.lang);
    let leaves = leaves(&written);
    let title = caption_of(drawing, Caption::WholeTitle, limits::TITLE)?;
    let label = caption_of(drawing, Caption::WholeLabel, limits::TITLE)?;
    let placeholder = caption_of(drawing, Caption::WholeHint, limits::ENTRY)?;
    let field = |(at, leaf): (usize, &&str)| Field {
        label: label.clone(),
        placeholder: placeholder.clone(),
        value: (*leaf).to_owned(),
        min: usize::from(at == 0),
        max: limits::FIELD,
        lines: true,
        required: at == 0,
    };
    let fields = leaves.iter().enumerate().map(field).collect();
    Ok(Modal { blank: Blank::Whole, title, fields })
}

fn caption_of(drawing: &PanelDrawing<'_>, caption: Caption<'_>, most: usize) -> Result<String> {
    Ok(shortened(drawing.letters.caption(drawing.reader, caption)?, most))
}

/// Returns the field for the answer to a question.
fn answer(drawing: &PanelDrawing<'_>, asked: &Asked) -> Result<Field> {
    let (max, lines) = match asked.question.shape {
        Shape::Text { max, form } => (max.clamp(1, limits::FIELD), form.has_lines()),
        _ => (LINE, false),
    };
    let value = match asked.answer.as_ref().and_then(Answer::value) {
        Some(Value::Text(text)) => text.clone(),
        Some(value) => drawing.letters.caption(drawing.reader, Caption::Value(value))?,
        None => String::new(),
    };
    Ok(Field {
        label: caption_of(drawing, Caption::Label(asked), limits::TITLE)?,
        placeholder: caption_of(drawing, Caption::Hint(asked), limits::ENTRY)?,
        value: beginning(&value, max).to_owned(),
        min: 0,
        max,
        lines,
        required: false,
    })
}

/// Splits a long text into as many fields as needed, each ending with a whole line. A text that does not fit
/// into a modal gives one empty field.
fn leaves(text: &str) -> Vec<&str> {
    let mut leaves = Vec::new();
    let mut rest = text;
    while length(rest) > limits::FIELD {
        let most = beginning(rest, limits::FIELD);
        let Some(end) = most.rfind('\n').filter(|_| leaves.len() + 1 < limits::FIELDS) else {
            return vec![""];
        };
        leaves.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
    leaves.push(rest);
    leaves
}

/// Reads the fields of a modal, in their order. An empty input removes the answer. The whole declaration
/// replaces the draft, unless no part of the input could be parsed. Fails if the draft has no such question.
pub fn submit(
    blank: Blank,
    fields: &[String],
    form: Forms<'_>,
    draft: &Declaration,
    words: &Words<'_>,
) -> Result<EditedDraft, OutdatedPanel> {
    let typed = fields.join("\n");
    let Blank::Question(question) = blank else { return Ok(whole(&typed, form, draft, words)) };
    let found = form(draft);
    let asked = asked(&found, question)?;
    if typed.trim().is_empty() {
        return Ok(answered(form, draft, &found, asked, None));
    }
    if let Shape::Text { form: text_form, .. } = asked.question.shape {
        let text = typed.trim();
        let text =
            if text_form.has_lines() { text.to_owned() } else { text.replace(['\r', '\n'], " ") };
        let answer = Answer::Given(Value::Text(text));
        return Ok(answered(form, draft, &found, asked, Some(answer)));
    }
    let reading = read_alone(&typed, asked, form, draft, words);
    let unread = UnreadPiece::of(&reading);
    let key = &asked.question.key;
    Ok(match reading.declaration.get(key).cloned() {
        Some(answer) => {
            EditedDraft { unread, ..answered(form, draft, &found, asked, Some(answer)) }
        }
        None => EditedDraft { draft: draft.clone(), view: View::at(key), unread },
    })
}

/// Parses a text as an answer to this question only.
fn read_alone(
    typed: &str,
    asked: &Asked,
    form: Forms<'_>,
    draft: &Declaration,
    words: &Words<'_>,
) -> Reading {
    let key = &asked.question.key;
    let alone = |draft: &Declaration| {
        let mut found = form(draft);
        found.asked.retain(|asked| asked.question.key == *key);
        found
    };
    let mut before = draft.clone();
    before.remove(key);
    text::of_understood_lines(typed, &before, |typed| text::read(typed, &before, &alone, words))
}

fn whole(typed: &str, form: Forms<'_>, draft: &Declaration, words: &Words<'_>) -> EditedDraft {
    let none = Declaration::default();
    let reading =
        text::of_understood_lines(typed, &none, |typed| text::read(typed, &none, form, words));
    let unread = UnreadPiece::of(&reading);
    let nothing = reading.declaration.is_empty() && !unread.is_empty();
    let mut draft = if nothing { draft.clone() } else { reading.declaration };
    tidy(&mut draft, form);
    EditedDraft { draft, view: View::default(), unread }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_parted_between_lines() {
        let line = format!("{}\n", "あ".repeat(999));
        let text = line.repeat(9) + "end";
        let parted = leaves(&text);
        assert_eq!(parted.iter().map(|leaf| length(leaf)).collect::<Vec<_>>(), [3999, 3999, 1003]);
        assert_eq!(parted.join("\n"), text);
        assert_eq!(leaves(""), [""]);
        assert_eq!(leaves(&line.repeat(21)), [""]);
        assert_eq!(leaves(&"a".repeat(4001)), [""]);
    }
}
