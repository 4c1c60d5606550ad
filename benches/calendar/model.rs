//! The model of games by post.

use std::error::Error;

use games::any::AnyGame;
use games::simulation::Plan;
use tables::Pace;
use tables::time::Span;

/// The game by post, its players and its pace.
#[derive(Clone, Debug)]
pub struct Calendar {
    pub game: &'static dyn AnyGame,
    pub plan: Plan,
    pub pace: Pace,
    /// The mean waking time between two looks of a person.
    pub look: Span,
}

/// An error of the model.
pub type CalendarError = Box<dyn Error + Send + Sync>;

/// The error for a table that is not there any more.
pub(crate) const GONE: &str = "a table of the model is not there any more";
