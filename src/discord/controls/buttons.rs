//! Buttons and rows of controls, as Discord draws them.

use serde_json::{Value as Json, json};

use crate::discord::controls::control::Control;
use crate::letters::discord::ButtonLabel;
use crate::letters::{LetterFault, Letters, Reader};
use crate::panel::Style;

pub(in crate::discord) fn button(style: Style, label: &str, control: &Control) -> Json {
    let style = match style {
        Style::Main => 1,
        Style::Plain => 2,
        Style::Chosen => 3,
        Style::Grave => 4,
    };
    json!({ "type": 2, "style": style, "label": label, "custom_id": control.to_string() })
}

/// A button with the label that the template `label` has for this word.
pub(in crate::discord) fn labelled(
    letters: &Letters,
    reader: &Reader,
    word: &str,
    style: Style,
    control: &Control,
) -> Result<Json, LetterFault> {
    let label = letters.write(reader, &ButtonLabel { wish: word })?;
    Ok(button(style, &label, control))
}

/// A row of nothing but such a button.
pub(in crate::discord) fn one(
    letters: &Letters,
    reader: &Reader,
    word: &str,
    style: Style,
    control: &Control,
) -> Result<Vec<Json>, LetterFault> {
    Ok(rows(&[labelled(letters, reader, word, style, control)?]))
}

/// A row of controls.
pub(in crate::discord) fn row(controls: &[Json]) -> Json {
    json!({ "type": 1, "components": controls })
}

/// The row of these controls; none without any.
pub(in crate::discord) fn rows(controls: &[Json]) -> Vec<Json> {
    if controls.is_empty() { Vec::new() } else { vec![row(controls)] }
}
