//! What is played by post, by whom and at which pace.

use serde::{Serialize, Serializer};

use desk::NotDone;
use games::any::AnyGame;
use games::simulation::Plan;
use store::{OpenError, StoreError};
use tables::Pace;
use tables::time::{HOUR, Span};

/// What is played by post, and by whom.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Calendar {
    #[serde(skip)]
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) plan: Plan,
    /// The pace, as it was said.
    pub(crate) said: String,
    #[serde(skip)]
    pub(crate) pace: Pace,
    /// The time for which everybody is awake between two looks, on average.
    #[serde(rename = "look_hours", serialize_with = "in_hours")]
    pub(crate) look: Span,
    /// Which shares of the people have left orders, in percent.
    pub(crate) orders: Vec<u8>,
}

/// A model that came to grief.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CalendarError {
    #[error(transparent)]
    Folder(#[from] std::io::Error),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    NotDone(#[from] NotDone),
    #[error("a table of the model is not there any more")]
    Gone,
}

#[expect(
    clippy::cast_precision_loss,
    clippy::trivially_copy_pass_by_ref,
    reason = "as serde has it"
)]
fn in_hours<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(span.milliseconds() as f64 / HOUR.milliseconds() as f64)
}
