//! The times of an open window: whether it takes declarations, and what is to be done about it when.

use super::{CloseReason, Pace};
use crate::time::{Span, Time};
use rules::Procedure;

/// Two reminders of a window lie apart by this part of its time.
const APART: i64 = 12;

/// The time when a window opens whose announcement is held back.
pub const NEVER: Time = Time::from_milliseconds(i64::MAX / 4);

/// The times of an open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    pub opens: Time,
    /// The time when it closes at the latest.
    pub closes: Time,
    /// The time when it closes early: everybody has sealed.
    pub settles: Option<Time>,
    /// Up to when reminders have been given.
    pub reminded: Time,
}

/// What is to be done about an open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Close(CloseReason),
    /// Whoever has not sealed is reminded.
    Remind,
    /// Nothing, for now.
    Nothing,
}

impl Timing {
    /// A window that opens at this time.
    pub fn open(pace: &Pace, opens: Time) -> Self {
        Self { opens, closes: pace.deadline(opens), settles: None, reminded: opens }
    }

    /// A window whose announcement is held back.
    pub fn unannounced() -> Self {
        Self { opens: NEVER, closes: NEVER, settles: None, reminded: NEVER }
    }

    /// True if it takes declarations.
    pub fn takes(&self, now: Time) -> bool {
        self.opens <= now && now < self.closes
    }

    /// Notes whether everybody has sealed, as of now.
    pub fn settle(&mut self, pace: &Pace, procedure: &Procedure, all_sealed: bool, now: Time) {
        let early = pace.early && procedure.closes_early && all_sealed;
        self.settles = early.then(|| self.early_close(pace, procedure, now));
    }

    /// The soonest time at which it closes, if all have sealed by now; none if that is not before its
    /// deadline. This tells nothing of who has sealed.
    pub fn soonest(&self, pace: &Pace, procedure: &Procedure, now: Time) -> Option<Time> {
        let soonest = self.early_close(pace, procedure, now);
        let early = pace.early && procedure.closes_early;
        (early && soonest < self.closes).then_some(soonest)
    }

    fn early_close(&self, pace: &Pace, procedure: &Procedure, now: Time) -> Time {
        pace.early_close(self.opens, now.max(self.opens), procedure.sealing)
    }

    /// What is to be done now.
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

    /// The time when there is something to be done about it next.
    pub fn next(&self, pace: &Pace) -> Time {
        let moments = [self.settles, self.reminder(pace)];
        moments.into_iter().flatten().fold(self.closes, Time::min)
    }

    /// True if it is called to mind again.
    pub fn is_reminded_again(&self, pace: &Pace) -> bool {
        self.reminder(pace).is_some()
    }

    /// The next reminder. One that would come soon after another is left out.
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
