//! How the windows of each kind are paced: a turn as the pace says, the others by a line of their own.

use serde::{Deserialize, Serialize};

use super::day::TimeOfDay;
use super::{Announce, DAY, Every, LastCall, Pace, REMINDED};
use crate::rules::WindowKind;
use crate::time::Span;

/// The longest reaction that is supposed.
const REACTION: Span = Span::hours(12);

/// The longest choice that is supposed.
const CHOICE: Span = Span::hours(6);

/// A reaction that nobody has said more of closes no sooner, and no sooner than at this part of it.
const LEAST: Span = Span::minutes(30);
const LEAST_PART: i64 = 4;

/// Whoever may let a window pass is called when this part of it has passed.
const CALLED: i64 = 12;

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
    /// Any; where sealings are hidden, a full quarter of an hour.
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

impl Pace {
    /// The pace of the windows of this kind.
    #[must_use]
    pub fn of(self, kind: WindowKind) -> Self {
        let Some(KindPace { length, least, tick }) = self.kind(kind) else { return self };
        // Whoever may let it pass is called once, soon after it has opened.
        let (reminded, last_call) = if kind.is_optional() {
            (length - length / CALLED, LastCall::Never)
        } else {
            (length / REMINDED, self.last_call)
        };
        let reminders = vec![reminded];
        // What is announced at a time of day is announced so once a turn.
        let announce = match self.announce {
            Announce::At(_) => Announce::AtOnce,
            announce => announce,
        };
        let every = Every::Period(length);
        Self {
            every,
            announce,
            least: Span::ZERO,
            settles_after: least,
            tick,
            reminders,
            last_call,
            ..self
        }
    }

    /// What is said or supposed of a kind; none where its windows are paced as turns are.
    pub fn kind(&self, kind: WindowKind) -> Option<KindPace> {
        self.kinds.get(&kind).cloned().or_else(|| self.supposed(kind))
    }

    /// What is supposed of a kind of which nothing is said: reactions and choices are shorter than
    /// turns that take days.
    pub fn supposed(&self, kind: WindowKind) -> Option<KindPace> {
        let most = match kind {
            WindowKind::Setup | WindowKind::Turn => return None,
            WindowKind::Reaction => REACTION,
            WindowKind::Choice => CHOICE,
        };
        Some(KindPace::supposed(kind, self.usual().min(most)))
    }

    /// How long a turn is open as a rule.
    fn usual(&self) -> Span {
        match &self.every {
            Every::Period(period) => *period,
            Every::Days(days) => DAY * i64::from(*days),
            Every::Times { .. } => DAY,
        }
    }
}
