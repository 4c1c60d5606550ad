//! Buttons and rows of controls, as Discord draws them; on a table's post also those that say all
//! there is to say, for whoever presses them: an answer is sealed, and an act is done. Where one press
//! is not enough, a panel asks for the rest.

use serde_json::{Value as Json, json};

use crate::controls::control::{ButtonAction, Control, LONGEST, PressEffect};
use crate::controls::pressed_answers::PressedAnswers;
use desk::{PlayView, Sight};
use letters::discord::ButtonLabel;
use letters::panel::{Style, limits, shortened};
use letters::{Caption, LetterFault, Letters, Reader};
use rules::Press;
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

/// A button with the label that the template `label` has for this word.
pub(crate) fn labelled(
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
pub(crate) fn one(
    letters: &Letters,
    reader: &Reader,
    word: &str,
    style: Style,
    control: &Control,
) -> Result<Vec<Json>, LetterFault> {
    Ok(rows(&[labelled(letters, reader, word, style, control)?]))
}

/// A row of controls.
pub(crate) fn row(controls: &[Json]) -> Json {
    json!({ "type": 1, "components": controls })
}

/// The row of these controls; none without any.
pub(crate) fn rows(controls: &[Json]) -> Vec<Json> {
    if controls.is_empty() { Vec::new() } else { vec![row(controls)] }
}

/// A row of buttons about a table; none without any.
pub(crate) fn action_row(
    code: &TableCode,
    actions: &[ButtonAction],
    letters: &Letters,
    reader: &Reader,
) -> Result<Vec<Json>, LetterFault> {
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
    Ok(rows(&actions.iter().map(button).collect::<Result<Vec<_>, LetterFault>>()?))
}

/// So many rows have room above the one that every post has.
const ROWS: usize = limits::ROWS - 1;

/// The rows of buttons for what can be said in the open window.
pub(crate) fn one_press_rows(
    sight: &Sight,
    play: &PlayView,
    letters: &Letters,
    reader: &Reader,
) -> Result<Vec<Json>, LetterFault> {
    let (answers, acts) = (play.contest.common_answers(), play.contest.common_acts());
    let all: Vec<&Press> = answers.iter().chain(&acts).collect();
    let captions: Vec<Caption<'_>> = all.iter().map(|press| caption(press)).collect();
    let mut labels = letters.captions(reader, &captions)?.into_iter();
    let mut plans = Vec::new();
    for (at, press) in all.iter().enumerate() {
        let effect = match (at < answers.len(), press.whole) {
            (true, _) => PressEffect::Sealed,
            // What stands for good is shown first, and done by a second press.
            (false, true) if !sight.game.is_for_good(&press.said) => {
                PressEffect::Done(play.contest.acts_done())
            }
            (false, _) => PressEffect::Begun,
        };
        let (code, said) = (sight.code.clone(), PressedAnswers(press.said.clone()));
        let control = Control::Say { code, window: play.number, effect, said };
        let label = shortened(labels.next().unwrap_or_default(), limits::BUTTON);
        if control.to_string().encode_utf16().count() <= LONGEST {
            let style = if effect == PressEffect::Begun { Style::Plain } else { Style::Main };
            let button = button(style, &label, &control);
            plans.push((effect == PressEffect::Sealed, press.options.as_slice(), button));
        }
    }
    // What is of one kind stands together; where that takes too many rows, they are filled up.
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

/// What stands on a button: also what is done by it, as a card alone could be bought, sold or shown.
fn caption(press: &Press) -> Caption<'_> {
    let said = &press.options;
    if press.whole { Caption::All(said) } else { Caption::More(said) }
}
