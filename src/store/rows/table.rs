//! Rows, as the database has them. An impossible value is an error when it is read.

use std::fmt;
use std::sync::Arc;

use sqlx::FromRow;

use crate::rows::columns::{Count, Flag, OrBeforeFirst};
use rules::Seat;
use tables::ids::{Address, PersonId, TableCode, WindowNumber};
use tables::time::Time;
use tables::{HoldReason, Oversight, Pace, PersonSettings, ResultForm, Stage};

/// A table, as the database keeps it.
#[derive(Clone, FromRow)]
pub struct TableRow {
    /// What people type.
    pub code: TableCode,
    /// The game's word.
    pub game: String,
    /// The edition of the rules it is played by.
    pub edition: String,
    /// The hash of that edition's data files, in hex digits.
    pub data: String,
    /// The game's options, as JSON.
    pub options: String,
    /// The language of what is public.
    pub language: String,
    pub pace: Arc<Pace>,
    /// The pace that it has from the next window on, if that is another.
    pub next_pace: Option<Arc<Pace>>,
    #[sqlx(try_from = "Count<usize>")]
    pub chairs: usize,
    /// Whose table it is.
    pub host: PersonId,
    /// Forming, playing or over.
    pub stage: Stage,
    /// Why it waits for its host, if it does.
    pub held: Option<HoldReason>,
    /// The seed, in hex digits: a secret until the end.
    pub seed: String,
    /// The hash of the seed, in hex digits.
    pub commitment: String,
    /// The number of the open window; none before the first.
    #[sqlx(try_from = "OrBeforeFirst")]
    pub open_window: Option<WindowNumber>,
    /// The time when the clock has to look at it next.
    pub look_at: Option<Time>,
    /// How many entries its journal has.
    #[sqlx(try_from = "Count<u32>")]
    pub entries: u32,
    /// The hash of the last of them, in hex digits.
    pub chain: String,
    /// The time of the last of them.
    pub told_at: Time,
    /// What the table is called where its dice are keyed.
    pub dice: String,
    /// The time when it was formed.
    pub formed_at: Time,
    /// Where its public letters go; none where everybody is written to alone.
    pub place: Option<Address>,
    /// True if people are told only how many have sealed.
    #[sqlx(try_from = "Flag")]
    pub count_only: bool,
    /// How many windows it has had: the number of the next.
    #[sqlx(try_from = "Count<u32>")]
    pub windows: u32,
    /// Since when it waits, if it does.
    pub held_at: Option<Time>,
    pub oversight: Oversight,
    /// True if its file and its page are posted when it is over.
    #[sqlx(try_from = "Flag")]
    pub files: bool,
    /// True if the game begins as soon as somebody takes the last chair.
    #[sqlx(try_from = "Flag")]
    pub begins_when_full: bool,
    /// How its results are told.
    pub results: ResultForm,
}

impl TableRow {
    /// The number that its next window gets.
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

/// A chair at a table and who sits there, as the database keeps it.
#[derive(Clone, Debug, FromRow)]
pub struct SeatRow {
    /// The seat, from 0.
    pub seat: Seat,
    /// Who sits there; none for a house player.
    pub person: Option<PersonId>,
    /// The policy of a house player.
    pub house: Option<String>,
    /// What they are called at this table; empty for P1 and so on.
    pub name: String,
    /// What they mixed into the seed, in hex digits.
    pub value: String,
    /// What the journal's hash of who they are is salted with; none of a house player, and of whoever
    /// was erased.
    pub salt: Option<String>,
    /// Where private letters go.
    pub address: Option<Address>,
    /// The language they read.
    pub language: Option<String>,
    /// What they set for all of their tables.
    pub settings: PersonSettings,
}

impl SeatRow {
    /// True if this person sits there.
    pub fn is_of(&self, person: Option<&PersonId>) -> bool {
        person.is_some() && self.person.as_ref() == person
    }
}

/// Who has sat on a chair before somebody else, as the database keeps it.
#[derive(Clone, Debug, FromRow)]
pub struct FormerSeatRow {
    pub seat: Seat,
    pub person: PersonId,
    pub name: String,
    /// As in [`SeatRow::salt`].
    pub salt: Option<String>,
}
