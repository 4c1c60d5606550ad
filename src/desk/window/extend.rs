//! A deadline that moves because nobody could keep it.

use crate::desk::record::happened::{Happened, record};
use crate::desk::record::letter::{Notice, Part};
use crate::desk::record::times::announcement;
use crate::store::{OutageRow, StoreError, Touched, WindowRow};
use crate::tables::HoldReason;
use crate::tables::{Pace, Stage};
use crate::time::{Span, Time};

/// Moves the deadline of the open window by the part of an outage in which it was open, and tells
/// everybody.
pub(in crate::desk) async fn extend(
    touched: &mut Touched<'_>,
    window: &WindowRow,
    pace: &Pace,
    outage: OutageRow,
    now: Time,
) -> Result<(), StoreError> {
    let outage = outage.ended_at - outage.began_at.max(window.opens_at);
    let paused = touched.table.held == Some(HoldReason::Pause);
    let mut timing = window.timing();
    timing.closes = pace.extended(timing.closes, outage).max(now + Span::INSTANT);
    touched.time(timing).await?;
    touched.turn_to(Stage::Playing, Some(window.number), Some(timing.next(pace)));
    touched.stir();
    let closes = timing.closes;
    record(touched, &Happened::Extended { number: window.number, closes, outage }, now)?;
    let seats = touched.seats().await?;
    let notice = Notice {
        seats: &seats,
        zone: pace.zone,
        contest: None,
        id: format!("{}-extended-{}", window.number, touched.table.entries),
        send_at: now,
    };
    let moved = Part::Extended { closes, by: outage, paused };
    let parts: Vec<Part> = std::iter::once(moved).chain(announcement(pace, timing)).collect();
    notice.post(touched, |_| parts.clone()).await
}
