//! What is counted over many games, by the names that it has in each.

use serde_json::{Value as Json, json};

use crate::games::any::AnyGame;
use crate::games::find;
use crate::games::simulation::Group;
use crate::letters::Letters;
use crate::rules::Key;
use crate::rules::text::Lang;

/// What a game counts, in its words.
pub(super) fn named(game: &str, groups: &[Group], lang: Lang) -> Json {
    let groups = groups.iter().map(|group| {
        let members = group.members.iter().map(|member| {
            let mut row = json!(member);
            row["name"] = name(game, &member.id, lang).into();
            row
        });
        json!({
            "name": title(game, group.group, lang),
            "members": members.collect::<Vec<Json>>(),
        })
    });
    groups.collect()
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
