//! What somebody looks at: their hand, the table, what has happened, and the rules.

use super::{InteractionError, InteractionHandler};
use crate::clock;
use crate::desk::{NotDone, clause_of, rules_of};
use crate::discord::answer::PrivateAnswer;
use crate::discord::control::ButtonAction;
use crate::discord::incoming::{CommandArguments, Incoming};
use crate::discord::post::action_row;
use crate::games::{GAMES, find};
use crate::letters::{Reader, Refused, WindowResult};
use crate::rules::Declaration;
use crate::tables::Stage;

impl InteractionHandler {
    /// Their hand and what they have on the table.
    pub(super) async fn hand(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        let play = sight.play.as_ref().ok_or(Refused::NotBegun)?;
        let seat = sight.seat.ok_or(Refused::NotSeated)?;
        let report = play.contest.report(sight.viewer());
        let text = self.letters.hand(&reader, seat, &report)?;
        let says =
            || play.asked.contains(&seat) || sight.acting(&Declaration::default()).is_asking();
        let open = sight.stage == Stage::Playing && says();
        let actions: &[ButtonAction] = if open { &[ButtonAction::Declare] } else { &[] };
        let rows = action_row(code, actions, &self.letters, &reader)?;
        Ok(PrivateAnswer { text, rows, ..PrivateAnswer::default() })
    }

    /// Where everything stands.
    pub(super) async fn show(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        Ok(PrivateAnswer::words(sight.position(&self.letters, &reader)?))
    }

    /// What has happened so far.
    pub(super) async fn log(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        let past = self.desk.past(&sight, clock::now()).await?;
        let windows: Vec<WindowResult<'_>> = past
            .iter()
            .map(|past| WindowResult { number: past.window, entries: &past.entries })
            .collect();
        Ok(PrivateAnswer::words(self.letters.log(&reader, &windows)?))
    }

    /// The rulings of the last window.
    pub(super) async fn why(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        let past = self.desk.past(&sight, clock::now()).await?;
        // The first is the deal.
        let last = sight.over(&past).iter().skip(1).next_back().ok_or(Refused::NothingRuled)?;
        Ok(PrivateAnswer::words(self.letters.why(&reader, &last.entries)?))
    }

    /// The rules of a game, or one clause of them: of the game that is named, or the table's, or,
    /// where there is no table, that which is told of first.
    pub(super) async fn rules(
        &self,
        incoming: &Incoming,
        said: &CommandArguments,
    ) -> Result<PrivateAnswer, InteractionError> {
        let named = said.get("game").and_then(|word| find(word));
        let game = match (named, self.code(incoming).await) {
            (Some(game), _) => game,
            (None, Ok(code)) => self.see(incoming, &code).await?.0.game,
            (None, Err(InteractionError::NotDone(NotDone::Refused(Refused::NoTable)))) => GAMES[0],
            (None, Err(error)) => return Err(error),
        };
        let reader = Reader::new(game, incoming.person.lang).with_stamps();
        let text = match said.get("clause") {
            None => rules_of(game, incoming.person.lang),
            Some(clause) => match clause_of(game, clause, incoming.person.lang) {
                Some(text) => text,
                None => self.letters.refused(&reader, Refused::NoClause, clause)?,
            },
        };
        Ok(PrivateAnswer::words(text))
    }
}
