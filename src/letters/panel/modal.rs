//! The forms to type into.

use super::action::Blank;
use super::controls::{Field, Modal, beginning, length, limits, shortened};
use super::drawing::PanelDrawing;
use crate::{Caption, LetterFault};
use rules::question::Shape;
use rules::text::{self, Words};
use rules::{Answer, Asked, Value};

/// The maximum length of a typed payment or number, in UTF-16 units.
const LINE: usize = 200;

/// Draws the form for an input, with the current answers. The form for the whole declaration also has the
/// answers to questions that are no longer asked.
pub fn modal(
    drawing: &PanelDrawing<'_>,
    words: &Words<'_>,
    blank: Blank,
) -> Result<Modal, LetterFault> {
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

fn caption_of(
    drawing: &PanelDrawing<'_>,
    caption: Caption<'_>,
    most: usize,
) -> Result<String, LetterFault> {
    Ok(shortened(drawing.letters.caption(drawing.reader, caption)?, most))
}

/// Returns the field for the answer to a question.
fn answer(drawing: &PanelDrawing<'_>, asked: &Asked) -> Result<Field, LetterFault> {
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
