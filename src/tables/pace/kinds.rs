//! How the windows of each kind are paced: a turn as the pace says, the others by a line of their own.

use serde::{Deserialize, Serialize};

use super::day::TimeOfDay;
use crate::time::Span;
use rules::WindowKind;

/// A reaction that nobody has said more of closes no sooner, and no sooner than at this part of it.
const LEAST: Span = Span::minutes(30);
const LEAST_PART: i64 = 4;

/// From this length on what is supposed closes on full hours.
const LONG: Span = Span::hours(3);

/// How the windows of one kind are paced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindPace {
    /// From the opening to the deadline, at most.
    pub length: Span,
    /// It closes early no sooner after its opening.
    pub least: Span,
    /// When it can close.
    pub tick: Tick,
}

/// The moments on which a window closes, so that the time of its close tells nothing of who has
/// sealed when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Tick {
    /// Any; where sealings are hidden, a full step of the clock.
    #[default]
    Any,
    /// The full hour.
    Hourly,
    /// These local times of day.
    Times(Vec<TimeOfDay>),
}

impl KindPace {
    /// What is supposed of a kind whose windows are open for so long.
    pub fn supposed(kind: WindowKind, length: Span) -> Self {
        let (least, tick) = match kind {
            WindowKind::Reaction => (LEAST.min(length / LEAST_PART), true),
            WindowKind::Choice => (Span::ZERO, true),
            WindowKind::Setup | WindowKind::Turn => (Span::ZERO, false),
        };
        let tick = if tick && length >= LONG { Tick::Hourly } else { Tick::Any };
        Self { length, least, tick }
    }
}

impl Tick {
    /// The times of day; none where any will do.
    pub(super) fn times(&self) -> Vec<TimeOfDay> {
        match self {
            Self::Any => Vec::new(),
            Self::Hourly => (0..24).filter_map(|hour| TimeOfDay::new(hour, 0)).collect(),
            Self::Times(times) => times.clone(),
        }
    }
}
