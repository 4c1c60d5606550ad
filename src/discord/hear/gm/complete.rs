//! What could be said next of a decision.

use serde_json::{Value as Json, json};

use super::super::{Ears, Unanswered};
use super::gm;
use crate::desk::Sight;
use crate::discord::incoming::{Incoming, Want};
use crate::letters::{DISCORD, LetterFault, Reader};
use crate::panel::limits;
use crate::rules::Seat;
use crate::rules::text::fold;

/// A choice: what is shown, and what is meant.
pub(in crate::discord::hear) type Choice = (String, Json);

impl Ears {
    /// The choices for an argument that somebody is typing; none for who is no game master.
    pub(in crate::discord::hear) async fn choices(
        &self,
        incoming: &Incoming,
        want: &Want,
        focus: &str,
        typed: &str,
    ) -> Result<Vec<Choice>, Unanswered> {
        let code = self.code(incoming).await?;
        self.desk.admit(&code, &gm(incoming)).await?;
        let (sight, reader) = self.see(incoming, &code).await?;
        let reader = reader.in_plain_text();
        let choices = match focus {
            "seat" | "other" | "to" => self.seats(&sight, &reader)?,
            "policy" => {
                let policies = sight.game.policies();
                policies.into_iter().map(|policy| (policy.to_owned(), json!(policy))).collect()
            }
            "number" => self.numbers(incoming, &sight, &reader).await?,
            _ => self.texts(incoming, &sight, want, focus, typed).await?,
        };
        Ok(fitting(choices, typed))
    }

    fn seats(&self, sight: &Sight, reader: &Reader) -> Result<Vec<Choice>, LetterFault> {
        let choice = |seat: Seat| {
            let name = self.letters.letter(DISCORD, reader, "seat", json!({ "seat": seat }))?;
            Ok((name.trim().to_owned(), json!(seat.to_string())))
        };
        sight.taken.iter().copied().map(choice).collect()
    }

    /// The decisions that have not been undone, the newest first.
    async fn numbers(
        &self,
        incoming: &Incoming,
        sight: &Sight,
        reader: &Reader,
    ) -> Result<Vec<Choice>, Unanswered> {
        let logged = self.desk.overrides(&sight.code, &gm(incoming)).await?;
        let mut choices = Vec::new();
        for logged in logged.iter().rev().filter(|logged| logged.undone.is_none()) {
            let decree = logged.what.decree(&logged.reason, sight.pace.zone);
            let said = self.letters.decided(reader, &decree)?;
            let line = said.lines().nth(1).unwrap_or_default();
            let number = logged.number + 1;
            choices.push((format!("{number}. {line}"), json!(number)));
        }
        Ok(choices)
    }
}

impl Ears {
    async fn texts(
        &self,
        _incoming: &Incoming,
        _sight: &Sight,
        _want: &Want,
        _focus: &str,
        _typed: &str,
    ) -> Result<Vec<Choice>, Unanswered> {
        Ok(Vec::new())
    }
}

/// The choices in which what was typed stands, as many as can be shown.
fn fitting(choices: Vec<Choice>, typed: &str) -> Vec<Choice> {
    let typed = fold(typed);
    let fits = |choice: &Choice| fold(&choice.0).contains(&typed);
    let shown = choices.into_iter().filter(fits).take(limits::ENTRIES);
    shown.map(|(name, value)| (crate::panel::shortened(name, limits::ENTRY), value)).collect()
}
