//! Deadline extensions after an outage or a hold.

use crate::record::event::Event;
use crate::record::tell::{News, announcement};
use store::{OutageRow, StoreError, Touched, WindowRow};
use tables::time::{Span, Time};
use tables::{HoldReason, Pace, Stage};

/// The shortest outage that costs time.
const MOMENT: Span = Span::seconds(1);

/// Moves the deadline of the open window by the part of an outage in which it was open, and announces this.
pub(crate) async fn extend(
    touched: &mut Touched<'_>,
    window: &WindowRow,
    pace: &Pace,
    outage: OutageRow,
    now: Time,
) -> Result<(), StoreError> {
    let outage = outage.ended_at - outage.began_at.max(window.opens_at);
    let paused = touched.table.held == Some(HoldReason::Pause);
    let locked = touched.table.held.as_ref().is_some_and(HoldReason::is_lock);
    let mut timing = window.timing();
    let is_moment = outage < MOMENT && now < timing.closes;
    if !is_moment {
        timing.closes = pace.extended(timing.closes, outage).max(now + Span::INSTANT);
        touched.time(timing);
    }
    touched.turn_to(Stage::Playing, Some(window.number), Some(timing.next(pace)));
    touched.stir();
    if is_moment {
        return Ok(());
    }
    let (number, closes) = (window.number, timing.closes);
    let before = window.closes_at;
    let event = Event::Extended { number, closes, outage, paused, locked, before };
    let seats = touched.seats().await?;
    let below = announcement(pace, timing).into_iter().collect();
    let news = News { below, ..News::of(event, &seats, now) };
    news.tell(touched, &format!("{number}-extended"), now).await
}
