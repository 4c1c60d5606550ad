//! Tallies over many games, with names.

use serde::Serialize;

use games::any::AnyGame;
use games::find;
use games::simulation::{Group, SimulationTally};
use letters::Letters;
use rules::Key;
use rules::text::Lang;

pub(super) mod plot;

/// Returns the groups of a game's tallies with their names.
pub(super) fn named(game: &str, groups: &[Group], lang: Lang) -> Vec<NamedGroup> {
    let member = |counted: &SimulationTally| NamedTally {
        name: name(game, &counted.id, lang),
        counted: counted.clone(),
    };
    let groups = groups.iter().map(|group| NamedGroup {
        name: title(game, group.group, lang),
        members: group.members.iter().map(member).collect(),
    });
    groups.collect()
}

/// A group of tallies with its name.
#[derive(Debug, Serialize)]
pub(super) struct NamedGroup {
    name: String,
    members: Vec<NamedTally>,
}

/// A tally with its name.
#[derive(Debug, Serialize)]
struct NamedTally {
    name: String,
    #[serde(flatten)]
    counted: SimulationTally,
}

/// Returns the name of a tally: a piece of the game, or a number, even if a piece has that id.
pub(super) fn name(game: &str, id: &str, lang: Lang) -> String {
    if id.parse::<u32>().is_ok() {
        return id.to_owned();
    }
    let Some(game) = find(game) else { return id.to_owned() };
    let set = game.sets().and_then(|sets| sets.of_card(id));
    set.map_or_else(|| game.lexicon(), |set| &set.lexicon).name(id, lang).to_owned()
}

/// Returns the name of a group of tallies.
pub(super) fn title(game: &str, group: &'static str, lang: Lang) -> String {
    let key = Key::part(group);
    find(game).map_or(group, |game| game.lexicon().label(&key, lang)).to_owned()
}

/// Returns the title of a game, or its key if the game is unknown.
pub(super) fn game_name(game: &str, lang: Lang) -> String {
    let called = |known: &'static dyn AnyGame| Letters::built_in().game_name(known, lang).ok();
    find(game).and_then(called).unwrap_or_else(|| game.to_owned())
}
