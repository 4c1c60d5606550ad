//! The parser of a modal's input.

use super::action::Blank;
use super::choices::InterviewOf;
use super::focus::View;
use super::take::{EditedDraft, OutdatedPanel, answered, asked};
use crate::UnreadPiece;
use rules::question::Shape;
use rules::text::{self, Reading, Words};
use rules::{Answer, Asked, Declaration, Value, tidy};

/// Reads the fields of a modal, in their order. An empty input removes the answer. The whole declaration
/// replaces the draft, unless no part of the input could be parsed. Fails if the draft has no such question.
pub fn submit(
    blank: Blank,
    fields: &[String],
    form: InterviewOf<'_>,
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
    form: InterviewOf<'_>,
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

fn whole(
    typed: &str,
    form: InterviewOf<'_>,
    draft: &Declaration,
    words: &Words<'_>,
) -> EditedDraft {
    let none = Declaration::default();
    let reading =
        text::of_understood_lines(typed, &none, |typed| text::read(typed, &none, form, words));
    let unread = UnreadPiece::of(&reading);
    let nothing = reading.declaration.is_empty() && !unread.is_empty();
    let mut draft = if nothing { draft.clone() } else { reading.declaration };
    tidy(&mut draft, form);
    EditedDraft { draft, view: View::default(), unread }
}
