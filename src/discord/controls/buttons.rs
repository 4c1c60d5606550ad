//! Buttons and rows of controls, as Discord's JSON. One-press buttons on a table's post seal an answer or
//! carry out an act; other buttons open a panel.

use serde_json::{Value as Json, json};

use crate::controls::control::{LONGEST, PressEffect};
use crate::controls::{ButtonAction, Control, PressedAnswers};
use desk::{PlayView, Sight};
use letters::discord::ButtonLabel;
use letters::panel::{Style, limits, shortened};
use letters::{Caption, Letters, Reader, Result};
use rules::{Declaration, Press, Viewer};
use tables::ids::TableCode;

pub(crate) fn button(style: Style, label: &str, control: &Control) -> Json {
    let style = match style {
        Style::Main => 1,
        Style::Plain => 2,
        Style::Chosen => 3,
        Style::Grave => 4,
    };
    json!({ "type": 2, "style": style, "label": label, "custom_id": control.to_string() })
}

/// Returns a button whose label comes from the template `label`.
pub(crate) fn labelled(
    letters: &Letters,
    reader: &Reader,
    word: &str,
    style: Style,
    control: &Control,
) -> Result<Json> {
    let label = letters.write(reader, &ButtonLabel { wish: word })?;
    Ok(button(style, &label, control))
}

/// Returns a row with one button whose label comes from the template `label`.
pub(crate) fn one(
    letters: &Letters,
    reader: &Reader,
    word: &str,
    style: Style,
    control: &Control,
) -> Result<Vec<Json>> {
    Ok(rows(&[labelled(letters, reader, word, style, control)?]))
}

/// Returns a row of controls.
pub(crate) fn row(controls: &[Json]) -> Json {
    json!({ "type": 1, "components": controls })
}

/// Returns a row with a menu of these entries.
pub(crate) fn menu(control: &Control, placeholder: &str, entries: &[Json]) -> Json {
    row(&[json!({
        "type": 3,
        "custom_id": control.to_string(),
        "placeholder": placeholder,
        "options": entries,
    })])
}

/// Returns an entry of a menu.
pub(crate) fn entry(
    value: &impl ToString,
    label: &str,
    description: Option<&str>,
    chosen: bool,
) -> Json {
    let mut entry = json!({ "label": label, "value": value.to_string(), "default": chosen });
    if let Some(description) = description {
        entry["description"] = json!(description);
    }
    entry
}

/// Returns a row of the controls; no row if there are none.
pub(crate) fn rows(controls: &[Json]) -> Vec<Json> {
    if controls.is_empty() { Vec::new() } else { vec![row(controls)] }
}

/// Returns a row of buttons about a table; no row if there are no actions.
pub(crate) fn action_row(
    code: &TableCode,
    actions: &[ButtonAction],
    letters: &Letters,
    reader: &Reader,
) -> Result<Vec<Json>> {
    let button = |action: &ButtonAction| {
        let style = match action {
            ButtonAction::Join
            | ButtonAction::Declare
            | ButtonAction::Start
            | ButtonAction::Back => Style::Main,
            _ => Style::Plain,
        };
        let control = Control::Table { code: code.to_owned(), button: *action };
        labelled(letters, reader, action.word(), style, &control)
    };
    Ok(rows(&actions.iter().map(button).collect::<Result<Vec<_>>>()?))
}

/// The maximum number of rows above the row that every post has.
const ROWS: usize = limits::ROWS - 1;

/// Returns the rows of one-press buttons for the open window.
pub(crate) fn one_press_rows(
    sight: &Sight,
    play: &PlayView,
    letters: &Letters,
    reader: &Reader,
) -> Result<Vec<Json>> {
    let (answers, acts) = (play.contest.common_answers(), play.contest.common_acts());
    let all: Vec<&Press> = answers.iter().chain(&acts).collect();
    let captions: Vec<Caption<'_>> = all.iter().map(|press| caption(press)).collect();
    let mut labels = letters.captions(reader, &captions)?.into_iter();
    let mut plans = Vec::new();
    let is_safe = |act: &Declaration| {
        play.contest.at_stake(Viewer::Public, &Declaration::default(), act).is_none()
    };
    for (at, press) in all.iter().enumerate() {
        let effect = match (at < answers.len(), press.whole) {
            (true, _) => PressEffect::Sealed,
            // An irrevocable act is shown first, and carried out by a second press.
            (false, true) if is_safe(&press.declaration) => {
                PressEffect::Done(play.contest.acts_done())
            }
            (false, _) => PressEffect::Begun,
        };
        let (code, pressed) = (sight.code.clone(), PressedAnswers(press.declaration.clone()));
        let control = Control::Say { code, window: play.number, effect, answers: pressed };
        let label = shortened(labels.next().unwrap_or_default(), limits::BUTTON);
        if control.to_string().encode_utf16().count() <= LONGEST {
            let style = if effect == PressEffect::Begun { Style::Plain } else { Style::Main };
            let button = button(style, &label, &control);
            plans.push((effect == PressEffect::Sealed, press.options.as_slice(), button));
        }
    }
    // Buttons of one kind share a row; if that takes too many rows, the rows are filled up.
    let kind = |(sealed, options, _): &(bool, &[_], Json)| {
        (*sealed, (options.len() > 1).then(|| options[..options.len() - 1].to_vec()))
    };
    let kinds = plans.chunk_by(|one, other| kind(one) == kind(other));
    let mut rows: Vec<_> = kinds.flat_map(|kind| kind.chunks(limits::BUTTONS)).collect();
    if rows.len() > ROWS {
        rows = plans.chunks(limits::BUTTONS).take(ROWS).collect();
    }
    let drawn = |plans: &[(bool, &[_], Json)]| {
        row(&plans.iter().map(|(_, _, button)| button.clone()).collect::<Vec<_>>())
    };
    Ok(rows.into_iter().map(drawn).collect())
}

/// Returns the caption of a button, with the act itself, as a card alone could be bought, sold or shown.
fn caption(press: &Press) -> Caption<'_> {
    match press.options.as_slice() {
        [] => Caption::Pass,
        options if press.whole => Caption::All(options),
        options => Caption::More(options),
    }
}
