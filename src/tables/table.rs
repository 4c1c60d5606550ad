//! One table: who sits where, which window is open, and when it closes.

use crate::games::any::{AnyContest, Told};
use crate::rules::contest::Held;
use crate::rules::window::{Progress, Window};
use crate::rules::{BySeat, Declaration, Interview, Seat};

use super::Pace;

/// Who sits on a chair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// A person, by the name they go by at this table.
    Person(String),
    /// A house player: the name of its policy.
    House(String),
}

/// Why a window closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its deadline came.
    Deadline,
    /// Everybody had sealed.
    AllSealed,
}

/// A window that has been closed and resolved.
#[derive(Debug)]
pub struct Closed {
    /// Why it closed.
    pub why: Why,
    /// For whom it waited in vain.
    pub awaited: Vec<Seat>,
    /// What it brought.
    pub told: Box<dyn Told>,
}

/// A declaration that cannot be taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotNow {
    /// Nothing is asked of this seat.
    #[error("nothing is asked of {0} now")]
    NotAsked(Seat),
    /// The deadline has passed.
    #[error("the window has closed")]
    Closed,
}

/// One table.
#[derive(Debug)]
pub struct Table {
    contest: Box<dyn AnyContest>,
    occupants: BySeat<Occupant>,
    pace: Pace,
    window: Window,
    opened: i64,
    deadline: i64,
}

impl Table {
    /// Opens the first window of a contest that has been dealt. Times are milliseconds since
    /// 1970, UTC.
    pub fn new(
        contest: Box<dyn AnyContest>,
        occupants: BySeat<Occupant>,
        pace: Pace,
        now: i64,
    ) -> Self {
        let window = Window::open(occupants.count(), &contest.asked());
        let deadline = pace.deadline(now);
        Self { contest, occupants, pace, window, opened: now, deadline }
    }

    /// The contest.
    pub fn contest(&self) -> &dyn AnyContest {
        &*self.contest
    }

    /// The contest, for the GM's decisions.
    pub fn contest_mut(&mut self) -> &mut dyn AnyContest {
        &mut *self.contest
    }

    /// The pace.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Who sits where.
    pub fn occupants(&self) -> &BySeat<Occupant> {
        &self.occupants
    }

    /// The deadline of the open window.
    pub fn deadline(&self) -> i64 {
        self.deadline
    }

    /// When the deadline of the open window is called to mind, in order.
    pub fn reminders(&self) -> Vec<i64> {
        self.pace.reminders(self.opened, self.deadline)
    }

    /// How far a seat is.
    pub fn progress(&self, seat: Seat) -> Progress {
        self.window.progress(seat)
    }

    /// Keeps a draft: it counts at the deadline as it stands. An empty one withdraws.
    pub fn draft(&mut self, seat: Seat, draft: Declaration, now: i64) -> Result<(), NotNow> {
        self.may_declare(seat, now)?;
        self.window.draft(seat, draft);
        Ok(())
    }

    /// Seals a declaration: the window need not wait for this seat.
    pub fn seal(
        &mut self,
        seat: Seat,
        declaration: Declaration,
        now: i64,
    ) -> Result<Interview, NotNow> {
        self.may_declare(seat, now)?;
        let interview = self.contest.interview(seat, &declaration);
        self.window.seal(seat, declaration, interview.is_complete());
        Ok(interview)
    }

    fn may_declare(&self, seat: Seat, now: i64) -> Result<(), NotNow> {
        if self.window.progress(seat) == Progress::NothingToDeclare {
            return Err(NotNow::NotAsked(seat));
        }
        if now >= self.deadline { Err(NotNow::Closed) } else { Ok(()) }
    }

    /// Why the window is to be closed at this time, if it is.
    pub fn due(&self, now: i64) -> Option<Why> {
        if self.contest.standing().is_some() {
            None
        } else if self.pace.early && self.window.awaited().next().is_none() {
            Some(Why::AllSealed)
        } else if now >= self.deadline {
            Some(Why::Deadline)
        } else {
            None
        }
    }

    /// Closes the open window, resolves it, and opens the next.
    pub fn close(&mut self, why: Why, now: i64) -> Result<Closed, Held> {
        let awaited = self.window.awaited().collect();
        let declared = std::mem::replace(&mut self.window, Window::open(0, &[])).close();
        let told = self.contest.close(declared)?;
        self.window = Window::open(self.occupants.count(), &self.contest.asked());
        self.opened = now;
        self.deadline = self.pace.deadline(now);
        Ok(Closed { why, awaited, told })
    }
}
