//! The storage: the same SQL on SQLite, the embedded default, and on PostgreSQL.
//!
//! Every write goes through [`Store::write`] as a piece of [`Work`]: one transaction, acknowledged after its
//! commit. Work on a table begins with [`Session::touch`], whose token the other statements need: touching
//! the table's row first serializes declarations and closes, on both databases, so that no declaration is
//! ever accepted and ignored.

mod batch;
mod database;
mod delivery;
mod person;
mod rows;
mod table;
pub mod whole_file;

pub use crate::batch::whole_window::{FirstTouch, open_table, whole_window};
pub use crate::batch::writer::{Work, WorkStep};
pub use crate::database::backup::{BackupError, OpenCopy, RestoreError, has_room};
pub use crate::database::connect::{Access, Location, not_foreign};
pub use crate::database::error::{OpenError, Result, StoreError};
pub use crate::database::processes::{self, OtherClocks};
pub use crate::database::session::Session;
pub use crate::database::store::Store;
pub use crate::delivery::obstacles::{self, Barrier, ShownAt};
pub use crate::delivery::outbox::{self, Arrived, Dated, Delivered, Knock};
pub use crate::delivery::places;
pub use crate::delivery::posts::{self, DashboardRow, Post, Sitter, StalePost};
pub use crate::person::people;
pub use crate::person::traces::{self, FormerSeat, KeptDeclaration, KeptTable, Unsent};
pub use crate::rows::{
    ClosedTimes, DeclarationProgressRow, DeclarationRow, Flag, FormerSeatRow, JournalRow,
    LatenessRow, OpenTable, OutageRow, Outgoing, PostedWindow, PresenceRow, RareFeatures,
    ReputationRow, SeatRow, Seats, TableRow, WholeWindow, WindowRow, read_hex, read_json,
    write_json,
};
pub use crate::table::absences::{self, AwayRow, StandIn, SubstituteRow};
pub use crate::table::figures::{self, Backlog, CalledRow};
pub use crate::table::overrides::{self, OnlookerRow, OverrideRow, ProposalRow};
pub use crate::table::said_ahead::{self, NextDeclarationRow, OrdersRow, SideLine};
pub use crate::table::tables::{self, APART, Standstill, StoredEdition, Touched};
pub use crate::table::transfer::{self, Cell, Row, SetRow};
pub use crate::table::votes::{self, CallRow, StaleVote, VoiceRow, VoteRow};
pub use crate::table::windows::{self, ClosedWindow, StoredSealing};
