//! Completions of a decision's arguments.

use serde_json::{Value as Json, json};

use crate::incoming::{GmCommand, GmRequest, Incoming};
use crate::interactions::handler::{InteractionError, InteractionHandler};
use crate::interactions::meant;
use desk::{ArgumentForm, GmView, clock, complete_decision_option};
use letters::discord::{OfferedSeat, OfferedWindow};
use letters::panel::{limits, shortened};
use letters::{LetterFault, Reader};
use rules::Seat;
use rules::text::{Completion, fold};

/// A choice: its label and its value.
type AutocompleteChoice = (String, Json);

/// Returns the choices for an argument that is being typed; an error for anybody but a game master.
pub(in crate::interactions) async fn choices(
    handler: &InteractionHandler,
    incoming: &Incoming,
    request: &GmRequest,
    focus: &str,
    typed: &str,
) -> Result<Vec<AutocompleteChoice>, InteractionError> {
    let GmCommand::Decide(verb) = request.command else { return Ok(Vec::new()) };
    let (code, gm, lang) =
        (meant::code(handler, incoming).await?, incoming.gm(), incoming.person.lang);
    let gm_view = desk::gm_view(&handler.desk, &code, &gm, clock::now()).await?;
    let reader = gm_view.sight.reader(lang).in_plain_text();
    let arguments = verb.arguments();
    let form = arguments.iter().find(|(name, _)| *name == focus).map(|(_, form)| form);
    Ok(match form {
        Some(ArgumentForm::Seat) => fitting(seats(handler, &gm_view, &reader)?, typed),
        Some(ArgumentForm::Policy) => fitting(policies(&gm_view), typed),
        Some(ArgumentForm::Decision) => {
            fitting(decisions_that_stand(handler, &gm_view, &reader)?, typed)
        }
        Some(ArgumentForm::WindowBack) => fitting(windows(handler, &gm_view, &reader)?, typed),
        _ => {
            let argument = (focus, typed);
            let found =
                complete_decision_option(argument, verb, &request.arguments, &gm_view, lang);
            texts(typed, found)
        }
    })
}

fn seats(
    handler: &InteractionHandler,
    gm_view: &GmView,
    reader: &Reader,
) -> Result<Vec<AutocompleteChoice>, LetterFault> {
    let choice = |seat: &Seat| {
        let name = handler.letters.write(reader, &OfferedSeat { seat: *seat })?;
        Ok((name.trim().to_owned(), json!(seat.name())))
    };
    gm_view.sight.taken.iter().map(choice).collect()
}

/// Returns the decisions that were not undone, the newest first.
fn decisions_that_stand(
    handler: &InteractionHandler,
    gm_view: &GmView,
    reader: &Reader,
) -> Result<Vec<AutocompleteChoice>, LetterFault> {
    let stand = gm_view.decided.iter().rev().filter(|logged| logged.undone.is_none());
    let choice = |logged: &desk::LoggedOverride| {
        let decision = logged.what.shown(&logged.reason, gm_view.sight.pace.zone);
        let decided = handler.letters.stands(reader, &decision)?;
        let number = logged.number.from_one();
        Ok((format!("{number}. {decided}"), json!(number)))
    };
    stand.map(choice).collect()
}

/// Returns the windows that the table can go back to, the newest first.
fn windows(
    handler: &InteractionHandler,
    gm_view: &GmView,
    reader: &Reader,
) -> Result<Vec<AutocompleteChoice>, LetterFault> {
    let choice = |opened: &desk::RollbackTarget| {
        let name = handler.letters.write(reader, &OfferedWindow { window: opened.round })?;
        Ok((name.trim().to_owned(), json!(opened.round)))
    };
    gm_view.windows.iter().rev().map(choice).collect()
}

fn policies(gm_view: &GmView) -> Vec<AutocompleteChoice> {
    let policies = gm_view.sight.game.policies().into_iter();
    policies.map(|policy| (policy.to_owned(), json!(policy))).collect()
}

/// Returns completed texts as choices.
fn texts(typed: &str, found: Vec<Completion>) -> Vec<AutocompleteChoice> {
    let whole = found.into_iter().map(|next| format!("{}{}", &typed[..next.start], next.text));
    // A longer text is left out, since Discord limits choices and a text must not be cut.
    let short = whole.filter(|text| text.encode_utf16().count() <= limits::ENTRY);
    short.take(limits::ENTRIES).map(|text| (text.clone(), json!(text))).collect()
}

/// Returns the choices that contain the input, as many as can be shown.
fn fitting(choices: Vec<AutocompleteChoice>, typed: &str) -> Vec<AutocompleteChoice> {
    let typed = fold(typed);
    let fits = |choice: &AutocompleteChoice| fold(&choice.0).contains(&typed);
    let shown = choices.into_iter().filter(fits).take(limits::ENTRIES);
    shown.map(|(name, value)| (shortened(name, limits::ENTRY), value)).collect()
}
