//! Letters about a table: its seats, the progress of its windows, its deadlines, its end,
//! and players who are missing, late or away; and letters to a user about their own tables.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use strum::VariantNames;

use crate::template::typed::{always, as_typed, letters, sampled, sampled_from, sampled_variants};
use crate::template::views::LengthView;
use crate::template::{DeclaredAnswers, Draw, QuestionView};
use crate::{DESK, LetterFault, Letters, Moment, Reader, Result, TABLE, samples};
use rules::window::Progress;
use rules::{Interview, Round, Seat, window};
use tables::absence::{AbsenceFault, Away, Inactive, Minimum, PeriodFault, Tally};
use tables::ids::TableCode;
use tables::pace::CloseDelay;
use tables::time::Span;
use tables::{Absence, CloseReason, HoldReason, OutageRule, TableSettings};

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
        /// True if the reader is asked to play another table.
        pub again: bool,
    }

    /// The note to a reader whose seat went to another player.
    "unseated" pub struct Unseated<'a> { pub code: &'a TableCode }

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
    #[derive(PartialEq, Eq)]
    "why_closed" pub struct WhyClosed {
        /// The number of the root window.
        pub window: Round,
        pub closed: Moment,
        pub why: CloseReason,
        /// True if the window had no seals, as all answers were carried out openly and immediately.
        pub openly: bool,
        /// The seats that were asked and have not sealed, if they may be shown.
        pub awaited: Vec<Seat>,
    }

    /// An absence policy.
    "absence" pub struct AbsenceInWords {
        allowance: u8,
        grace: Option<LengthView>,
        inactive_after: u8,
        inactive: Inactive,
        away: Away,
        minimum: Option<Minimum>,
    }

    /// The reason why a line is not an absence policy.
    "absence_fault" struct AbsenceMisread<'a> { fault: &'a AbsenceFault }

    /// The period in which the reader is away.
    "whereabouts" struct Whereabouts {
        from: Option<Moment> => always,
        until: Option<Moment>,
        tables: Vec<AwayFrom>,
    }

    /// The substitute for the reader's seat, if there is one.
    "standing_in" struct StandingIn<'a> { name: Option<&'a str>, until: Option<Moment> => always }

    /// The note to a player who is no longer away.
    "home" pub struct Home {}

    /// The reason why a text is not a period.
    "period_fault" struct PeriodMisread<'a> { fault: &'a PeriodFault }

    /// The seats that look for players.
    "sought" pub struct Sought<'a> { pub seats: &'a [Seat] }

    /// The seats whose players are away, each with the end of the absence.
    "absent" pub struct WhoIsAway<'a> { pub away: &'a [(Seat, Moment)] }

    /// The drafts of the reader's partners in the open window, and the lines of the side.
    "side" pub struct SideShown<'a> {
        pub partners: &'a [PartnerShown],
        /// True if no partner is a person.
        pub unread: bool,
        pub lines: &'a [SideLineShown],
    }

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

impl Presence {
    /// True if the window waits for an asked seat, as far as this is public.
    pub fn waits_for(&self, seat: Seat) -> bool {
        !self.inactive.contains(&seat) && !self.away.contains(&seat)
    }
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

    /// A window that was closed and announced, in retrospect.
    #[derive(PartialEq, Eq)]
    pub struct EndedWindow {
        /// The root window, counted from 0, which is the deal.
        pub window: Round,
        /// True if the window belonged to a root window that was being resolved.
        pub suspended: bool,
        /// The seats that the window had waited for, as far as this is public.
        pub awaited: Vec<Seat>,
        /// The number of seats that the window had waited for, as far as this is public.
        pub missing: usize,
        /// True if nothing was sealed in the window, because everything asked was done by acts.
        pub openly: bool,
    }

    /// The public attendance in the open window. If seals are secret, so are the late and the inactive seats.
    #[derive(PartialEq, Eq, Default)]
    pub struct Presence {
        /// The deadline extension so far, in window lengths.
        pub put_off: u32,
        /// True in the grace period: the deadline has passed, and late seats may still seal.
        pub grace: bool,
        pub late: Vec<Seat>,
        /// The seats that no window waits for any more.
        pub inactive: Vec<Seat>,
        /// The seats that are away at the deadline.
        pub away: Vec<Seat>,
        /// The seats with a substitute.
        pub stood_in: Vec<Seat>,
    }

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

    /// The effect of a player's absence on the deadlines of one table.
    struct AwayFrom { code: TableCode, rule: Away }

    /// A seat of the reader's side, and what it has declared in the open window.
    pub struct PartnerShown {
        pub seat: Seat,
        pub progress: Progress,
        /// Its declaration as it could be typed, line by line.
        pub said: Vec<String>,
    }

    /// A line that one of the reader's side has written to all of it.
    pub struct SideLineShown {
        pub seat: Seat,
        pub at: Moment,
        pub words: String,
    }
}

sampled_from! {
    BTreeSet<CloseDelay>: [
        BTreeSet::new(),
        BTreeSet::from([CloseDelay::LeastTime, CloseDelay::CoolDown]),
        BTreeSet::from([CloseDelay::Quiet, CloseDelay::Tick]),
    ];
    Minimum: Minimum::SPANS.map(|of| Minimum { missed: 2, of });
    Tally: [0, 3, 10, 11].map(|windows| {
        Tally { windows, early: windows.min(2), missed: windows.min(1), ..Tally::default() }
    });
}

sampled_variants! {
    Behind { StoodUp, Forming, Playing, Over, Nothing }
    CloseReason { Deadline, AllSealed, GameMaster }
    OutageRule { Extend, Late, Wait }
    window::Progress { NothingToDeclare, NothingDeclared, Draft, SealedIncomplete, SealedComplete }
    Away { Skip, Extend, House, Substitute }
    Inactive { Skip, House }
    AbsenceFault {
        Unknown { said, nearest }, Incomplete { said }, Unfitting { said }, Twice { said },
        TooMany { said, most }, TooLong { said, most },
    }
    PeriodFault { NoTime { said }, NoEnd }
}

/// Returns the open questions of an interview as JSON, for a letter that is stored and written later.
pub fn open_questions(interview: &Interview) -> Json {
    let open: Vec<QuestionView> = interview.open().map(QuestionView::new).collect();
    serde_json::to_value(open).unwrap_or_default()
}

/// Returns the answers of a declaration as JSON, for a letter that is written later.
pub fn declared_answers(interview: &Interview) -> Json {
    serde_json::to_value(DeclaredAnswers::new(interview)).unwrap_or_default()
}

impl Letters {
    /// Writes an absence policy as a sentence.
    pub fn absence(&self, reader: &Reader, absence: &Absence) -> Result<String> {
        Ok(self.write(reader, &AbsenceInWords::new(absence))?.trim().to_owned())
    }

    /// Writes an absence policy as one line of input, which [`Absence::read`] parses back to the same policy
    /// if its grace is in whole seconds.
    pub fn absence_line(&self, reader: &Reader, absence: &Absence) -> Result<String> {
        let line = AbsenceLine(AbsenceInWords::new(absence));
        Ok(self.write(reader, &line)?.trim().to_owned())
    }

    /// Writes why a line could not be parsed as an absence policy, and what would be correct.
    pub fn absence_fault(&self, reader: &Reader, fault: &AbsenceFault) -> Result<String> {
        self.write(reader, &AbsenceMisread { fault })
    }

    /// Writes the reader's absence for the reader: its beginning and end, and what becomes of deadlines at
    /// each of their tables.
    pub fn whereabouts(
        &self,
        reader: &Reader,
        away: Option<(Moment, Moment)>,
        tables: &[(TableCode, Away)],
    ) -> Result<String> {
        let (from, until) = away.unzip();
        let table = |(code, rule): &(TableCode, Away)| AwayFrom { code: code.clone(), rule: *rule };
        let tables = tables.iter().map(table).collect();
        self.write(reader, &Whereabouts { from, until, tables })
    }

    /// Writes the name of the substitute for the reader's seat and the end of the substitution, or that there
    /// is no substitute.
    pub fn standing_in(
        &self,
        reader: &Reader,
        substitute: Option<(&str, Moment)>,
    ) -> Result<String> {
        let (name, until) = substitute.unzip();
        self.write(reader, &StandingIn { name, until })
    }

    /// Writes why a text could not be parsed as a period, and what would be correct.
    pub fn period_fault(&self, reader: &Reader, fault: &PeriodFault) -> Result<String> {
        self.write(reader, &PeriodMisread { fault })
    }

    /// Returns a fault for each sample policy whose line is not parsed back to the same policy.
    pub(super) fn absence_not_read_back(&self, reader: &Reader) -> Vec<LetterFault> {
        let mut all = Vec::new();
        for absence in samples::absences() {
            let Ok(line) = self.absence_line(reader, absence) else { continue };
            if Absence::read(&line, &Absence::of_game(true)) != Ok(*absence) {
                let message = format!("{line:?} is not read back as the same");
                all.push(self.fault_of::<AbsenceLine>(reader, message));
            }
        }
        all
    }
}

as_typed! {
    /// An absence policy as one line of input.
    LINES in DESK: "absence_line" struct AbsenceLine(AbsenceInWords);
}

impl AbsenceInWords {
    /// Returns the letter of an absence policy.
    pub fn new(absence: &Absence) -> Self {
        Self {
            allowance: absence.allowance,
            grace: (absence.grace > Span::ZERO).then(|| LengthView::new(absence.grace)),
            inactive_after: absence.inactive_after,
            inactive: absence.inactive,
            away: absence.away,
            minimum: absence.minimum,
        }
    }
}

/// Returns every reason for a hold, and `None`.
fn held() -> Vec<Option<&'static str>> {
    HoldReason::VARIANTS.iter().copied().map(Some).chain([None]).collect()
}

/// Returns a sample of each fault of a setting.
fn settings_faults() -> Vec<Json> {
    vec![json!({ "kind": "unknown", "said": "@here" }), json!({ "kind": "no-call", "said": "" })]
}

fn some_open_questions(draw: &mut Draw<'_>) -> Json {
    let interviews = &draw.stock.interviews;
    let all = interviews.iter().map(crate::open_questions).chain([Json::Null]);
    draw.one_of(&all.collect::<Vec<_>>())
}
