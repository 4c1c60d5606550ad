//! Letters about a table: who sits there, how far everybody is, its deadlines and its end.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use crate::template::letters::{DESK, TABLE};
use crate::template::typed::{letters, sampled, sampled_from};
use crate::template::views::Moment;
use rules::{Round, Seat, window};
use tables::ids::TableCode;
use tables::pace::CloseDelay;
use tables::time::Span;
use tables::{CloseReason, HoldReason, OutageRule};

/// How far a seat is with its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SealProgress {
    Nothing,
    /// A draft: it counts at the deadline as it stands.
    Draft,
    Sealed,
}

/// How the reader leaves a table behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behind {
    /// They have stood up.
    StoodUp,
    /// It waits for its players.
    Forming,
    /// It goes on.
    Playing,
    Over,
    /// It goes on without them.
    Nothing,
}

impl Behind {
    pub const ALL: [Self; 5] =
        [Self::StoodUp, Self::Forming, Self::Playing, Self::Over, Self::Nothing];
}

letters! {
    /// Letters about a table.
    LETTERS in DESK;

    /// What a seat has mixed into the seed of the dice.
    "mixed_in" pub struct MixedIn<'a> {
        pub seat: Seat,
        /// What, in hex digits.
        pub value: &'a str,
        /// The words that it was chosen by, if they have just been said.
        pub words: Option<&'a str>,
        /// True if it can still be chosen.
        pub open: bool,
        /// What has been promised and not told yet, in hex digits; empty if all promises have ended, and
        /// none if nothing is owed.
        pub owes: Option<&'a str> = [None, Some("00ff"), Some("")],
    }

    /// A table waits for its players.
    "forming" pub struct FormingTable<'a> {
        /// What people type to name the table.
        pub code: &'a TableCode,
        pub chairs: &'a [Seat],
        /// Those of each side; none where there are no sides.
        pub sides: &'a [Vec<Seat>],
        /// Those on which somebody sits.
        pub taken: &'a [Seat],
        /// Where the reader sits.
        pub you: Option<Seat>,
        /// True if the reader leads it.
        pub leads: bool,
        pub host: HostName,
        /// The pace, in words.
        pub pace: &'a str,
        /// What becomes of those who are missing, in words.
        pub absence: &'a str,
        /// The hash of the seed.
        pub commitment: &'a str,
        /// What the reader has mixed into it, in hex digits.
        pub value: Option<&'a str>,
        /// True if the game begins as soon as somebody takes the last chair.
        pub begins_when_full: bool,
    }

    /// The host of others would leave their seat, and is asked to whom the table goes.
    "host_leaves" pub struct HostLeaves<'a> {
        /// What people type to name the table.
        pub code: &'a TableCode,
        /// The seats of the others.
        pub others: Vec<Seat>,
    }

    /// How far everybody is with the open window.
    "progress" pub struct WindowProgress {
        /// Each seat the reader may know of.
        pub seats: Vec<SeatProgress>,
        /// True if nothing is sealed in it, as all that is asked is done openly and at once.
        pub openly: bool,
        /// True if the game hides who has sealed.
        pub hidden: bool,
        /// The step of the clock, from the full hour on, on which it closes once all have sealed;
        /// none if it does so at once.
        pub step: Option<Span> = [None, Some(Span::minutes(15))],
        /// Of those who are asked, how many have sealed, where that is all that is told of others.
        pub count: Option<SealedCount>,
        /// When the window closes.
        pub closes: Option<Moment>,
        /// When it closes before that, as nobody is waited for any more.
        pub settles: Option<Moment>,
        /// When the result is announced, if that is not when it closes.
        pub announced: Option<Moment>,
    }

    /// What is lost if a table is ended before its end.
    "ending" pub struct EndPreview<'a> {
        /// What people type to name the table.
        pub code: &'a TableCode,
        /// The root window that is open; none before the game begins.
        pub window: Option<Round>,
        /// How many people sit there.
        pub taken: usize,
        /// Why, in the host's words; empty for no reason.
        pub reason: &'a str = ["", "rain"],
    }

    /// A window would be closed now.
    "closing" pub struct ClosePreview<'a> {
        /// What people type to name the table.
        pub code: &'a TableCode,
        /// The root window that is open.
        pub window: Round,
        /// True if nothing is sealed in it, as all that is asked is done openly and at once.
        pub openly: bool,
        /// Whose time would be cut short, where that may be known.
        pub awaited: Vec<Seat>,
        /// When its result is told; none if that is at once.
        pub announced: Option<Moment>,
    }

    /// The reader leaves the terminal.
    "goodbye" pub struct Goodbye<'a> {
        /// What people type to name the table.
        pub code: &'a TableCode,
        /// What the reader is known by; empty for who did not say.
        pub name: &'a str = ["", "5eed"],
        /// How they leave the table behind.
        pub behind: Behind,
        /// What becomes of its deadlines while no program runs.
        pub outage: OutageRule,
    }

    /// The reader has lost their seat to somebody else.
    "unseated" pub struct Unseated<'a> { pub code: &'a TableCode }
}

letters! {
    /// Letters about why a window is open, or has closed.
    WHY_LETTERS in DESK;

    /// Why the window that is open has not closed yet.
    "why_open" pub struct WhyOpen<'a> {
        /// The root window.
        pub window: Round,
        /// Those who are waited for, where that may be known.
        pub awaited: &'a [Seat],
        /// True if nothing is sealed in it, as all that is asked is done openly and at once.
        pub openly: bool,
        /// True if the game hides who has sealed.
        pub hidden: bool,
        /// Of those who are asked, how many have sealed, where that is all that is told of others.
        pub count: Option<SealedCount>,
        /// True if its deadline has come, and only those who are late are waited for.
        pub grace: bool,
        pub closes: Moment,
        /// By how many windows' lengths it was put off.
        pub put_off: u32,
        /// True if its deadline has moved past days on which none falls.
        pub excepted: bool,
        /// When it closes before its deadline; none if it does not.
        pub early: Option<EarlyClose>,
        /// True if nothing is taken, as it is locked.
        pub locked: bool,
    }

    /// Why the last window has closed.
    "why_closed" pub struct WhyClosed<'a> {
        /// The root window.
        pub window: Round,
        pub closed: Moment,
        pub why: CloseReason,
        /// True if nothing was sealed in it, as all that was asked was done openly and at once.
        pub openly: bool,
        /// Who was asked and has not sealed, where that may be known.
        pub awaited: &'a [Seat],
    }
}

letters! {
    /// Letters about what has happened at a table, which are told of it later, too.
    TABLE_LETTERS in TABLE;

    /// A table stands still.
    "held" pub struct StandsStill<'a> {
        pub code: &'a TableCode,
        pub why: &'a str = *HoldReason::VARIANTS,
        pub until: Option<Moment>,
    }

    /// Who wanted a table to stand still, or locked it.
    "stopped_by" pub struct StoppedBy<'a> {
        pub locked: bool,
        pub since: Moment,
        /// None if they have no seat there.
        pub by: Option<Seat>,
        pub voted: bool,
        pub reason: &'a str,
    }

    /// The window has closed early, and its result is announced later.
    "shut" pub struct ShutWindow { pub closed: Moment, pub announced: Moment }
}

sampled! {
    /// The host of a table: by their seat, or else by what is known of them elsewhere.
    #[derive(PartialEq, Eq, Default)]
    pub struct HostName {
        pub seat: Option<Seat>,
        /// Their id on Discord.
        pub user: Option<String> = [None, Some("7".to_owned())],
        /// Their name at a terminal.
        pub name: Option<String> = [None, Some("kaede".to_owned())],
    }
}

sampled! {
    /// How many have sealed.
    #[derive(Copy, PartialEq, Eq)]
    pub struct SealedCount {
        /// So many have.
        pub sealed: usize,
        /// So many are asked.
        pub asked: usize,
    }

    /// When a window closes before its deadline, and what it waits for until then.
    pub struct EarlyClose {
        /// True if everybody has sealed; otherwise it would if they had by now.
        pub all_sealed: bool,
        pub at: Moment,
        pub delays: BTreeSet<CloseDelay>,
    }

    /// How far a seat is.
    #[derive(Copy)]
    pub struct SeatProgress {
        pub seat: Seat,
        pub progress: window::Progress,
    }
}

sampled_from! {
    Behind: Behind::ALL;
    CloseReason: [CloseReason::Deadline, CloseReason::AllSealed, CloseReason::GameMaster];
    BTreeSet<CloseDelay>: [
        BTreeSet::new(),
        BTreeSet::from([CloseDelay::LeastTime, CloseDelay::CoolDown]),
        BTreeSet::from([CloseDelay::Quiet, CloseDelay::Tick]),
    ];
    OutageRule: [OutageRule::Extend, OutageRule::Late, OutageRule::Wait];
    window::Progress: [
        window::Progress::NothingToDeclare,
        window::Progress::NothingDeclared,
        window::Progress::Draft,
        window::Progress::SealedIncomplete,
        window::Progress::SealedComplete,
    ];
}
