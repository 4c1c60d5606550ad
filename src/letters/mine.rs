//! What somebody is told of their own tables, of those they watch over, and of how they keep their
//! windows.

use serde_json::{Value as Json, json};
use strum::VariantNames;

use crate::table::SealedCount;
use crate::template::letters::DESK;
use crate::template::typed::{Draw, letters, sampled_from};
use crate::template::views::Moment;
use rules::window::Progress;
use rules::{Round, Seat};
use tables::HoldReason;
use tables::absence::Tally;
use tables::ids::TableCode;

letters! {
    /// What somebody is told of their own tables.
    LETTERS in DESK;

    /// What a letter to one person is about: which game, which table, and the thread in which that
    /// is played.
    "about" pub struct AboutTable<'a> { pub code: &'a TableCode, pub thread: Option<&'a str> }

    /// One of somebody's own tables.
    "own_table" pub struct OwnTable<'a> {
        /// What people type to name it.
        pub code: &'a TableCode,
        /// The id of its thread; none where it is not played in one.
        pub thread: Option<&'a str>,
        /// How far it is: forming, playing, over.
        pub stage: &'static str = ["playing", "forming", "over"],
        /// Why it stands still, if it does.
        pub held: Option<&'static str> = held(),
        /// True if it is the reader's.
        pub host: bool,
        /// On how many chairs somebody sits.
        pub taken: usize,
        pub chairs: usize,
        /// How far they are with their declaration; none if they do not sit there.
        pub progress: Option<Progress>,
        /// True if nothing is sealed in the open window, as all that is asked is done at once.
        pub openly: bool,
        /// When the open window closes.
        pub closes: Option<Moment>,
        /// When it is announced what came of the one that has closed.
        pub announced: Option<Moment>,
        /// The questions they have left open so far, as [`crate::open_questions`] gives it.
        pub open: Json => some_open_questions,
    }

    /// All of them, each as [`OwnTable`] tells of it, and how they have kept their last windows: ten,
    /// and a hundred.
    "my" pub struct OwnTables<'a> {
        pub tables: &'a [String],
        /// The number of those that are left out.
        pub more: usize,
        pub lately: Tally,
        pub long: Tally,
    }

    /// What somebody sets for all of their tables.
    "me" pub struct OwnSettings<'a> {
        /// The zone in which they are told times; none: that of each table.
        pub zone: Option<&'a str> = [None, Some("Asia/Tokyo")],
        /// When nothing calls them.
        pub quiet: Option<&'a str> = [None, Some("23:00-07:00")],
        /// How they are called.
        pub way: &'static str = ["usual", "message", "thread", "nothing"],
        /// When they are.
        pub moments: &'static str = ["usual", "both", "opening", "deadline"],
    }

    /// Why a text sets nothing of that, and what would be right.
    "me_fault" pub struct SettingsMisread { pub fault: Json = settings_faults() }

    /// A table that somebody watches over.
    "watched" pub struct WatchedTable<'a> {
        /// What people type to name it.
        pub code: &'a TableCode,
        /// The id of its thread; none where it is not played in one.
        pub thread: Option<&'a str>,
        /// How far it is: forming, playing, over.
        pub stage: &'static str = ["playing", "forming", "over"],
        /// Why it stands still, if it does.
        pub held: Option<&'static str> = held(),
        /// True if something keeps its letters from arriving.
        pub obstructed: bool,
        /// On how many chairs somebody sits.
        pub taken: usize,
        pub chairs: usize,
        /// The root window, counted from 0, which is the deal.
        pub window: Option<Round>,
        /// When the open window closes.
        pub closes: Option<Moment>,
        /// When it is announced what came of the one that has closed.
        pub announced: Option<Moment>,
        /// By how many windows' lengths it was put off.
        pub put_off: u32,
        /// True if its deadline has come, and those who are late may still seal.
        pub grace: bool,
        /// Those who are late, where they may be named.
        pub late: Vec<Seat>,
        /// True if nothing is sealed in the open window, as all that is asked is done at once.
        pub openly: bool,
        /// Those who are waited for, as they have not sealed yet or can still do something, where they
        /// may be named.
        pub awaited: Vec<Seat>,
        /// How many have sealed, where that is all that is told.
        pub count: Option<SealedCount>,
        /// Those for whom no window waits any more.
        pub inactive: &'a [Seat],
        pub away: &'a [Seat],
    }

    /// The tables that somebody watches over, each as [`WatchedTable`] tells of it, and how many more
    /// there are.
    "dashboard" pub struct WatchedTables<'a> { pub tables: &'a [String], pub more: usize }
}

/// Why a table can stand still, if it does.
fn held() -> Vec<Option<&'static str>> {
    HoldReason::VARIANTS.iter().copied().map(Some).chain([None]).collect()
}

/// Every way in which a text can set nothing.
fn settings_faults() -> Vec<Json> {
    vec![json!({ "kind": "unknown", "said": "@here" }), json!({ "kind": "no-call", "said": "" })]
}

sampled_from! {
    Tally: [0, 3, 10, 11].map(|windows| {
        Tally { windows, early: windows.min(2), missed: windows.min(1), ..Tally::default() }
    });
}

fn some_open_questions(draw: &mut Draw<'_>) -> Json {
    let interviews = &draw.stock.interviews;
    let all = interviews.iter().map(crate::open_questions).chain([Json::Null]);
    draw.one_of(&all.collect::<Vec<_>>())
}
