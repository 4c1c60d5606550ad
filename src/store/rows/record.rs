//! The rows of a table's journal, records and letters.

use sqlx::FromRow;

use crate::rows::columns::{Count, Flag};
use rules::Seat;
use tables::absence::Keeping;
use tables::ids::{Address, EntryNumber, PersonId, WindowNumber};
use tables::time::Time;

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct JournalRow {
    /// The number of the entry, from 0.
    pub entry: EntryNumber,
    pub at: Time,
    /// The content, as JSON.
    pub body: String,
    /// The hash that chains the entry to the one before, in hex digits.
    pub hash: String,
}

impl JournalRow {
    /// Returns the line that is chained.
    pub fn line(&self) -> String {
        format!("{} {} {}", self.entry, self.at, self.body)
    }
}

/// A person's record of one window.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ReputationRow {
    /// The window, from 0.
    pub number: WindowNumber,
    /// The seat that the person played for.
    pub seat: Seat,
    /// The person who declared, or should have.
    pub person: PersonId,
    pub kept: Keeping,
    /// The time of the window's announcement, `None` while the window is open.
    pub at: Option<Time>,
    /// True if the table has neither gone back from the window nor resolved it anew.
    #[sqlx(try_from = "Flag")]
    pub counts: bool,
}

/// A letter to be sent.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Outgoing {
    /// The id of the letter, at every address.
    pub letter: String,
    /// The address, such as `terminal:桜`.
    pub address: Address,
    /// The earliest time of sending.
    pub send_at: Time,
    /// The content, as JSON.
    pub body: String,
    /// The number of attempts begun.
    #[sqlx(try_from = "Count<u64>")]
    pub attempts: u64,
    /// The place that last refused the letter, `None` if none did.
    pub refused_at: Option<Address>,
}
