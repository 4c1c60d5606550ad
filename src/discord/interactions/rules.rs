//! The rules of a game and the effects of its cards, in any channel; and help.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::incoming::{Arguments, Incoming};
use crate::interactions::{Context, Result, thread};
use desk::commands::{Command, CommandPlace};
use desk::conversation::ConversationError;
use desk::{NotDone, Sight};
use games::any::AnyGame;
use games::{GAMES, find};
use letters::discord::HelpAtTable;
use letters::panel::{limits, shortened};
use letters::{DeclarationRefused, Named, Reader, Refused};
use rules::text::Lang;
use tables::HoldReason;
use tables::ids::TableCode;

/// Shows the rules of a game or a part of them: of the named game, or the table's, or else the first of
/// the games.
pub(super) async fn rules(cx: Context<'_>, arguments: &Arguments) -> Result {
    let game = game_meant(cx, arguments).await?;
    let asked = arguments.get("clause").map_or("", String::as_str);
    rules_of(cx, game.key(), asked)
}

/// Shows the parts of a game's rules that match the words.
pub(super) fn rules_of(cx: Context<'_>, game: &str, asked: &str) -> Result {
    let reader = reader_of(find(game).unwrap_or(GAMES[0]), cx.incoming);
    let answer = cx.speaker(&reader).rules(asked)?;
    cx.shown(&TableCode::default(), &reader, answer)
}

/// Shows the effect of a named card, in the table's game or in any; without a name, of all cards that the
/// person has.
pub(super) async fn card(cx: Context<'_>, arguments: &Arguments) -> Result {
    let asked = arguments.get("name").map_or("", |name| name.trim());
    let sight = sight_if_any(cx).await?;
    if let (Some(sight), true) = (&sight, asked.is_empty()) {
        let reader = sight.reader(cx.incoming.person.lang).with_stamps();
        let conversation = cx.about(sight, &reader);
        return cx.shown(&sight.code, &reader, conversation.card("")?);
    }
    let here = sight.map_or(GAMES[0], |sight| sight.game);
    let readers = std::iter::once(here).chain(GAMES.iter().copied());
    let mut readers = readers.map(|game| reader_of(game, cx.incoming));
    let reader = readers.find(|reader| cx.handler.letters.is_card(reader, asked));
    let reader = reader.unwrap_or_else(|| reader_of(here, cx.incoming));
    let answer = cx.speaker(&reader).card(asked)?;
    cx.shown(&TableCode::default(), &reader, answer)
}

/// Shows every fault of a deck of one's own: at the table of this channel or, if another game is named or
/// none is played here, with a game's default options.
pub(super) async fn deck(cx: Context<'_>, arguments: &Arguments) -> Result {
    let cards = arguments.get("cards").map_or("", |cards| cards.trim());
    let named = arguments.get("game").and_then(|word| find(word));
    let sight = sight_if_any(cx).await?;
    let here = sight.filter(|sight| named.is_none_or(|game| game.key() == sight.game.key()));
    if let Some(sight) = &here {
        let reader = sight.reader(cx.incoming.person.lang).with_stamps();
        let conversation = cx.about(sight, &reader);
        return cx.shown(&sight.code, &reader, conversation.deck(cards)?);
    }
    let games = named.as_ref().map_or(GAMES, std::slice::from_ref);
    let checked = games.iter().map(|game| {
        let reader = reader_of(*game, cx.incoming);
        (cx.speaker(&reader).deck(&Json::Null, cards), reader)
    });
    let is_refused = |answer: &Result<_, _>| {
        matches!(answer, Err(ConversationError::NotDone(NotDone::Refused(refused)))
            if *refused == DeclarationRefused::NoOwnDeck)
    };
    let mut checked = checked.skip_while(|(answer, _)| is_refused(answer));
    let (answer, reader) = checked.next().ok_or(DeclarationRefused::NoOwnDeck)?;
    cx.shown(&TableCode::default(), &reader, answer?)
}

/// Returns the completions of a chapter's or a card's name, each with its label and its value.
pub(super) async fn looked_up(
    cx: Context<'_>,
    command: Command,
    arguments: &Arguments,
    typed: &str,
) -> Result<Vec<(String, Json)>> {
    let reader = reader_of(game_meant(cx, arguments).await?, cx.incoming);
    let found = match command {
        Command::Rules => cx.handler.letters.rules_like(&reader, typed),
        _ => cx.handler.letters.cards_like(&reader, typed),
    };
    let choice = |Named { name, about }: Named| {
        (shortened(format!("{name} \u{2013} {about}"), limits::ENTRY), json!(name))
    };
    Ok(found.into_iter().take(limits::ENTRIES).map(choice).collect())
}

/// Returns the named game, or the table's, or else the first of the games.
async fn game_meant(cx: Context<'_>, arguments: &Arguments) -> Result<&'static dyn AnyGame> {
    if let Some(game) = arguments.get("game").and_then(|word| find(word)) {
        return Ok(game);
    }
    Ok(sight_if_any(cx).await?.map_or(GAMES[0], |sight| sight.game))
}

/// Returns the person's view of the table in this channel, if there is one.
async fn sight_if_any(cx: Context<'_>) -> Result<Option<Sight>> {
    match thread::code(cx).await {
        Ok(code) => Ok(Some(cx.see(&code).await?.0)),
        Err(error) if error.refused() == Some(Refused::NoTable) => Ok(None),
        Err(error) => Err(error),
    }
}

fn reader_of(game: &'static dyn AnyGame, incoming: &Incoming) -> Reader {
    Reader::new(game, incoming.person.lang).with_stamps()
}

/// Returns the possible actions: the host's first, then a player's, then a spectator's.
pub(super) async fn help(cx: Context<'_>) -> Result {
    let lang = cx.incoming.person.lang;
    let seen = match thread::code(cx).await {
        Ok(code) => cx.see(&code).await,
        Err(error) => Err(error),
    };
    let (sight, reader) = match seen {
        Ok((sight, reader)) => (Some(sight), reader),
        Err(error) if error.refused().is_some() => (None, cx.plain_reader()),
        Err(error) => return Err(error),
    };
    let sight = sight.as_ref();
    let help = HelpAtTable {
        code: sight.map(|sight| sight.code.clone()),
        stage: sight.map(|sight| sight.stage.into_str()),
        held: sight.and_then(|sight| sight.held.as_ref()).map(HoldReason::into_str),
        host: sight.is_some_and(|sight| sight.leads),
        seat: sight.and_then(|sight| sight.seat),
        openly: sight.is_some_and(Sight::is_open_handed),
        called: called(lang),
        commands: commands(lang),
    };
    cx.say_to(&reader, &help)
}

/// Returns the title of every command by its name.
fn called(lang: Lang) -> BTreeMap<&'static str, String> {
    Command::at(CommandPlace::Discord)
        .map(|command| (command.name(), command.called(lang)))
        .collect()
}

/// Returns the titles of all commands, in order.
fn commands(lang: Lang) -> Vec<String> {
    Command::at(CommandPlace::Discord).map(|command| command.called(lang)).collect()
}
