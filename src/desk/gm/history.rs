//! Going back: to a window that is over, to what was before an override; and the end.

use super::image::Changed;
use super::windows::NEVER;
use super::{Deciding, Done, OPEN, Remark};
use crate::desk::end::end;
use crate::desk::letter::Part;
use crate::desk::resolve::Next;
use crate::desk::{NotDone, pace, read_json};
use crate::letters::Refused;
use crate::rules::{Seat, Viewer};
use crate::store::{StoreError, Touched};
use crate::tables::{Stage, Timing};

impl Deciding {
    /// Goes back to the opening of a window, or of the root window it belongs to. All dice are new
    /// from there on, and what nobody knows of the decks is shuffled, so that nobody plays with what
    /// they have seen.
    pub(super) async fn roll_back(
        &self,
        touched: &mut Touched<'_>,
        number: i64,
    ) -> Result<Done, NotDone> {
        let open = touched.open_window().await?.ok_or(Refused::NotBegun)?;
        let origin = touched.window(number).await?.ok_or(Refused::NoWindow)?;
        let root = touched.window(origin.root).await?.ok_or(Refused::NoWindow)?;
        let mut remarks = self.lost(touched, &open).await?;
        remarks.extend([Remark::Posted, Remark::Revealed]);
        let seats = touched.seats().await?;
        let mut contest = self.contest(touched, &seats, &root).await?;
        let attempt = u32::try_from(touched.table.windows).unwrap_or(u32::MAX);
        let dealt = contest.anew(attempt).map_err(|held| StoreError::Failed(held.to_string()))?;
        touched.burn_opening(open.number).await?;
        let next = Next {
            seats: &seats,
            pace: &pace(&touched.table)?,
            contest: &*contest,
            root: None,
            follows: root.follows,
            opens: self.now,
            now: self.now,
        };
        let told = |you: Option<Seat>| {
            let viewer = you.map_or(Viewer::Public, Viewer::Seat);
            let entries = dealt.as_ref().map(|dealt| dealt.entries(viewer));
            let result = entries.map(|entries| Part::Result { you, entries });
            std::iter::once(self.part()).chain(result).collect()
        };
        next.open(touched, told).await?;
        Ok(Done { told: true, remarks, ..Done::default() })
    }

    /// Makes the table what it was before an override, if nothing has followed from it.
    pub(super) async fn undo(
        &self,
        touched: &mut Touched<'_>,
        number: i64,
    ) -> Result<Done, NotDone> {
        let overrides = touched.overrides().await?;
        let row = overrides.iter().find(|row| row.number == number).ok_or(Refused::NoOverride)?;
        if row.undone.is_some() {
            return Err(Refused::Undone.into());
        }
        let image = row.image.as_ref().ok_or(Refused::Final)?;
        if touched.table.entries != row.entries {
            return Err(Refused::OnlyRollback.into());
        }
        let changed: Changed = read_json(image)?;
        let seats = touched.seats().await?;
        let by = overrides.last().map_or(0, |row| row.number + 1);
        touched.undo(number, by).await?;
        if !changed.reopens() {
            changed.restore(touched).await?;
            return Ok(Done::default().with(Remark::Posted));
        }
        let open = touched.open_window().await?.ok_or(Refused::NotBegun)?;
        let remarks = self.lost(touched, &open).await?;
        touched.burn_opening(open.number).await?;
        changed.restore(touched).await?;
        // Nobody is to have less time for it.
        let window = touched.open_window().await?.ok_or(Refused::NotBegun)?;
        let timing = window.timing();
        let pace = pace(&touched.table)?;
        let contest = self.contest(touched, &seats, &window).await?;
        let is_over = touched.table.stage == Stage::Over || timing.opens == NEVER;
        if !is_over {
            let closes = pace.extended(timing.closes, self.now - row.at);
            let timing = Timing { closes, ..timing };
            touched.time(timing).await?;
            touched.look_at(Some(timing.next(&pace))).await?;
        }
        let next = Next {
            seats: &seats,
            pace: &pace,
            contest: &*contest,
            root: Some(window.root),
            follows: window.follows,
            opens: timing.opens.max(self.now),
            now: self.now,
        };
        let timing = touched.open_window().await?.map_or(timing, |window| window.timing());
        next.tell(touched, window.number, timing, |_| vec![self.part()]).await?;
        Ok(Done { told: true, remarks, ..Done::default() })
    }

    pub(super) async fn end(&self, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
        if touched.table.stage == Stage::Over {
            return Err(Refused::Over.into());
        }
        end(touched, Some(&self.decision.reason), self.now).await?;
        // The seed is known from then on.
        Ok(Done { told: true, ..Done::default() }.with(Remark::Final))
    }

    /// The game masters see what is sealed from now on. What they have seen cannot be taken back.
    pub(super) async fn open(&self, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
        if touched.table.oversight == OPEN {
            return Err(Refused::OpenAlready.into());
        }
        touched.oversee(OPEN).await?;
        Ok(Done::default().with(Remark::Final))
    }
}
