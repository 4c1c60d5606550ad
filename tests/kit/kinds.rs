//! Games by what they do, for tests of the house that are about no game in particular.

use serde_json::{Value as Json, json};

use games::GAMES;
use games::any::{AnyContest, AnyGame, Told};
use rules::Dice;

/// A game, set so that it does something.
#[derive(Debug)]
pub struct Kind {
    pub game: &'static dyn AnyGame,
    pub options: Json,
}

/// One in whose first window nothing is sealed, as all that is asked is done at once.
pub fn open_handed() -> Kind {
    found(|_, contest, _| contest.is_open_handed())
}

/// One whose deal brings something to light that is counted, and the group that it counts in.
pub fn counted_from_the_deal_on() -> (Kind, &'static str) {
    let mut counted = "";
    let kind = found(|game, _, told| {
        game.tally(&told.entries, &mut |group, _| counted = group);
        !counted.is_empty()
    });
    (kind, counted)
}

/// The first game and value of an option of which this is so once it has been dealt.
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
