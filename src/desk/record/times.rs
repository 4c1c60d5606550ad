//! What letters say of the times of a window: when it closes, when its result is announced, or that
//! no time runs.

use crate::desk::record::letter::Part;
use crate::games::any::AnyContest;
use crate::ids::WindowNumber;
use crate::rules::Declaration;
use crate::store::TableRow;
use crate::tables::{HoldReason, Pace, Timing};
use crate::time::Time;

/// What a letter says of the window that opens.
pub(in crate::desk) fn opening(
    contest: &dyn AnyContest,
    number: WindowNumber,
    timing: Timing,
    announced: Time,
    early: bool,
    still: bool,
) -> Part {
    let asked = contest.asked();
    let form = asked.first().map(|seat| contest.interview(*seat, &Declaration::default()));
    Part::Opening {
        number,
        window: contest.window(),
        suspended: contest.is_suspended(),
        asked,
        closes: timing.closes,
        announced,
        early,
        missing: form.and_then(|form| form.missing),
        still,
    }
}

/// That the table stands still, and why; none if it does not.
pub(in crate::desk) fn standing_still(table: &TableRow) -> Option<Part> {
    let held = table.held.as_ref()?;
    let until = table.look_at.filter(|_| *held == HoldReason::Pause);
    Some(Part::still(table.open_window.unwrap_or_default(), held, until))
}

/// When the result of the open window is announced, if that is not when it closes.
pub(in crate::desk) fn announcement(pace: &Pace, timing: Timing) -> Option<Part> {
    let announced = pace.announced(timing.opens, timing.closes);
    (announced != timing.closes).then_some(Part::Announcement { announced })
}
