//! What is played by post, by whom and at which pace.

use serde::{Serialize, Serializer};

use crate::desk::NotDone;
use crate::games::any::AnyGame;
use crate::games::simulation::Plan;
use crate::store::{OpenError, StoreError};
use crate::tables::Pace;
use crate::time::{HOUR, Span};

/// What is played by post, and by whom.
#[derive(Clone, Debug, Serialize)]
pub(in crate::terminal) struct Calendar {
    #[serde(skip)]
    pub(in crate::terminal) game: &'static dyn AnyGame,
    pub(in crate::terminal) plan: Plan,
    /// The pace, as it was said.
    pub(in crate::terminal) said: String,
    #[serde(skip)]
    pub(in crate::terminal) pace: Pace,
    /// How long everybody is awake between two looks, on average.
    #[serde(rename = "look_hours", serialize_with = "in_hours")]
    pub(in crate::terminal) look: Span,
    /// Which shares of the people have left orders, in percent.
    pub(in crate::terminal) orders: Vec<u8>,
}

/// A model that came to grief.
#[derive(Debug, thiserror::Error)]
pub(in crate::terminal) enum CalendarError {
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
