//! The times of an open window: its opening, its close, and its next task.

use super::{CloseReason, Pace};
use crate::time::{Span, Time};
use rules::Procedure;

/// The divisor that gives the minimum gap between two reminders as a part of the window.
const APART: i64 = 12;

/// The opening time of a window whose announcement is held back.
pub const NEVER: Time = Time::from_milliseconds(i64::MAX / 4);

/// The times of an open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    pub opens: Time,
    /// The latest closing time.
    pub closes: Time,
    /// The time of an early close, `None` unless all seats have sealed.
    pub settles: Option<Time>,
    /// The time up to which reminders have been sent.
    pub reminded: Time,
}

/// The next task of an open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Close(CloseReason),
    /// The seats that have not sealed are reminded.
    Remind,
    /// No task for now.
    Nothing,
}

impl Timing {
    /// Returns the times of a window that opens at this time.
    pub fn open(pace: &Pace, opens: Time) -> Self {
        Self { opens, closes: pace.deadline(opens), settles: None, reminded: opens }
    }

    /// Returns the times of a window whose announcement is held back.
    pub fn unannounced() -> Self {
        Self { opens: NEVER, closes: NEVER, settles: None, reminded: NEVER }
    }

    /// True if the window takes declarations.
    pub fn takes(&self, now: Time) -> bool {
        self.opens <= now && now < self.closes
    }

    /// Sets or clears the early close, given whether all seats have sealed.
    pub fn settle(&mut self, pace: &Pace, procedure: &Procedure, all_sealed: bool, now: Time) {
        let early = pace.early && procedure.closes_early && all_sealed;
        self.settles = early.then(|| self.early_close(pace, procedure, now));
    }

    /// Returns the soonest early close, if all seats sealed by now, `None` if that is not before the
    /// deadline. It reveals nothing about the seals.
    pub fn soonest(&self, pace: &Pace, procedure: &Procedure, now: Time) -> Option<Time> {
        let soonest = self.early_close(pace, procedure, now);
        let early = pace.early && procedure.closes_early;
        (early && soonest < self.closes).then_some(soonest)
    }

    fn early_close(&self, pace: &Pace, procedure: &Procedure, now: Time) -> Time {
        pace.early_close(self.opens, now.max(self.opens), procedure.sealing)
    }

    /// Returns the task for now.
    pub fn due(&self, pace: &Pace, now: Time) -> Due {
        if self.settles.is_some_and(|settles| settles <= now && settles < self.closes) {
            Due::Close(CloseReason::AllSealed)
        } else if self.closes <= now {
            Due::Close(CloseReason::Deadline)
        } else if self.reminder(pace).is_some_and(|reminder| reminder <= now) {
            Due::Remind
        } else {
            Due::Nothing
        }
    }

    /// Returns the time of the next task.
    pub fn next(&self, pace: &Pace) -> Time {
        let moments = [self.settles, self.reminder(pace)];
        moments.into_iter().flatten().fold(self.closes, Time::min)
    }

    /// True if another reminder follows.
    pub fn is_reminded_again(&self, pace: &Pace) -> bool {
        self.reminder(pace).is_some()
    }

    /// Returns the next reminder, without those that come too soon after another.
    fn reminder(&self, pace: &Pace) -> Option<Time> {
        let apart = (self.closes - self.opens) / APART;
        let is_first = self.reminded <= self.opens;
        let from = if is_first {
            self.opens + Span::INSTANT
        } else {
            self.reminded + apart.max(Span::INSTANT)
        };
        let mut reminders = pace.reminders(self.opens, self.closes).into_iter();
        reminders.find(|reminder| *reminder >= from)
    }
}
