//! A single answer, without its part.

use smol_str::SmolStr;

use crate::engine::interview::{Asked, Interview};
use crate::text::fold::fold;
use crate::text::lexicon::Lang;
use crate::text::read::read;
use crate::text::reading::Misread;
use crate::text::words::Words;
use crate::vocabulary::clause::Clause;
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::question::{Key, Lapse, Question, Shape, Suppose};
use crate::vocabulary::seat::Seat;

/// Parses the answer to a question of this shape.
///
/// # Errors
/// The misread pieces, empty if the text has no answer.
pub fn read_one(text: &str, shape: &Shape, words: &Words<'_>) -> Result<Value, Vec<Misread>> {
    if let Some(id) = named(text, shape, words) {
        return Ok(Value::Choice(id));
    }
    let Some((section, names)) = words.lexicon().sections.first() else { return Err(Vec::new()) };
    let key = Key { section: section.clone(), number: 1, name: SmolStr::new_static("answer") };
    let form = |declaration: &Declaration| {
        let question = Question {
            seat: Seat::new(0),
            key: key.clone(),
            clause: Clause::new(""),
            shape: shape.clone(),
            suppose: Suppose::Die,
            default: Clause::new(""),
            tacit: None,
        };
        let (answer, standing, lapse) = (declaration.get(&key).cloned(), false, Lapse::Returned);
        let asked = vec![Asked { question, answer, standing, lapse }];
        Interview { asked, ..Interview::default() }
    };
    let mark = names.ja[0].trim_end_matches([':', '：']);
    let reading = read(&format!("{mark}: {text}"), &Declaration::default(), &form, words);
    let misread: Vec<Misread> = reading.misread.into_iter().chain(reading.moot).collect();
    match reading.lines.into_iter().next().map(|line| line.answer) {
        Some(Answer::Given(value)) if misread.is_empty() => Ok(value),
        _ => Err(misread),
    }
}

/// Returns the only option with exactly this name, even if the name begins like a section's mark.
fn named(text: &str, shape: &Shape, words: &Words<'_>) -> Option<SmolStr> {
    let Shape::Choose { options, .. } = shape else { return None };
    let text = fold(text.trim());
    let goes_by = |id: &&SmolStr| {
        Lang::ALL.into_iter().any(|lang| fold(words.lexicon().name(id, lang)) == text)
    };
    let mut found = options.iter().filter(goes_by);
    found.next().filter(|_| found.next().is_none()).cloned()
}
