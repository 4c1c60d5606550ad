//! Tables: the closing times of their windows, and their progress. Pure: times come from outside.

pub mod absence;
pub mod calling;
mod columns;
mod deciding;
pub mod ids;
pub mod pace;
mod settings;
mod stage;
mod text_form;
pub mod time;
mod timing;
pub mod vocabulary;

pub use absence::Absence;
pub use calling::PersonSettings;
pub use deciding::{Notified, VoteOutcome};
pub use pace::{
    Announce, CalendarDate, Dates, Every, ExceptedDays, KindPace, LastCall, OutageRule, Pace,
    PaceFault, Quiet, Tick, TimeOfDay, Weekdays,
};
pub use settings::{TableSetting, TableSettings};
pub use stage::{CloseReason, EndKind, HoldReason, ResultForm, Stage};
pub use timing::{Due, NEVER, Timing};
