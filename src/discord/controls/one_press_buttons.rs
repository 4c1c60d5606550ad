//! Buttons on a table's post that say all there is to say, for whoever presses them: an answer is
//! sealed, and an act is done. Where one press is not enough, a panel asks for the rest.

use serde_json::Value as Json;

use crate::desk::{PlayView, Sight};
use crate::discord::controls::buttons::{button, row};
use crate::discord::controls::control::{Control, PressEffect};
use crate::discord::controls::pressed_answers::PressedAnswers;
use crate::letters::{Caption, LetterFault, Letters, Reader};
use crate::panel::{Style, limits, shortened};
use crate::rules::Press;

/// So many rows have room above the one that every post has.
const ROWS: usize = limits::ROWS - 1;

/// The longest text that hangs on a control.
const LONGEST: usize = 100;

/// The rows of buttons for what can be said in the open window.
pub(in crate::discord) fn rows(
    sight: &Sight,
    play: &PlayView,
    letters: &Letters,
    reader: &Reader,
) -> Result<Vec<Json>, LetterFault> {
    let (answers, acts) = (play.contest.common_answers(), play.contest.common_acts());
    let all: Vec<&Press> = answers.iter().chain(&acts).collect();
    let captions: Vec<Caption<'_>> = all.iter().map(|press| caption(press, &all)).collect();
    let mut labels = letters.captions(reader, &captions)?.into_iter();
    let mut plans = Vec::new();
    for (at, press) in all.iter().enumerate() {
        let effect = match (at < answers.len(), press.whole) {
            (true, _) => PressEffect::Sealed,
            (false, true) => PressEffect::Done,
            (false, false) => PressEffect::Begun,
        };
        let (code, said) = (sight.code.clone(), PressedAnswers(press.said.clone()));
        let control = Control::Say { code, window: play.number, effect, said };
        let label = shortened(labels.next().unwrap_or_default(), limits::BUTTON);
        if control.to_string().chars().count() <= LONGEST {
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

/// What stands on a button: the last word, and where it stands on another one too, all of them.
fn caption<'a>(press: &'a Press, all: &[&Press]) -> Caption<'a> {
    let same = all.iter().filter(|other| other.options.last() == press.options.last()).count();
    let skipped = if same > 1 { 0 } else { press.options.len().saturating_sub(1) };
    let said = &press.options[skipped..];
    if press.whole { Caption::All(said) } else { Caption::More(said) }
}
