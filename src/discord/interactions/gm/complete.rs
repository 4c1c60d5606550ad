//! What could be said next of a decision.

use serde_json::{Value as Json, json};

use crate::incoming::{GmCommand, GmRequest, Incoming};
use crate::interactions::{InteractionError, InteractionHandler};
use desk::clock;
use desk::{ArgumentForm, Bench, complete_decision_option};
use letters::discord::{OfferedSeat, OfferedWindow};
use letters::panel::{limits, shortened};
use letters::{LetterFault, Reader};
use rules::Seat;
use rules::text::{Completion, fold};

/// A choice: what is shown, and what is meant.
type AutocompleteChoice = (String, Json);

impl InteractionHandler {
    /// The choices for an argument that somebody is typing; none for who is no game master.
    pub(in crate::interactions) async fn choices(
        &self,
        incoming: &Incoming,
        request: &GmRequest,
        focus: &str,
        typed: &str,
    ) -> Result<Vec<AutocompleteChoice>, InteractionError> {
        let GmCommand::Decide(verb) = request.command else { return Ok(Vec::new()) };
        let (code, gm, lang) = (self.code(incoming).await?, incoming.gm(), incoming.person.lang);
        let bench = self.desk.bench(&code, &gm, clock::now()).await?;
        let reader = bench.sight.reader(lang).in_plain_text();
        let arguments = verb.arguments();
        let form = arguments.iter().find(|(name, _)| *name == focus).map(|(_, form)| form);
        Ok(match form {
            Some(ArgumentForm::Seat) => fitting(self.seats(&bench, &reader)?, typed),
            Some(ArgumentForm::Policy) => fitting(policies(&bench), typed),
            Some(ArgumentForm::Decision) => {
                fitting(self.decisions_that_stand(&bench, &reader)?, typed)
            }
            Some(ArgumentForm::WindowBack) => fitting(self.windows(&bench, &reader)?, typed),
            _ => {
                let argument = (focus, typed);
                let found = complete_decision_option(argument, verb, &request.said, &bench, lang);
                texts(typed, found)
            }
        })
    }

    fn seats(
        &self,
        bench: &Bench,
        reader: &Reader,
    ) -> Result<Vec<AutocompleteChoice>, LetterFault> {
        let choice = |seat: &Seat| {
            let name = self.letters.write(reader, &OfferedSeat { seat: *seat })?;
            Ok((name.trim().to_owned(), json!(seat.name())))
        };
        bench.sight.taken.iter().map(choice).collect()
    }

    /// The decisions that have not been undone, the newest first.
    fn decisions_that_stand(
        &self,
        bench: &Bench,
        reader: &Reader,
    ) -> Result<Vec<AutocompleteChoice>, LetterFault> {
        let stand = bench.decided.iter().rev().filter(|logged| logged.undone.is_none());
        let choice = |logged: &desk::Logged| {
            let decision = logged.what.shown(&logged.reason, bench.sight.pace.zone);
            let said = self.letters.stands(reader, &decision)?;
            let number = logged.number.from_one();
            Ok((format!("{number}. {said}"), json!(number)))
        };
        stand.map(choice).collect()
    }

    /// The windows to which the table can go back, the newest first.
    fn windows(
        &self,
        bench: &Bench,
        reader: &Reader,
    ) -> Result<Vec<AutocompleteChoice>, LetterFault> {
        let choice = |opened: &desk::RollbackTarget| {
            let name = self.letters.write(reader, &OfferedWindow { window: opened.round })?;
            Ok((name.trim().to_owned(), json!(opened.round)))
        };
        bench.windows.iter().rev().map(choice).collect()
    }
}

fn policies(bench: &Bench) -> Vec<AutocompleteChoice> {
    let policies = bench.sight.game.policies().into_iter();
    policies.map(|policy| (policy.to_owned(), json!(policy))).collect()
}

/// The ways to go on with what was typed.
fn texts(typed: &str, found: Vec<Completion>) -> Vec<AutocompleteChoice> {
    let whole = found.into_iter().map(|next| format!("{}{}", &typed[..next.start], next.text));
    // A longer one could not be shown, and none of it may be cut.
    let short = whole.filter(|text| text.encode_utf16().count() <= limits::ENTRY);
    short.take(limits::ENTRIES).map(|text| (text.clone(), json!(text))).collect()
}

/// The choices in which what was typed stands, as many as can be shown.
fn fitting(choices: Vec<AutocompleteChoice>, typed: &str) -> Vec<AutocompleteChoice> {
    let typed = fold(typed);
    let fits = |choice: &AutocompleteChoice| fold(&choice.0).contains(&typed);
    let shown = choices.into_iter().filter(fits).take(limits::ENTRIES);
    shown.map(|(name, value)| (shortened(name, limits::ENTRY), value)).collect()
}
