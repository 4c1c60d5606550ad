//! What somebody is told of a table that was played again.

use serde_json::{Value as Json, json};

use crate::template::letters::DESK;
use crate::template::typed::{letters, sampled, sampled_from};
use rules::Seat;
use tables::ids::{EntryNumber, TableCode};

letters! {
    /// The letter about a table that was played again.
    LETTERS in DESK;

    /// What came of playing a table again.
    "verified" pub struct PlayedAgain<'a> {
        /// What people type to name the table.
        pub code: &'a TableCode,
        /// The number of windows that were closed.
        pub closed: usize,
        /// How many dice fell.
        pub dice: usize,
        /// True if none of them stands in the file that was held against them.
        pub dice_untold: bool,
        /// True if its house players play by policies of another version than this program's.
        pub other_policies: bool,
        /// The number of those who sat there or decided something and are not shown, or were erased.
        pub unnamed: usize,
        /// The first entry of its journal that is not chained to the one before it; none if all are.
        pub broken: Option<EntryNumber>,
        /// What is the first not to come as it was told; null if everything does.
        pub difference: Json = differences(),
        /// What game masters have decided, by the window that it touched, in order.
        pub touched: Vec<TouchedWindow>,
        /// What its dice were committed to by, in hex digits.
        pub commitment: &'a str,
        /// What it is called where its dice are keyed.
        pub name: &'a str,
        /// What each seat has mixed into the seed, in order.
        pub values: Vec<MixedValue>,
        /// What its posts tell of the journal, as far as the reader has it.
        pub heads: Vec<PostedHead>,
        /// True if the game is over.
        pub over: bool,
    }
}

sampled! {
    /// What a seat has mixed into the seed.
    #[derive(PartialEq, Eq)]
    pub struct MixedValue {
        pub seat: Seat,
        /// What, in hex digits.
        pub value: String,
        /// True if its player chose it; else it follows from the drawn seed.
        pub chosen: bool,
        /// True if it was promised before others were known.
        pub promised: bool,
    }

    /// A head of the journal, as a post tells it.
    #[derive(PartialEq, Eq)]
    pub struct PostedHead {
        pub said: String,
        /// True if the journal has it.
        pub found: bool,
        /// The root window that had been told by then, counted from 0, which is the deal; -1 before it,
        /// and none if the journal does not have it.
        pub window: Option<i64>,
        /// True if all of a hash was given and the journal goes on behind it: so the end is told.
        pub followed: bool,
    }

    /// A window that game masters have touched.
    pub struct TouchedWindow {
        /// The root window, counted from 0, which is the deal; -1 before that, and none for one that
        /// never closed.
        pub window: Option<i64>,
        /// The numbers of their decisions, from 1.
        pub decisions: Vec<u32>,
    }
}

sampled_from! { EntryNumber: [EntryNumber::new(7)]; }

/// No difference, and one of every kind.
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
