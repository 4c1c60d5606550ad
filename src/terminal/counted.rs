//! What is counted over many games, by the names that it has in each.

use serde::Serialize;

use games::any::AnyGame;
use games::find;
use games::simulation::{Group, SimulationTally};
use letters::Letters;
use rules::Key;
use rules::text::Lang;

pub(super) mod plot;

/// What a game counts, in its words.
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

/// A group of what a game counts, in its words.
#[derive(Debug, Serialize)]
pub(super) struct NamedGroup {
    name: String,
    members: Vec<NamedTally>,
}

/// Something that a game counts, in its words.
#[derive(Debug, Serialize)]
struct NamedTally {
    name: String,
    #[serde(flatten)]
    counted: SimulationTally,
}

/// The name of something that is counted: a piece of the game, or a number, whatever piece may go by
/// that.
pub(super) fn name(game: &str, id: &str, lang: Lang) -> String {
    if id.parse::<u32>().is_ok() {
        return id.to_owned();
    }
    find(game).map_or(id, |game| game.lexicon().name(id, lang)).to_owned()
}

/// The name of a group of things that are counted.
pub(super) fn title(game: &str, group: &'static str, lang: Lang) -> String {
    let key = Key::part(group);
    find(game).map_or(group, |game| game.lexicon().label(&key, lang)).to_owned()
}

/// What a game is called; its word, if it is not known here.
pub(super) fn game_name(game: &str, lang: Lang) -> String {
    let called = |known: &dyn AnyGame| Letters::built_in().game_name(known, lang).ok();
    find(game).and_then(called).unwrap_or_else(|| game.to_owned())
}
