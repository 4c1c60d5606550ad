//! The paces of each kind of window: a turn has the table's pace, the others may have their own.

use serde::{Deserialize, Serialize};

use super::day::TimeOfDay;
use crate::time::Span;
use rules::WindowKind;

/// The minimum time before a reaction closes by default, unless a part of its length is shorter.
const LEAST: Span = Span::minutes(30);
const LEAST_PART: i64 = 4;

/// The length from which a default pace closes on full hours.
const LONG: Span = Span::hours(3);

/// The pace of the windows of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindPace {
    /// The time from the opening to the deadline, at most.
    pub length: Span,
    /// The minimum time from the opening to an early close while sealings are hidden.
    pub least: Span,
    /// The moments at which the window can close early while sealings are hidden, and its deadline falls.
    pub tick: Tick,
}

/// The moments at which a window can close, so that the time of its close does not reveal the time of a seal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Tick {
    /// Any moment; while sealings are hidden, a full step of the clock.
    #[default]
    Any,
    /// The full hours.
    Hourly,
    /// These local times of day.
    Times(Vec<TimeOfDay>),
}

impl KindPace {
    /// Returns the default pace of a kind whose windows are open for this long.
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
    /// Returns the times of day, empty if any moment will do.
    pub(super) fn times(&self) -> Vec<TimeOfDay> {
        match self {
            Self::Any => Vec::new(),
            Self::Hourly => (0..24).filter_map(|hour| TimeOfDay::new(hour, 0)).collect(),
            Self::Times(times) => times.clone(),
        }
    }
}
