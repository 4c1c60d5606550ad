//! The model of games by post.

use std::error::Error;

use serde::{Serialize, Serializer};

use games::any::AnyGame;
use games::simulation::Plan;
use tables::Pace;
use tables::time::{HOUR, Span};

/// The game by post, its players and its pace.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Calendar {
    #[serde(skip)]
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) plan: Plan,
    /// The pace, as typed.
    pub(crate) said: String,
    #[serde(skip)]
    pub(crate) pace: Pace,
    /// The mean waking time between two looks of a person.
    #[serde(rename = "look_hours", serialize_with = "in_hours")]
    pub(crate) look: Span,
    /// The shares of people with standing orders, in percent.
    pub(crate) orders: Vec<u8>,
}

/// An error of the model.
pub(crate) type CalendarError = Box<dyn Error + Send + Sync>;

/// The error for a table that is not there any more.
pub(super) const GONE: &str = "a table of the model is not there any more";

#[expect(
    clippy::cast_precision_loss,
    clippy::trivially_copy_pass_by_ref,
    reason = "as serde has it"
)]
fn in_hours<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(span.milliseconds() as f64 / HOUR.milliseconds() as f64)
}
