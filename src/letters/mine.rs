//! What somebody is told of their own tables, of those they watch over, and of how they keep their
//! windows.

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::letters::checking::samples;
use crate::letters::table::SealedCount;
use crate::letters::template::letters::{DESK, LetterFault, Letters};
use crate::letters::template::reader::Reader;
use crate::letters::template::views::Moment;
use crate::rules::Round;
use crate::rules::Seat;
use crate::rules::window::Progress;
use crate::tables::absence::Tally;

/// One of somebody's own tables.
#[derive(Clone, Debug, Serialize)]
pub struct OwnTable<'a> {
    /// What people type to name it.
    pub code: &'a str,
    /// The id of its thread; none where it is not played in one.
    pub thread: Option<&'a str>,
    /// How far it is: forming, playing, over.
    pub stage: &'static str,
    /// Why it stands still, if it does.
    pub held: Option<&'static str>,
    /// Whether it is the reader's.
    pub host: bool,
    /// On how many chairs somebody sits.
    pub taken: usize,
    pub chairs: usize,
    /// How far they are with their declaration; none if they do not sit there.
    pub progress: Option<Progress>,
    /// Whether nothing is sealed in the open window, as all that is asked is done at once.
    pub openly: bool,
    /// When the open window closes.
    pub closes: Option<Moment>,
    /// When it is announced what came of the one that has closed.
    pub announced: Option<Moment>,
    /// What they have left open so far, as [`crate::letters::open_questions`] gives it.
    pub open: Json,
}

/// A table that somebody watches over.
#[derive(Clone, Debug, Serialize)]
pub struct WatchedTable<'a> {
    /// What people type to name it.
    pub code: &'a str,
    /// The id of its thread; none where it is not played in one.
    pub thread: Option<&'a str>,
    /// How far it is: forming, playing, over.
    pub stage: &'static str,
    /// Why it stands still, if it does.
    pub held: Option<&'static str>,
    /// Whether something keeps its letters from arriving.
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
    /// Whether its deadline has come, and those who are late may still seal.
    pub grace: bool,
    /// Those who are late, where they may be named.
    pub late: Vec<Seat>,
    /// Whether nothing is sealed in the open window, as all that is asked is done at once.
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

impl Letters {
    /// What a letter to one person is about: which game, which table, and the thread in which that
    /// is played.
    pub fn about(
        &self,
        reader: &Reader,
        code: &str,
        thread: Option<&str>,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "about", json!({ "code": code, "thread": thread }))
    }

    /// One of somebody's own tables.
    pub fn own_table(&self, reader: &Reader, table: &OwnTable<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "own_table", table)
    }

    /// All of them, each as [`Self::own_table`] tells of it, and how they have kept their last
    /// windows: ten, and a hundred.
    pub fn my(
        &self,
        reader: &Reader,
        tables: &[String],
        [lately, long]: [Tally; 2],
    ) -> Result<String, LetterFault> {
        let context = json!({ "tables": tables, "lately": lately, "long": long });
        self.letter(DESK, reader, "my", context)
    }

    /// A table that somebody watches over.
    pub fn watched_table(
        &self,
        reader: &Reader,
        table: &WatchedTable<'_>,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "watched", table)
    }

    /// The tables that somebody watches over, each as [`Self::watched_table`] tells of it, and how
    /// many more there are.
    pub fn dashboard(
        &self,
        reader: &Reader,
        tables: &[String],
        more: usize,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "dashboard", json!({ "tables": tables, "more": more }))
    }

    /// Everything of this, once, for the letters' own check.
    pub(super) fn check_mine(&self, reader: &Reader) -> Vec<Result<String, LetterFault>> {
        let mut all: Vec<_> = tables().iter().map(|table| self.own_table(reader, table)).collect();
        let tally = |windows| Tally { windows, early: 2, missed: 1, ..Tally::default() };
        for (lately, long) in [(0, 0), (3, 3), (10, 11)] {
            for tables in [vec!["A line.\n".to_owned()], Vec::new()] {
                all.push(self.my(reader, &tables, [tally(lately), tally(long)]));
            }
        }
        all.extend(watched().iter().map(|table| self.watched_table(reader, table)));
        for more in [0, 1, 2] {
            all.push(self.dashboard(reader, &["A line.\n".to_owned()], more));
        }
        all.push(self.dashboard(reader, &[], 0));
        all.extend([None, Some("1")].map(|thread| self.about(reader, "ABCDE", thread)));
        all
    }
}

/// Tables of every stage, and of every progress.
fn tables() -> Vec<OwnTable<'static>> {
    let question = samples::interview(&[]);
    let open = crate::letters::open_questions(&question);
    let table = |stage, host: bool, progress: Option<Progress>| OwnTable {
        code: "ABCDE",
        thread: host.then_some("1"),
        stage,
        held: None,
        host,
        taken: 1,
        chairs: 4,
        progress,
        openly: false,
        closes: progress.map(|_| samples::moment()),
        announced: None,
        open: open.clone(),
    };
    let progress = [
        Progress::NothingToDeclare,
        Progress::NothingDeclared,
        Progress::Draft,
        Progress::SealedIncomplete,
        Progress::SealedComplete,
    ];
    let mut all: Vec<_> =
        progress.into_iter().map(|progress| table("playing", false, Some(progress))).collect();
    all.extend(["forming", "playing", "over"].map(|stage| table(stage, true, None)));
    let seat = Some(Progress::NothingDeclared);
    for progress in [Progress::NothingToDeclare, Progress::NothingDeclared] {
        all.push(OwnTable { openly: true, ..table("playing", false, Some(progress)) });
    }
    all.push(OwnTable { held: Some("outage"), ..table("playing", true, seat) });
    let announced = Some(samples::moment());
    all.push(OwnTable { announced, closes: None, ..table("playing", false, seat) });
    all.push(OwnTable { open: Json::Null, ..table("playing", false, seat) });
    all
}

/// Tables in every state that can be told of one that is watched over.
fn watched() -> Vec<WatchedTable<'static>> {
    const BOTH: &[Seat] = &[Seat::new(0), Seat::new(1)];
    let table = |stage, window: Option<Round>| WatchedTable {
        code: "ABCDE",
        thread: window.map(|_| "1"),
        stage,
        held: None,
        obstructed: false,
        taken: 1,
        chairs: 4,
        window,
        closes: window.map(|_| samples::moment()),
        announced: None,
        put_off: 0,
        grace: false,
        late: Vec::new(),
        openly: false,
        awaited: BOTH.to_vec(),
        count: None,
        inactive: BOTH,
        away: BOTH,
    };
    let mut all = vec![table("forming", None), table("over", None)];
    all.extend([Round::DEAL, Round::FIRST].map(|window| table("playing", Some(window))));
    for held in ["outage", "rules", "pause", "review", "deserted"] {
        let obstructed = held == "rules";
        all.push(WatchedTable {
            held: Some(held),
            obstructed,
            ..table("playing", Some(Round::FIRST))
        });
    }
    all.push(WatchedTable { openly: true, ..table("playing", Some(Round::FIRST)) });
    let count = Some(SealedCount { sealed: 1, asked: 2 });
    all.push(WatchedTable {
        put_off: 1,
        grace: true,
        late: BOTH.to_vec(),
        ..table("playing", Some(Round::FIRST))
    });
    all.push(WatchedTable {
        put_off: 2,
        count,
        awaited: Vec::new(),
        ..table("playing", Some(Round::FIRST))
    });
    let announced = Some(samples::moment());
    all.push(WatchedTable { announced, closes: None, ..table("playing", Some(Round::FIRST)) });
    all
}
