//! The storage: the same SQL on SQLite, the embedded default, and on PostgreSQL.
//!
//! Every write goes through [`Store::write`] as a piece of [`Work`]: one transaction, acknowledged after its
//! commit. Work on a table begins with [`Session::touch`], whose token the other statements need: touching
//! the table's row first serializes declarations and closes, on both databases, so that no declaration is
//! ever accepted and ignored.

mod database;
mod delivery;
mod person;
mod rows;
mod table;
pub mod whole_file;

pub use crate::database::backup::BackupError;
pub use crate::database::connect::{Access, Location, not_foreign};
pub use crate::database::error::{OpenError, StoreError};
pub use crate::database::processes;
pub use crate::database::processes::OtherClocks;
pub use crate::database::restore::{OpenCopy, RestoreError, has_room};
pub use crate::database::session::Session;
pub use crate::database::store::Store;
pub use crate::database::writer::{FirstTouch, Work};
pub use crate::delivery::barred::{Barrier, ShownAt};
pub use crate::delivery::dashboards::{DashboardRow, KeptDashboard};
pub use crate::delivery::knocks::Knock;
pub use crate::delivery::mail::Delivered;
pub use crate::delivery::outbox::{Arrived, Dated};
pub use crate::delivery::posts::{Post, Sitter, StalePost};
pub use crate::delivery::{barred, dashboards, heard, knocks, mail, outbox, places, posts};
pub use crate::person::traces::{
    FormerSeat, KeptDeclaration, KeptLetter, KeptOverride, KeptTable, Unsent,
};
pub use crate::person::{people, server_defaults, traces};
pub use crate::rows::columns::{Flag, PostedWindow, Seats};
pub use crate::rows::columns::{read_hex, read_json, write_json};
pub use crate::rows::record::{JournalRow, Outgoing, ReputationRow};
pub use crate::rows::table::{FormerSeatRow, SeatRow, TableRow};
pub use crate::rows::window::{
    ClosedTimes, DeclarationProgressRow, DeclarationRow, Few, LatenessRow, OpenTable, OutageRow,
    PresenceRow, WholeWindow, WindowRow,
};
pub use crate::table::absences::{AwayRow, KeptAttendance, KeptWindow, StandIn, SubstituteRow};
pub use crate::table::calls::{AskedFor, CallRow};
pub use crate::table::figures::Backlog;
pub use crate::table::overrides::{OnlookerRow, OverrideRow, ProposalRow};
pub use crate::table::said_ahead::{
    KeptNextDeclaration, KeptOrders, NextDeclarationRow, OrdersRow,
};
pub use crate::table::sets::SetRow;
pub use crate::table::side_lines::{KeptSideLine, SideLine};
pub use crate::table::statistics::CalledRow;
pub use crate::table::tables::{APART, Standstill, StoredEdition, Touched};
pub use crate::table::transfer::{Cell, Row};
pub use crate::table::votes::{KeptVoice, KeptVote, StaleVote, VoiceRow, VoteRow};
pub use crate::table::windows::{ClosedWindow, StoredSealing};
pub use crate::table::{
    absences, calls, figures, obstacles, overrides, said_ahead, sets, side_lines, statistics,
    transfer, votes,
};
