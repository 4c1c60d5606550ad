//! The rules of a game, wherever somebody is.

use crate::desk::{clause_of, rules_of};
use crate::discord::answer::PrivateAnswer;
use crate::discord::incoming::{CommandArguments, Incoming};
use crate::discord::interactions::{InteractionError, InteractionHandler};
use crate::games::{GAMES, find};
use crate::letters::{Reader, Refused};

impl InteractionHandler {
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
            (None, Err(error)) if error.refused() == Some(Refused::NoTable) => GAMES[0],
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
