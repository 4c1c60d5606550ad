//! Games by their features, for tests that are about no game in particular.

use serde_json::{Value as Json, json};

use games::GAMES;
use games::any::{AnyContest, AnyGame, Told};
use rules::Dice;

/// A game with options that give it the feature.
#[derive(Debug)]
pub struct Kind {
    pub game: &'static dyn AnyGame,
    pub options: Json,
}

/// Returns a game whose first window has no seals, as all answers are carried out immediately.
pub fn open_handed() -> Kind {
    found(|_, contest, _| contest.is_open_handed())
}

/// Returns a game whose deal has counted events, and their group.
pub fn counted_from_the_deal_on() -> (Kind, &'static str) {
    let mut counted = "";
    let kind = found(|game, _, told| {
        game.tally(&told.entries, &mut |_, group, _| counted = group);
        !counted.is_empty()
    });
    (kind, counted)
}

/// Returns the first game and option value with this feature after the deal.
fn found(mut is_it: impl FnMut(&dyn AnyGame, &dyn AnyContest, &Told) -> bool) -> Kind {
    for game in GAMES.iter().copied() {
        for set in game.options(&Json::Null) {
            for value in set.option.values {
                let options = json!({ set.option.key: value });
                let dice = Dice::new([0; 32], "kinds");
                let (contest, told) = game.open(&options, *game.seats().start(), dice).unwrap();
                if is_it(game, &*contest, &told) {
                    return Kind { game, options };
                }
            }
        }
    }
    panic!("no game does that");
}
