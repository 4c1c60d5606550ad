//! The letter about the replay of a table.

use serde_json::{Value as Json, json};

use crate::template::letters::DESK;
use crate::template::typed::{letters, sampled, sampled_from};
use rules::Seat;
use tables::ids::{EntryNumber, TableCode};

letters! {
    /// The letter about the replay of a table.
    LETTERS in DESK;

    /// The result of replaying a table.
    "verified" pub struct PlayedAgain<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        /// The number of closed windows.
        pub closed: usize,
        /// The number of dice thrown.
        pub dice: usize,
        /// True if the verified file contains none of the dice.
        pub dice_untold: bool,
        /// True if the bot players' policies are of another version than this program's.
        pub other_policies: bool,
        /// The number of players and game masters who are not shown or were erased.
        pub unnamed: usize,
        /// The first journal entry that is not chained to the previous one; `None` if all are.
        pub broken: Option<EntryNumber>,
        /// The first difference between the replay and the record; null if there is none.
        pub difference: Json = differences(),
        /// The windows touched by decisions of game masters, in order.
        pub touched: Vec<TouchedWindow>,
        /// The commitment to the dice, in hex digits.
        pub commitment: &'a str,
        /// The table's name in the keys of its dice.
        pub name: &'a str,
        /// The value that each seat has mixed into the seed, in order.
        pub values: Vec<MixedValue>,
        /// The journal heads in posts, as far as the reader has them.
        pub heads: Vec<PostedHead>,
        /// True if the game is over.
        pub over: bool,
    }
}

sampled! {
    /// The value that a seat has mixed into the seed.
    #[derive(PartialEq, Eq)]
    pub struct MixedValue {
        pub seat: Seat,
        /// The value, in hex digits.
        pub value: String,
        /// True if the player chose the value; otherwise it is derived from the drawn seed.
        pub chosen: bool,
        /// True if the value was promised before others were known.
        pub promised: bool,
    }

    /// A head of the journal, as given in a post.
    #[derive(PartialEq, Eq)]
    pub struct PostedHead {
        pub said: String,
        /// True if the journal contains the head.
        pub found: bool,
        /// The last root window published by then, counted from 0, which is the deal; -1 before the deal, and
        /// `None` if the journal does not contain the head.
        pub window: Option<i64>,
        /// True if a full hash was given and the journal goes on after it: the letter then shows the end.
        pub followed: bool,
    }

    /// A window touched by decisions of game masters.
    pub struct TouchedWindow {
        /// The root window, counted from 0, which is the deal; -1 before the deal, and `None` for a window
        /// that never closed.
        pub window: Option<i64>,
        /// The numbers of the decisions, from 1.
        pub decisions: Vec<u32>,
    }
}

sampled_from! { EntryNumber: [EntryNumber::new(7)]; }

/// Returns null for no difference, and a sample of every kind of difference.
fn differences() -> Vec<Json> {
    let about = [
        "commitment",
        "seed",
        "options",
        "value",
        "deal",
        "ground",
        "seal",
        "event",
        "state",
        "die",
        "end",
        "name",
        "order",
        "asked",
        "decision",
        "policy",
        "seating",
        "times",
    ];
    let difference = |(place, what): (usize, &str)| {
        let is_in_window = place % 2 == 0;
        json!({
            "what": what,
            "number": is_in_window.then_some(place),
            "window": is_in_window.then_some(place),
            "seat": is_in_window.then_some(0),
            "question": (place > 4).then_some("act.way"),
            "expected": if place > 2 { "3" } else { "" },
            "found": if place > 2 { "" } else { "4" },
        })
    };
    std::iter::once(Json::Null).chain(about.into_iter().enumerate().map(difference)).collect()
}
