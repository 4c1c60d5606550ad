//! What happened at a table and is told of it, as the database keeps it.

use sqlx::FromRow;

use crate::rows::columns::{Count, Flag};
use rules::Seat;
use tables::absence::Keeping;
use tables::ids::{Address, EntryNumber, PersonId, WindowNumber};
use tables::time::Time;

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct JournalRow {
    /// Its number, from 0.
    pub entry: EntryNumber,
    /// When.
    pub at: Time,
    /// What happened, as JSON.
    pub body: String,
    /// The hash that chains it to the one before, in hex digits.
    pub hash: String,
}

impl JournalRow {
    /// The line that is chained.
    pub fn line(&self) -> String {
        format!("{} {} {}", self.entry, self.at, self.body)
    }
}

/// How somebody has kept one window, as the database keeps it.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ReputationRow {
    /// The window, from 0.
    pub number: WindowNumber,
    /// The seat for which they played.
    pub seat: Seat,
    /// Who declared, or should have.
    pub person: PersonId,
    pub kept: Keeping,
    /// The time when it is announced what came of the window; none as long as it is open.
    pub at: Option<Time>,
    /// True if the table has neither gone back from the window nor resolved it anew.
    #[sqlx(try_from = "Flag")]
    pub counts: bool,
}

/// A letter to be sent.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Outgoing {
    /// Its id, which it keeps wherever it goes.
    pub letter: String,
    /// Where it goes, such as `terminal:桜`.
    pub address: Address,
    /// Not before this time.
    pub send_at: Time,
    /// What it tells, as JSON.
    pub body: String,
    /// How many attempts at sending it have begun.
    #[sqlx(try_from = "Count<u64>")]
    pub attempts: u64,
    /// The place that refused what was to be sent there the last time, if one did.
    pub refused_at: Option<Address>,
}
