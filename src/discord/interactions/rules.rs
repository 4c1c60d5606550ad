//! The rules of a game and the effects of its cards, in any channel.

use serde_json::{Value as Json, json};

use crate::address;
use crate::answer::PrivateAnswer;
use crate::incoming::{CommandArguments, Incoming};
use crate::interactions::handler::{InteractionError, InteractionHandler};
use crate::interactions::{conversation, meant};
use desk::NotDone;
use desk::Sight;
use desk::commands::Command;
use desk::conversation::{Conversation, ConversationError};
use games::any::AnyGame;
use games::{GAMES, find};
use letters::panel::{limits, shortened};
use letters::{DeclarationRefused, Named, Reader, Refused};
use tables::ids::TableCode;

/// Shows the rules of a game or a part of them: of the named game, or the table's, or else the first of
/// the games.
pub(super) async fn rules(
    handler: &InteractionHandler,
    incoming: &Incoming,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let game = game_meant(handler, incoming, arguments).await?;
    let asked = arguments.get("clause").map_or("", String::as_str);
    rules_of(handler, incoming, game.key(), asked)
}

/// Shows the parts of a game's rules that match the words.
pub(super) fn rules_of(
    handler: &InteractionHandler,
    incoming: &Incoming,
    game: &str,
    asked: &str,
) -> Result<PrivateAnswer, InteractionError> {
    let reader = reader_of(find(game).unwrap_or(GAMES[0]), incoming);
    let account = address::account(incoming.person.id);
    let answer = handler.speaker(&account, &reader).rules(asked)?;
    conversation::shown(handler, &TableCode::default(), &reader, answer)
}

/// Shows the effect of a named card, in the table's game or in any; without a name, of all cards that the
/// person has.
pub(super) async fn card(
    handler: &InteractionHandler,
    incoming: &Incoming,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let asked = arguments.get("name").map_or("", |name| name.trim());
    let account = address::account(incoming.person.id);
    let sight = sight_if_any(handler, incoming).await?;
    if let (Some(sight), true) = (&sight, asked.is_empty()) {
        let reader = sight.reader(incoming.person.lang).with_stamps();
        let conversation = Conversation { speaker: handler.speaker(&account, &reader), sight };
        return conversation::shown(handler, &sight.code, &reader, conversation.card("")?);
    }
    let here = sight.map_or(GAMES[0], |sight| sight.game);
    let readers = std::iter::once(here).chain(GAMES.iter().copied());
    let mut readers = readers.map(|game| reader_of(game, incoming));
    let reader = readers.find(|reader| handler.letters.is_card(reader, asked));
    let reader = reader.unwrap_or_else(|| reader_of(here, incoming));
    let answer = handler.speaker(&account, &reader).card(asked)?;
    conversation::shown(handler, &TableCode::default(), &reader, answer)
}

/// Shows every fault of a deck of one's own: at the table of this channel or, if another game is named or
/// none is played here, with a game's default options.
pub(super) async fn deck(
    handler: &InteractionHandler,
    incoming: &Incoming,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let cards = arguments.get("cards").map_or("", |cards| cards.trim());
    let account = address::account(incoming.person.id);
    let named = arguments.get("game").and_then(|word| find(word));
    let sight = sight_if_any(handler, incoming).await?;
    let here = sight.filter(|sight| named.is_none_or(|game| game.key() == sight.game.key()));
    if let Some(sight) = &here {
        let reader = sight.reader(incoming.person.lang).with_stamps();
        let conversation = Conversation { speaker: handler.speaker(&account, &reader), sight };
        return conversation::shown(handler, &sight.code, &reader, conversation.deck(cards)?);
    }
    let games = named.as_ref().map_or(GAMES, std::slice::from_ref);
    let checked = games.iter().map(|game| {
        let reader = reader_of(*game, incoming);
        (handler.speaker(&account, &reader).deck(&Json::Null, cards), reader)
    });
    let is_refused = |answer: &Result<_, _>| {
        matches!(answer, Err(ConversationError::NotDone(NotDone::Refused(refused)))
            if *refused == DeclarationRefused::NoOwnDeck)
    };
    let mut checked = checked.skip_while(|(answer, _)| is_refused(answer));
    let (answer, reader) = checked.next().ok_or(DeclarationRefused::NoOwnDeck)?;
    conversation::shown(handler, &TableCode::default(), &reader, answer?)
}

/// Returns the completions of a chapter's or a card's name, each with its label and its value.
pub(super) async fn looked_up(
    handler: &InteractionHandler,
    incoming: &Incoming,
    command: Command,
    arguments: &CommandArguments,
    typed: &str,
) -> Result<Vec<(String, Json)>, InteractionError> {
    let reader = reader_of(game_meant(handler, incoming, arguments).await?, incoming);
    let found = match command {
        Command::Rules => handler.letters.rules_like(&reader, typed),
        _ => handler.letters.cards_like(&reader, typed),
    };
    let choice = |Named { name, about }: Named| {
        (shortened(format!("{name} \u{2013} {about}"), limits::ENTRY), json!(name))
    };
    Ok(found.into_iter().take(limits::ENTRIES).map(choice).collect())
}

/// Returns the named game, or the table's, or else the first of the games.
async fn game_meant(
    handler: &InteractionHandler,
    incoming: &Incoming,
    arguments: &CommandArguments,
) -> Result<&'static dyn AnyGame, InteractionError> {
    if let Some(game) = arguments.get("game").and_then(|word| find(word)) {
        return Ok(game);
    }
    Ok(sight_if_any(handler, incoming).await?.map_or(GAMES[0], |sight| sight.game))
}

/// Returns the person's view of the table in this channel, if there is one.
async fn sight_if_any(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<Option<Sight>, InteractionError> {
    match meant::code(handler, incoming).await {
        Ok(code) => Ok(Some(handler.see(incoming, &code).await?.0)),
        Err(error) if error.refused() == Some(Refused::NoTable) => Ok(None),
        Err(error) => Err(error),
    }
}

fn reader_of(game: &'static dyn AnyGame, incoming: &Incoming) -> Reader {
    Reader::new(game, incoming.person.lang).with_stamps()
}
