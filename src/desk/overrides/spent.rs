//! The allowances of a table for deadline extensions and pauses. Decisions of game masters and votes of the
//! table share them.

use crate::model::desk::NotDone;
use crate::model::load::window_pace;
use letters::{OverrideRefused, Spent, VoteRefused};
use store::{Touched, WindowRow, votes};
use tables::HoldReason;
use tables::absence::{LONGEST_PAUSE, MOST_PAUSED, OBJECTION, room};
use tables::time::{Span, Time};

/// Returns the total extension of a window that closes at another time. Refused beyond the allowance.
pub(crate) async fn extended(
    touched: &mut Touched<'_>,
    window: &WindowRow,
    closes: Time,
    now: Time,
) -> Result<Span, NotDone> {
    if closes <= now {
        return Err(OverrideRefused::Past.into());
    }
    let code = touched.table.code.clone();
    let extended = votes::extended(touched.session(), &code, window.number).await?;
    let (by, pace) = (closes - window.closes_at, window_pace(&touched.table, window));
    let left = room(&pace, window.closes_at, extended);
    if by > Span::ZERO && by > left {
        Err(Spent::Extension { left }.into())
    } else {
        Ok(extended + by)
    }
}

/// Returns the total pause of a table that pauses until this time. Refused beyond the allowance.
pub(crate) async fn paused(
    touched: &mut Touched<'_>,
    until: Time,
    now: Time,
) -> Result<Span, NotDone> {
    if touched.table.held.is_some() {
        return Err(OverrideRefused::Still.into());
    }
    if until <= now {
        return Err(OverrideRefused::Past.into());
    }
    if until - now > LONGEST_PAUSE {
        return Err(OverrideRefused::TooLongPause.into());
    }
    let code = touched.table.code.clone();
    let paused = votes::paused(touched.session(), &code).await?;
    let left = (MOST_PAUSED - paused).max(Span::ZERO);
    if until - now > left {
        return Err(Spent::Pause { left }.into());
    }
    Ok(paused + (until - now))
}

/// Refuses objections to a pause that is no longer new.
pub(crate) fn check_objection(touched: &Touched<'_>, now: Time) -> Result<(), VoteRefused> {
    let table = &touched.table;
    let paused = table.held_at.filter(|_| table.held == Some(HoldReason::Pause));
    let since = paused.ok_or(VoteRefused::NotPaused)?;
    if now - since <= OBJECTION { Ok(()) } else { Err(VoteRefused::PauseStands) }
}
