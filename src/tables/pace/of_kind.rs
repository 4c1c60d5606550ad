//! How the windows of a kind are paced: as the pace says, and else as is supposed.

use super::kinds::KindPace;
use super::{Announce, Every, LastCall, Pace, REMINDED};
use crate::rules::WindowKind;
use crate::time::{DAY, Span};

/// The longest reaction that is supposed.
const REACTION: Span = Span::hours(12);

/// The longest choice that is supposed.
const CHOICE: Span = Span::hours(6);

/// Whoever may let a window pass is called when this part of it has passed.
const CALLED: i64 = 12;

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
