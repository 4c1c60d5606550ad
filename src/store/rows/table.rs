//! Rows of tables and seats. An impossible value is an error at the reading.

use std::fmt;
use std::sync::Arc;

use sqlx::FromRow;

use crate::rows::columns::{Count, OrBeforeFirst};
use rules::Seat;
use tables::ids::{Address, PersonId, TableCode, WindowNumber};
use tables::time::Time;
use tables::{HoldReason, Pace, PersonSettings, Stage, TableSettings};

/// The row of a table.
#[derive(Clone, FromRow)]
pub struct TableRow {
    pub code: TableCode,
    pub game: String,
    /// The edition of the rules.
    pub edition: String,
    /// The hash of that edition's data files, in hex digits.
    pub data: String,
    /// The game's options, as JSON.
    pub options: String,
    /// The language of public texts.
    pub language: String,
    pub pace: Arc<Pace>,
    /// The pace from the next window on, `None` if it stays.
    pub next_pace: Option<Arc<Pace>>,
    #[sqlx(try_from = "Count<usize>")]
    pub chairs: usize,
    pub host: PersonId,
    pub stage: Stage,
    /// The reason why the table is held; `None` if the table is not held.
    pub held: Option<HoldReason>,
    /// The seed, in hex digits: a secret until the end.
    pub seed: String,
    /// The hash of the seed, in hex digits.
    pub commitment: String,
    /// The number of the open window, `None` before the first.
    #[sqlx(try_from = "OrBeforeFirst")]
    pub open_window: Option<WindowNumber>,
    /// The time of the next clock check, `None` if there is none.
    pub look_at: Option<Time>,
    /// The number of journal entries.
    #[sqlx(try_from = "Count<u32>")]
    pub entries: u32,
    /// The hash of the last entry, in hex digits.
    pub chain: String,
    /// The time of the last entry.
    pub told_at: Time,
    /// The name of the table by which its dice are keyed.
    pub dice: String,
    pub formed_at: Time,
    /// The address of its public letters, `None` if every player gets private letters.
    pub place: Option<Address>,
    /// The number of windows so far, which is the number of the next one.
    #[sqlx(try_from = "Count<u32>")]
    pub windows: u32,
    /// The time since which the table is held; `None` if the table is not held.
    pub held_at: Option<Time>,
    pub settings: TableSettings,
    /// The hash of the set of cards that the table is bound to, `None` before the deal and in a game without
    /// sets.
    pub card_set: Option<String>,
}

impl TableRow {
    /// Returns the number of the next window.
    pub fn next_window(&self) -> WindowNumber {
        WindowNumber::new(self.windows)
    }
}

impl fmt::Debug for TableRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The seed must not reach a log.
        f.debug_struct("TableRow").field("code", &self.code).finish_non_exhaustive()
    }
}

/// The row of a seat and its player.
#[derive(Clone, Debug, FromRow)]
pub struct SeatRow {
    /// The seat, from 0.
    pub seat: Seat,
    /// The person on the seat, `None` for a bot player.
    pub person: Option<PersonId>,
    /// The policy of a bot player, `None` for a person.
    pub house: Option<String>,
    /// The name at this table, empty for P1 and so on.
    pub name: String,
    /// The value in the seed, in hex digits.
    pub value: String,
    /// The salt of the journal's hash of the person, `None` for a bot player or an erased person.
    pub salt: Option<String>,
    /// The address of private letters.
    pub address: Option<Address>,
    /// The language of the person.
    pub language: Option<String>,
    /// The person's settings for all of their tables.
    pub settings: PersonSettings,
}

impl SeatRow {
    /// True if this person has the seat.
    pub fn is_of(&self, person: Option<&PersonId>) -> bool {
        person.is_some() && self.person.as_ref() == person
    }
}

/// The row of a person who had a seat before somebody else.
#[derive(Clone, Debug, FromRow)]
pub struct FormerSeatRow {
    pub seat: Seat,
    pub person: PersonId,
    pub name: String,
    /// The salt, as in [`SeatRow::salt`].
    pub salt: Option<String>,
}
