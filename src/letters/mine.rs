//! Letters to a user about their own tables, the tables they watch over, and their record in past windows.

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
    /// Letters to a user about their own tables and settings.
    LETTERS in DESK;

    /// The context of a letter to one person: the game, the table, and the table's thread.
    "about" pub struct AboutTable<'a> { pub code: &'a TableCode, pub thread: Option<&'a str> }

    /// One of the reader's own tables.
    "own_table" pub struct OwnTable<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        /// The id of the table's thread; `None` without a thread.
        pub thread: Option<&'a str>,
        /// The stage of the table: forming, playing or over.
        pub stage: &'static str = ["playing", "forming", "over"],
        /// The reason for a hold; `None` if the table is not held.
        pub held: Option<&'static str> = held(),
        /// True if the reader is the host.
        pub host: bool,
        /// The number of occupied chairs.
        pub taken: usize,
        pub chairs: usize,
        /// The reader's progress with their declaration; `None` without a seat.
        pub progress: Option<Progress>,
        /// True if the open window has no seals, as all answers are carried out immediately.
        pub openly: bool,
        /// The deadline of the open window.
        pub closes: Option<Moment>,
        /// The time at which the result of the closed window is announced.
        pub announced: Option<Moment>,
        /// The questions still open in the reader's draft, as [`crate::open_questions`] returns them.
        pub open: Json => some_open_questions,
    }

    /// The reader's own tables, each as written by [`OwnTable`], and the reader's record over the last ten
    /// and the last hundred windows.
    "my" pub struct OwnTables<'a> {
        pub tables: &'a [String],
        /// The number of tables left out.
        pub more: usize,
        pub lately: Tally,
        pub long: Tally,
    }

    /// The reader's settings for all of their tables.
    "me" pub struct OwnSettings<'a> {
        /// The time zone of the reader; `None` for that of each table.
        pub zone: Option<&'a str> = [None, Some("Asia/Tokyo")],
        /// The quiet hours without pings; `None` if there are none.
        pub quiet: Option<&'a str> = [None, Some("23:00-07:00")],
        /// The channel of pings.
        pub way: &'static str = ["usual", "message", "thread", "nothing"],
        /// The events with a ping.
        pub moments: &'static str = ["usual", "both", "opening", "deadline"],
    }

    /// The reason why a text is not a valid setting, and what would be correct.
    "me_fault" pub struct SettingsMisread { pub fault: Json = settings_faults() }

    /// A table watched over by the reader.
    "watched" pub struct WatchedTable<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        /// The id of the table's thread; `None` without a thread.
        pub thread: Option<&'a str>,
        /// The stage of the table: forming, playing or over.
        pub stage: &'static str = ["playing", "forming", "over"],
        /// The reason for a hold; `None` if the table is not held.
        pub held: Option<&'static str> = held(),
        /// True if an obstacle keeps the table's letters from arriving.
        pub obstructed: bool,
        /// The number of occupied chairs.
        pub taken: usize,
        pub chairs: usize,
        /// The number of the root window; 0 is the deal.
        pub window: Option<Round>,
        /// The deadline of the open window.
        pub closes: Option<Moment>,
        /// The time at which the result of the closed window is announced.
        pub announced: Option<Moment>,
        /// The deadline extension of the window, in window lengths.
        pub put_off: u32,
        /// True if the deadline has passed and late seats may still seal.
        pub grace: bool,
        /// The late seats, if they may be shown.
        pub late: Vec<Seat>,
        /// True if the open window has no seals, as all answers are carried out immediately.
        pub openly: bool,
        /// The seats waited for, as they have not sealed or can still act, if they may be shown.
        pub awaited: Vec<Seat>,
        /// The number of seals, if only the number is public.
        pub count: Option<SealedCount>,
        /// The seats for which no window waits any more.
        pub inactive: &'a [Seat],
        pub away: &'a [Seat],
    }

    /// The tables watched over by the reader, each as written by [`WatchedTable`], and the number of tables
    /// left out.
    "dashboard" pub struct WatchedTables<'a> { pub tables: &'a [String], pub more: usize }
}

/// Returns every reason for a hold, and `None`.
fn held() -> Vec<Option<&'static str>> {
    HoldReason::VARIANTS.iter().copied().map(Some).chain([None]).collect()
}

/// Returns a sample of each fault of a setting.
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
