//! The desk: everything that happens at a table, decided in one transaction each.
//!
//! Nothing is decided outside of a transaction, and nothing is sent inside of one: what people are
//! to be told goes into the outbox with the decision itself. Each thing that can be done is a
//! piece of [`Work`](crate::store::Work) in a file of its own. Times come from outside.

mod act;
mod attendance;
mod away;
mod call;
mod carried;
mod dashboard;
mod declare;
mod delegate;
mod deserted;
mod draw;
mod end;
mod figures;
mod file;
mod files;
mod forget;
mod form;
mod gm;
mod happened;
mod held;
mod inspect;
mod kept;
mod letter;
mod look;
mod mine;
mod obstacle;
mod presence;
mod receipts;
mod relocate;
mod remind;
mod replay;
mod reputation;
mod resolve;
mod retell;
mod rules;
mod safely;
mod see;
mod settle;
mod show;
mod start;
mod statistics;
mod strike;
mod take_over;
#[cfg(test)]
mod test_absence;
#[cfg(test)]
mod test_absence_away;
#[cfg(test)]
mod test_absence_inactive;
#[cfg(test)]
mod test_absence_reminders;
#[cfg(test)]
mod test_absence_substitutes;
#[cfg(test)]
mod test_absence_whereabouts;
#[cfg(test)]
mod test_act;
#[cfg(test)]
mod test_announcement;
#[cfg(test)]
mod test_backup;
#[cfg(test)]
mod test_begin_when_full;
#[cfg(test)]
mod test_connect;
#[cfg(test)]
mod test_courier;
#[cfg(test)]
mod test_dashboard;
#[cfg(test)]
mod test_deserted;
#[cfg(test)]
mod test_edition;
#[cfg(test)]
mod test_files;
#[cfg(test)]
mod test_forget;
#[cfg(test)]
mod test_gm_calls;
#[cfg(test)]
mod test_gm_history;
#[cfg(test)]
mod test_gm_judge;
#[cfg(test)]
mod test_gm_kit;
#[cfg(test)]
mod test_gm_log;
#[cfg(test)]
mod test_gm_seats;
#[cfg(test)]
mod test_gm_windows;
#[cfg(test)]
mod test_hidden;
#[cfg(test)]
mod test_life;
#[cfg(test)]
mod test_obstacle;
#[cfg(test)]
mod test_outage;
#[cfg(test)]
mod test_progress;
#[cfg(test)]
mod test_race;
#[cfg(test)]
mod test_receipts;
#[cfg(test)]
mod test_replay;
#[cfg(test)]
mod test_reputation;
#[cfg(test)]
mod test_retell;
#[cfg(test)]
mod test_settle;
#[cfg(test)]
mod test_statements;
#[cfg(test)]
mod test_statistics;
#[cfg(test)]
pub(crate) mod test_support;
#[cfg(test)]
mod test_suspension;
#[cfg(test)]
mod test_values;
#[cfg(test)]
mod test_verify;
#[cfg(test)]
mod test_vote;
mod times;
mod values;
mod verify;
mod vote;

use serde::Serialize;

use crate::games::any::{AnyContest, AnyGame, OpenError};
use crate::letters::{Refused, Spent};
use crate::rules::{BySeat, Dice, LoadError, Saved, Sealing, Seat};
use crate::store::{Edition, SeatRow, Session, Store, StoreError, TableRow, WindowRow};
use crate::tables::{Pace, Stage, Timing};
use crate::time::Time;

pub use act::Acted;
pub use away::Whereabouts;
pub use dashboard::{Dashboard, Watched};
pub use declare::{Filed, Said};
pub use draw::process;
pub use figures::Figures;
pub use file::{
    Belief, Extent, FileFault, Heading, LeftOut, NotExported, NotImported, NotVerified, TableFile,
    Unfit, Unpacked, Verified,
};
pub use form::{Form, Formed, Guest};
pub use gm::{
    Audience, Because, Bench, Case, Change as Judgement, Decision, DecreeFault, Gm, Logged, Made,
    Notified, Opened, Override, Proposal, Rehearsal, Remark, Reply, Standing, Verb, Wish,
    check_words as check_decrees, complete as complete_decree, log as log_of_decisions,
    read as read_decree, write as write_decree,
};
pub use happened::Happened;
pub use inspect::Inspected;
pub use kept::{Declared, Kept, Proposed, Ruled, Written};
pub use letter::{Letter, Part, Unwritten};
pub(crate) use letter::{end_of, follow, moment};
pub use look::Looked;
pub use mine::Mine;
pub use obstacle::Obstacle;
pub use presence::Presence;
pub use receipts::Receipts;
pub use replay::{Difference, Differs, Heads, Replay, Replayed};
pub use reputation::Reputation;
pub use retell::{Fate, Retold, Revealed, Seen, Step, What};
pub use rules::{clause_of, rules_of};
pub use see::{Gone, Past, Play, Shut, Sight};
pub use settle::Change;
pub use statistics::{
    Days, Ends, GameStatistics, PersonStatistics, Player, Side, Statistics, Which,
};
pub use strike::Struck;
pub use vote::{
    Ballot, Balloted, Motion, Outcome, Vote, VoteFault, check_words as check_votes,
    read as read_ballot, words_of as words_of_votes,
};

/// What a front end does everything through: tables, windows, declarations and overrides over one database.
#[derive(Clone, Debug)]
pub struct Desk {
    store: Store,
    games: Games,
}

/// Something that was not done.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    /// It cannot be done now, and its reader is told why.
    #[error("refused: {0:?}")]
    Refused(Refused),
    /// It has been done as much as it can be, and its reader is told how much is left.
    #[error("no more of it: {0:?}")]
    Spent(Spent),
    /// The game does not take these options, or so many.
    #[error(transparent)]
    Options(OpenError),
    /// The database could not keep it. Nothing of it counts.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl NotDone {
    /// What its asker is told: everything but what the database could not do.
    fn told<T>(done: Result<T, Self>) -> Result<Result<T, Self>, StoreError> {
        match done {
            Err(Self::Store(error)) => Err(error),
            done => Ok(done),
        }
    }
}

impl From<Refused> for NotDone {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<Spent> for NotDone {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl Desk {
    /// A desk with these games on this database.
    pub fn new(store: Store, games: &'static [&'static dyn AnyGame]) -> Self {
        Self { store, games: Games(games) }
    }

    pub fn store(&self) -> &Store {
        &self.store
    }
}

/// The games that can be played here.
#[derive(Clone, Copy, Debug)]
struct Games(&'static [&'static dyn AnyGame]);

impl Games {
    /// The game that goes by this word.
    fn find(self, key: &str) -> Option<&'static dyn AnyGame> {
        self.0.iter().copied().find(|game| game.key() == key)
    }

    /// The game of a table, in the edition the table is played by. A table keeps its edition: if
    /// this program knows another, it does not touch the table.
    fn of(self, table: &TableRow) -> Result<&'static dyn AnyGame, Refused> {
        let game = self.find(&table.game).ok_or(Refused::OtherEdition)?;
        let known = edition(game);
        let same = known.name == table.edition && known.data == table.data;
        if same { Ok(game) } else { Err(Refused::OtherEdition) }
    }
}

/// The edition of a game that this program knows.
fn edition(game: &dyn AnyGame) -> Edition {
    let edition = game.edition();
    Edition {
        game: game.key().to_owned(),
        name: edition.name.clone(),
        data: hex::encode(edition.data),
    }
}

/// The pace of a table.
fn pace(table: &TableRow) -> Result<Pace, StoreError> {
    read_json(&table.pace)
}

/// How far a table is, as far as it has been announced. The end of a game is kept in a window that
/// closes as it opens, when it is announced.
fn announced_stage(table: &TableRow, open: Option<&WindowRow>, now: Time) -> Stage {
    let ends = |open: &WindowRow| open.closes_at == open.opens_at && now < open.opens_at;
    if open.is_some_and(ends) { Stage::Playing } else { table.stage }
}

/// The times of a window, as people may know them: where sealings are hidden, nobody is told by
/// them that everybody has sealed.
fn shown(timing: Timing, sealing: Sealing) -> Timing {
    match sealing {
        Sealing::Open => timing,
        Sealing::Hidden => Timing { settles: None, ..timing },
    }
}

/// The dice of a table: its seed, and what everybody mixed into it.
fn dice(table: &TableRow, seats: &[SeatRow]) -> Result<Dice, StoreError> {
    // Nothing is thrown before everybody has told their value.
    let value = |row: &SeatRow| match row.value.as_str() {
        "" => Ok([0; 32]),
        value => read_hex(value),
    };
    let values: Vec<[u8; 32]> = seats.iter().map(value).collect::<Result<_, _>>()?;
    Ok(Dice::mixed(read_hex(&table.seed)?, &values, table.dice.clone()))
}

/// The contest of a table as it stood when a window opened.
async fn contest(
    session: &mut Session,
    game: &dyn AnyGame,
    table: &TableRow,
    seats: &[SeatRow],
    window: &WindowRow,
) -> Result<Box<dyn AnyContest>, Unloaded> {
    let root = session.state(&table.code, window.root).await?;
    load(game, table, seats, window, root)
}

/// The same, on the state of its root window.
fn load(
    game: &dyn AnyGame,
    table: &TableRow,
    seats: &[SeatRow],
    window: &WindowRow,
    root: String,
) -> Result<Box<dyn AnyContest>, Unloaded> {
    let saved = Saved { root, said: window.said.clone() };
    Ok(game.load(&saved, dice(table, seats)?)?)
}

/// A contest that could not be taken up again.
#[derive(Debug, thiserror::Error)]
enum Unloaded {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl From<Unloaded> for StoreError {
    fn from(unloaded: Unloaded) -> Self {
        match unloaded {
            Unloaded::Store(error) => error,
            Unloaded::Load(error) => Self::Unreadable(error.to_string()),
        }
    }
}

/// Everybody's names, by seat. An empty chair has none.
fn names(seats: &[SeatRow]) -> Vec<String> {
    let mut names = Vec::new();
    for row in seats {
        names.resize(names.len().max(row.seat.index() + 1), String::new());
        names[row.seat.index()].clone_from(&row.name);
    }
    names
}

/// What stands for each seat.
fn by_seat<T>(count: i64, make: impl FnMut(Seat) -> T) -> BySeat<T> {
    BySeat::new(usize::try_from(count).unwrap_or_default(), make)
}

fn read_hex(digits: &str) -> Result<[u8; 32], StoreError> {
    let mut bytes = [0; 32];
    let broken = |error: hex::FromHexError| StoreError::Unreadable(error.to_string());
    hex::decode_to_slice(digits, &mut bytes).map_err(broken)?;
    Ok(bytes)
}

pub(crate) fn read_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Unreadable(error.to_string()))
}

pub(crate) fn write_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Failed(error.to_string()))
}
