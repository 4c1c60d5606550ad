//! The names of what is counted over many games.

use games::any::AnyGame;
use games::find;
use letters::Letters;
use rules::Key;
use rules::text::Lang;

pub(super) mod plot;

/// Returns the name of a tally: a piece of the game, or a number, even if a piece has that id.
pub(super) fn name(id: &str, game: &str, lang: Lang) -> String {
    let named = find(game).filter(|_| id.parse::<u32>().is_err());
    let Some(game) = named else { return id.to_owned() };
    let set = game.sets().and_then(|sets| sets.of_card(id));
    set.map_or_else(|| game.lexicon(), |set| &set.lexicon).name(id, lang).to_owned()
}

/// Returns the name of a group of tallies.
pub(super) fn title(group: &str, game: &str, lang: Lang) -> String {
    let key = Key { section: group.into(), ..Key::part("") };
    find(game).map_or(group, |game| game.lexicon().label(&key, lang)).to_owned()
}

/// Returns the title of a game, or its key if the game is unknown.
pub(super) fn game_name(game: &str, lang: Lang) -> String {
    let called = |known: &'static dyn AnyGame| Letters::built_in().game_name(known, lang).ok();
    find(game).and_then(called).unwrap_or_else(|| game.to_owned())
}
