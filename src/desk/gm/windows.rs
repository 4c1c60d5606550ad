//! The window that is open, and what the last one brought.

use super::{Deciding, Done, Remark};
use crate::desk::end::resume;
use crate::desk::held::{PAUSE, REVIEW};
use crate::desk::letter::Part;
use crate::desk::resolve::{Closing, Next};
use crate::desk::see;
use crate::desk::{NotDone, pace};
use crate::letters::Refused;
use crate::rules::{Seat, Viewer};
use crate::store::{Touched, WindowRow};
use crate::tables::{Stage, Timing, Why};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// How long a table may stand still, in milliseconds: what stands still without an end is dead.
const LONGEST_PAUSE: i64 = 30 * DAY;

/// When a window opens whose announcement is held back (milliseconds since 1970).
pub(in crate::desk) const NEVER: i64 = i64::MAX / 4;

impl Deciding {
    /// The window that is open, and has been announced.
    pub(super) async fn announced_window(
        &self,
        touched: &mut Touched<'_>,
    ) -> Result<WindowRow, NotDone> {
        if touched.table.stage == Stage::Over {
            return Err(Refused::Over.into());
        }
        let window = touched.open_window().await?.ok_or(Refused::NotBegun)?;
        if self.now < window.opens_at { Err(Refused::NotYet.into()) } else { Ok(window) }
    }

    pub(super) async fn extend(
        &self,
        touched: &mut Touched<'_>,
        closes: i64,
    ) -> Result<Done, NotDone> {
        let window = self.announced_window(touched).await?;
        if closes <= self.now {
            return Err(Refused::Past.into());
        }
        let timing = Timing { closes, ..window.timing() };
        touched.time(timing).await?;
        if touched.table.held.is_none() {
            touched.look_at(Some(timing.next(&pace(&touched.table)?))).await?;
        }
        Ok(Done::default())
    }

    pub(super) async fn close(&self, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
        let window = self.announced_window(touched).await?;
        let closing = Closing {
            games: self.games,
            window: &window,
            pace: &pace(&touched.table)?,
            why: Why::Host,
            remark: Some(self.part()),
            announced: None,
            now: self.now,
        };
        closing.resolve(touched).await?;
        // What was sealed in it is open now.
        Ok(Done { told: true, ..Done::default() }.with(Remark::Final))
    }

    pub(super) async fn pause(
        &self,
        touched: &mut Touched<'_>,
        until: i64,
    ) -> Result<Done, NotDone> {
        self.announced_window(touched).await?;
        if touched.table.held.is_some() {
            return Err(Refused::Waiting.into());
        }
        if until <= self.now {
            return Err(Refused::Past.into());
        }
        if until > self.now + LONGEST_PAUSE {
            return Err(Refused::TooLongPause.into());
        }
        touched.hold(PAUSE, Some(until), self.now).await?;
        Ok(Done::default())
    }

    pub(super) async fn resume(&self, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
        match touched.table.held.as_deref() {
            None => Err(Refused::NotHeld.into()),
            Some(REVIEW) => self.publish(touched).await,
            Some(_) => {
                resume(touched, self.now).await??;
                Ok(Done::default())
            }
        }
    }

    pub(super) async fn void(&self, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
        let window = self.announced_window(touched).await?;
        let seats = touched.seats().await?;
        let contest = self.contest(touched, &seats, &window).await?;
        let lost = self.lost(touched, &window).await?;
        let next = Next {
            seats: &seats,
            pace: &pace(&touched.table)?,
            contest: &*contest,
            root: (window.root != window.number).then_some(window.root),
            follows: window.follows,
            opens: self.now,
            now: self.now,
        };
        next.open(touched, |_| vec![self.part()]).await?;
        Ok(Done { told: true, remarks: lost, ..Done::default() })
    }

    /// Whose declarations in a window do not count any more.
    pub(super) async fn lost(
        &self,
        touched: &mut Touched<'_>,
        window: &WindowRow,
    ) -> Result<Vec<Remark>, NotDone> {
        let people = touched.seats().await?;
        let code = touched.table.code.clone();
        let filings = touched.session().filings(&code, window.number).await?;
        let is_person =
            |seat: &Seat| people.iter().any(|row| row.seat == *seat && row.person.is_some());
        let seats: Vec<Seat> = filings.iter().map(|row| row.seat).filter(is_person).collect();
        Ok(if seats.is_empty() { Vec::new() } else { vec![Remark::Lost { seats }] })
    }

    /// What the last window brought, if it has not been announced.
    async fn unannounced(&self, touched: &mut Touched<'_>) -> Result<WindowRow, NotDone> {
        let window = touched.open_window().await?.ok_or(Refused::NotBegun)?;
        if window.opens_at <= self.now { Err(Refused::Announced.into()) } else { Ok(window) }
    }

    pub(super) async fn hold(&self, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
        let window = self.unannounced(touched).await?;
        if touched.table.held.is_some() {
            return Err(Refused::Waiting.into());
        }
        touched.burn_opening(window.number).await?;
        touched
            .time(Timing { opens: NEVER, closes: NEVER, settles: None, reminded: NEVER })
            .await?;
        touched.hold(REVIEW, None, self.now).await?;
        Ok(Done::default())
    }

    pub(super) async fn publish(&self, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
        let window = self.unannounced(touched).await?;
        let seats = touched.seats().await?;
        let contest = self.contest(touched, &seats, &window).await?;
        let last = see::last_closed(touched.session(), &self.code).await?;
        let pace = pace(&touched.table)?;
        touched.burn_opening(window.number).await?;
        let next = Next {
            seats: &seats,
            pace: &pace,
            contest: &*contest,
            root: Some(window.root),
            follows: window.follows,
            opens: self.now,
            now: self.now,
        };
        let told = |you: Option<Seat>| {
            let viewer = you.map_or(Viewer::Public, Viewer::Seat);
            let seen = last.as_ref().map(|last| contest.seen(&last.entries, viewer));
            let result = seen.map(|entries| Part::Result { you, entries });
            std::iter::once(self.part()).chain(result).collect()
        };
        next.announce(touched, window.number, told).await?;
        Ok(Done { told: true, ..Done::default() }.with(Remark::Final))
    }
}
