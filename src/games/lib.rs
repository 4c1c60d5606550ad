//! The games of this program. Modules outside of this folder name a game only through this list.

pub(crate) mod answer;
pub mod any;
pub(crate) mod bars;
pub mod canvas;
pub mod card_texts;
pub mod cards;
pub mod eitsuku;
pub mod gangster_paradise;
pub mod guild_war;
pub mod meaning;
pub(crate) mod moves;
pub mod options_line;
pub(crate) mod pieces;
pub mod playable;
pub(crate) mod registration;
pub mod simulation;
pub mod switch;
pub mod tag_g;
pub mod the_gang;

use any::{AnyGame, Listed};

/// Every game that can be played.
pub const GAMES: &[&dyn AnyGame] = &[
    &Listed::<eitsuku::Eitsuku>::new(),
    &Listed::<the_gang::TheGang>::new(),
    &Listed::<gangster_paradise::GangsterParadise>::new(),
    &Listed::<guild_war::GuildWar>::new(),
    &Listed::<tag_g::TagG>::new(),
];

/// `None` if no game has this key.
pub fn find(key: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.key() == key)
}

#[cfg(test)]
mod test_reading;

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::GAMES;

    #[test]
    fn every_option_is_listed_with_every_value_it_takes() {
        for game in GAMES {
            let seats = *game.seats().start();
            let takes =
                |options: &Json| game.check_options(options, game.seats_for(options)).is_ok();
            for set in game.options(&Json::Null) {
                let option = set.option;
                assert!(option.values.contains(&set.value.as_str()), "{option:?}");
                assert!(game.rules().contains(&format!("**{}**", option.clause)), "{option:?}");
                for value in option.values {
                    let mut one = json!({ option.key: value });
                    if let Some((other, with)) = option.with {
                        one[other] = with[0].into();
                    }
                    assert!(takes(&one), "{one}");
                    let read = game.options(&one);
                    let read = read.iter().find(|set| set.option == option);
                    assert_eq!(read.map(|set| set.value.as_str()), Some(*value));
                }
                assert!(!takes(&json!({ option.key: "neither" })), "{option:?}");
            }
            for set in game.options(&Json::Null).into_iter().filter(|set| set.option.with.is_some())
            {
                let is_other = |value: &&&str| **value != set.value;
                let other = set.option.values.iter().find(is_other).copied();
                let (key, with) = set.option.with.unwrap();
                let outside = game.options(&Json::Null).into_iter().find(|it| it.option.key == key);
                let outside = outside.unwrap().option.values.iter().find(|it| !with.contains(it));
                let idle = json!({ set.option.key: other, key: outside });
                let fault = game.check_options(&idle, seats).unwrap_err().to_string();
                assert!(fault.contains("counts only with another"), "{fault}");
            }
            // The fault of an unknown option lists every known option.
            let fault = game.check_options(&json!({ "x": "y" }), seats).unwrap_err().to_string();
            let named = fault.matches('`').count() / 2 - 1;
            // `carried` comes from the previous game, never from the host.
            let carried = usize::from(fault.contains("`carried`"));
            assert_eq!(named, game.options(&Json::Null).len() + carried, "{fault}");
        }
    }
}
