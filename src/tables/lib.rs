//! Tables: the closing times of their windows, and their progress. Pure: times come from outside.

pub mod absence;
pub mod calling;
mod columns;
pub mod ids;
pub mod pace;
mod settings;
mod stage;
mod text_form;
pub mod time;
pub mod vocabulary;

pub use crate::absence::Absence;
pub use crate::calling::PersonSettings;
pub use crate::ids::{
    AccountId, Address, CallNumber, EntryNumber, OverrideNumber, PersonId, ProposalId, TableCode,
    VoteNumber, WindowNumber,
};
pub use crate::pace::{
    Announce, CalendarDate, Dates, Every, ExceptedDays, KindPace, LastCall, OutageRule, Pace,
    PaceFault, Quiet, Tick, TimeOfDay, Weekdays,
};
pub use crate::settings::{TableSetting, TableSettings};
pub use crate::stage::{
    CloseReason, Due, EndKind, HoldReason, NEVER, Notified, ResultForm, Stage, Timing, VoteOutcome,
};
pub use crate::time::{Span, Time};
