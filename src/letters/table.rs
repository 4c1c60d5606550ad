//! Letters about a table: its seats, the progress of its windows, its deadlines and its end.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use crate::template::letters::{DESK, TABLE};
use crate::template::typed::{letters, sampled, sampled_from, sampled_variants};
use crate::template::views::Moment;
use rules::{Round, Seat, window};
use tables::ids::TableCode;
use tables::pace::CloseDelay;
use tables::time::Span;
use tables::{CloseReason, HoldReason, OutageRule, TableSettings};

/// The progress of a seat with its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SealProgress {
    Nothing,
    /// A draft, which counts at the deadline as it stands.
    Draft,
    Sealed,
}

/// The state of a table at the moment when the reader leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behind {
    /// The reader has left their seat.
    StoodUp,
    /// The table waits for its players.
    Forming,
    /// The game goes on.
    Playing,
    Over,
    /// The table goes on without the reader.
    Nothing,
}

letters! {
    /// Letters about a table.
    LETTERS in DESK;

    /// The value that a seat has mixed into the seed of the dice.
    "mixed_in" pub struct MixedIn<'a> {
        pub seat: Seat,
        /// The value, in hex digits.
        pub value: &'a str,
        /// The words that the value was derived from; `None` if they were not typed just now.
        pub words: Option<&'a str>,
        /// True if the value can still be chosen.
        pub open: bool,
        /// The promised value still to be revealed, in hex digits; empty if all promises have ended, `None`
        /// if none is owed.
        pub owes: Option<&'a str> = [None, Some("00ff"), Some("")],
    }

    /// A table that waits for its players.
    "forming" pub struct FormingTable<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        pub chairs: &'a [Seat],
        /// The chairs of each side; empty in a game without sides.
        pub sides: &'a [Vec<Seat>],
        /// The occupied chairs.
        pub taken: &'a [Seat],
        /// The reader's chair.
        pub you: Option<Seat>,
        /// True if the reader may lead the table.
        pub leads: bool,
        pub host: HostName,
        /// The pace, in words.
        pub pace: &'a str,
        /// The absence policy, in words.
        pub absence: &'a str,
        /// The hash of the seed.
        pub commitment: &'a str,
        /// The value that the reader has mixed into the seed, in hex digits.
        pub value: Option<&'a str>,
        /// The settings that are on.
        pub settings: &'a TableSettings,
    }

    /// The confirmation for a host who leaves their seat, with the possible next hosts.
    "host_leaves" pub struct HostLeaves<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        /// The seats of the others.
        pub others: Vec<Seat>,
    }

    /// The progress of all seats in the open window.
    "progress" pub struct WindowProgress {
        /// The progress of each seat that the reader may see.
        pub seats: Vec<SeatProgress>,
        /// True if the window has no seals, as all answers are carried out openly and immediately.
        pub openly: bool,
        /// True if the game hides who has sealed.
        pub hidden: bool,
        /// The step of the clock, from the full hour, on which the window closes once all have sealed; `None`
        /// if it closes immediately.
        pub step: Option<Span> = [None, Some(Span::minutes(15))],
        /// The number of seals among the seats asked, if only the number is public.
        pub count: Option<SealedCount>,
        /// The deadline of the window.
        pub closes: Option<Moment>,
        /// The time of an early close, if no seat is waited for any more.
        pub settles: Option<Moment>,
        /// The time of the announcement, if it differs from the close.
        pub announced: Option<Moment>,
    }

    /// The preview of ending a table before the end of its game.
    "ending" pub struct EndPreview<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        /// The number of the open root window; `None` before the game begins.
        pub window: Option<Round>,
        /// The number of occupied chairs.
        pub taken: usize,
        /// The reason in the host's words; empty without one.
        pub reason: &'a str = ["", "rain"],
    }

    /// The preview of closing a window now.
    "closing" pub struct ClosePreview<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        /// The number of the open root window.
        pub window: Round,
        /// True if the window has no seals, as all answers are carried out openly and immediately.
        pub openly: bool,
        /// The seats whose time would be cut short, if they may be shown.
        pub awaited: Vec<Seat>,
        /// The time of the announcement; `None` if it is immediate.
        pub announced: Option<Moment>,
    }

    /// The note to a reader who leaves the terminal.
    "goodbye" pub struct Goodbye<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        /// The reader's name at the terminal; empty if none was given.
        pub name: &'a str = ["", "5eed"],
        /// The state of the table that the reader leaves.
        pub behind: Behind,
        /// The rule for deadlines while no program runs.
        pub outage: OutageRule,
    }

    /// The note to a reader whose seat went to another player.
    "unseated" pub struct Unseated<'a> { pub code: &'a TableCode }
}

letters! {
    /// Letters about why a window is open or has closed.
    WHY_LETTERS in DESK;

    /// The reasons why the open window has not closed yet.
    "why_open" pub struct WhyOpen<'a> {
        /// The number of the root window.
        pub window: Round,
        /// The seats waited for, if they may be shown.
        pub awaited: &'a [Seat],
        /// True if the window has no seals, as all answers are carried out openly and immediately.
        pub openly: bool,
        /// True if the game hides who has sealed.
        pub hidden: bool,
        /// The number of seals among the seats asked, if only the number is public.
        pub count: Option<SealedCount>,
        /// True if the deadline has passed and only late seats are waited for.
        pub grace: bool,
        pub closes: Moment,
        /// The deadline extension of the window, in window lengths.
        pub put_off: u32,
        /// True if the deadline was moved past excepted days.
        pub excepted: bool,
        /// The time of an early close and its delays; `None` if the window does not close early.
        pub early: Option<EarlyClose>,
        /// True if the table is locked and accepts no input.
        pub locked: bool,
    }

    /// The reason why the last window has closed.
    "why_closed" pub struct WhyClosed<'a> {
        /// The number of the root window.
        pub window: Round,
        pub closed: Moment,
        pub why: CloseReason,
        /// True if the window had no seals, as all answers were carried out openly and immediately.
        pub openly: bool,
        /// The seats that were asked and have not sealed, if they may be shown.
        pub awaited: &'a [Seat],
    }
}

letters! {
    /// Letters about events at a table, which are also shown later.
    TABLE_LETTERS in TABLE;

    /// A table that is held.
    "held" pub struct StandsStill<'a> {
        pub code: &'a TableCode,
        pub why: &'a str = *HoldReason::VARIANTS,
        pub until: Option<Moment>,
    }

    /// The person who paused or locked a table.
    "stopped_by" pub struct StoppedBy<'a> {
        pub locked: bool,
        pub since: Moment,
        /// The seat of that person; `None` without a seat.
        pub by: Option<Seat>,
        pub voted: bool,
        pub reason: &'a str,
    }

    /// A window that has closed early, with its result announced later.
    "shut" pub struct ShutWindow { pub closed: Moment, pub announced: Moment }
}

sampled! {
    /// The host of a table, by their seat, or else by their id or name.
    #[derive(PartialEq, Eq, Default)]
    pub struct HostName {
        pub seat: Option<Seat>,
        /// The host's Discord id.
        pub user: Option<String> = [None, Some("7".to_owned())],
        /// The host's name at a terminal.
        pub name: Option<String> = [None, Some("kaede".to_owned())],
    }
}

sampled! {
    /// The number of seats that have sealed.
    #[derive(Copy, PartialEq, Eq)]
    pub struct SealedCount {
        pub sealed: usize,
        pub asked: usize,
    }

    /// The time of an early close, and the reasons for its delay.
    pub struct EarlyClose {
        /// True if all seats have sealed; otherwise the time is that of the close if all sealed by now.
        pub all_sealed: bool,
        pub at: Moment,
        pub delays: BTreeSet<CloseDelay>,
    }

    /// The progress of a seat.
    #[derive(Copy)]
    pub struct SeatProgress {
        pub seat: Seat,
        pub progress: window::Progress,
    }
}

sampled_from! {
    BTreeSet<CloseDelay>: [
        BTreeSet::new(),
        BTreeSet::from([CloseDelay::LeastTime, CloseDelay::CoolDown]),
        BTreeSet::from([CloseDelay::Quiet, CloseDelay::Tick]),
    ];
}

sampled_variants! {
    Behind { StoodUp, Forming, Playing, Over, Nothing }
    CloseReason { Deadline, AllSealed, GameMaster }
    OutageRule { Extend, Late, Wait }
    window::Progress { NothingToDeclare, NothingDeclared, Draft, SealedIncomplete, SealedComplete }
}
