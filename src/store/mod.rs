//! What is remembered: one SQL text on SQLite, the embedded default, and PostgreSQL.
//!
//! Everything that is written goes through [`Store::write`] as a piece of [`Work`]: one
//! transaction, acknowledged after its commit. Work on a table begins with
//! [`Session::touch`], whose token the other statements need: touching the table's row first puts
//! whoever declares and whoever closes in a row, on both databases, so that no declaration is ever
//! taken and ignored.

mod database;
mod delivery;
mod person;
mod rows;
mod table;
#[cfg(test)]
#[path = "../../tests/support/database.rs"]
pub(crate) mod test_database;

pub use crate::store::database::backup::BackupError;
pub use crate::store::database::connect::{Access, Location, not_foreign};
pub use crate::store::database::error::{OpenError, StoreError};
pub use crate::store::database::restore::{OpenCopy, RestoreError, has_room};
pub use crate::store::database::session::Session;
pub use crate::store::database::store::Store;
pub use crate::store::database::writer::{FirstTouch, Work};
pub use crate::store::delivery::dashboards::{DashboardRow, KeptDashboard};
pub use crate::store::delivery::knocks::Knock;
pub use crate::store::delivery::mail::Delivered;
pub use crate::store::delivery::outbox::{Arrived, Dated};
pub use crate::store::delivery::posts::{Post, Sitter, StalePost};
pub use crate::store::person::traces::{
    FormerSeat, KeptDeclaration, KeptLetter, KeptOverride, KeptTable, Unsent,
};
pub use crate::store::rows::columns::{AsText, Flag, PostedWindow, Seats};
pub(crate) use crate::store::rows::columns::{read_hex, read_json, write_json};
pub use crate::store::rows::record::{JournalRow, Outgoing, ReputationRow};
pub use crate::store::rows::table::{SeatRow, TableRow};
pub use crate::store::rows::window::{
    DeclarationProgressRow, DeclarationRow, Few, LatenessRow, OpenTable, OutageRow, PresenceRow,
    WholeWindow, WindowRow,
};
pub use crate::store::table::absences::{
    AwayRow, KeptAttendance, KeptWindow, StandIn, SubstituteRow,
};
pub use crate::store::table::calls::{AskedFor, CallRow};
pub use crate::store::table::figures::Backlog;
pub use crate::store::table::overrides::{OnlookerRow, OverrideRow, ProposalRow};
pub use crate::store::table::said_ahead::{
    KeptNextDeclaration, KeptOrders, NextDeclarationRow, OrdersRow,
};
pub use crate::store::table::statistics::CalledRow;
pub use crate::store::table::tables::{Standstill, StoredEdition, Touched};
pub use crate::store::table::transfer::{Cell, Row};
pub use crate::store::table::votes::{KeptVoice, KeptVote, StaleVote, VoiceRow, VoteRow};
pub use crate::store::table::windows::{ClosedWindow, StoredSealing};
