//! A table that cannot go on by itself waits for its host, and everybody is told.

use crate::desk::model::desk::NotDone;
use crate::desk::record::event::Event;
use crate::desk::record::tell::News;
use crate::letters::Refused;
use crate::store::{SeatRow, StoreError, Touched, WindowRow};
use crate::tables::{HoldReason, Pace};
use crate::time::{Span, Time};

/// The window that is open, and has been announced.
pub(in crate::desk) async fn asked_window(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<WindowRow, NotDone> {
    let window = touched.open_window().await?.ok_or(Refused::NotBegun)?;
    if now < window.opens_at { Err(Refused::NotYet.into()) } else { Ok(window) }
}

/// The open window, unless it is stuck in its rules: then it can only be asked again, or be gone
/// back from.
pub(in crate::desk) async fn announced_window(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<WindowRow, NotDone> {
    let window = asked_window(touched, now).await?;
    if is_stuck(touched) { Err(Refused::Held.into()) } else { Ok(window) }
}

/// Whether the table waits because its rules came to grief.
pub(in crate::desk) fn is_stuck(touched: &Touched<'_>) -> bool {
    matches!(touched.table.held, Some(HoldReason::Rules(_)))
}

/// A pause that is over before its time leaves what is left of it for others.
pub(in crate::desk) async fn give_back(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<(), StoreError> {
    let until = touched.table.look_at.filter(|_| touched.table.held == Some(HoldReason::Pause));
    let Some(left) = until.map(|until| until - now).filter(|left| *left > Span::ZERO) else {
        return Ok(());
    };
    let code = touched.table.code.clone();
    let paused = touched.session().paused(&code).await?;
    touched.keep_paused(paused - left).await
}

/// Why a table is held.
pub(in crate::desk) struct Holding<'a> {
    pub(in crate::desk) seats: &'a [SeatRow],
    pub(in crate::desk) pace: &'a Pace,
    pub(in crate::desk) window: &'a WindowRow,
    pub(in crate::desk) what: HoldReason,
    pub(in crate::desk) now: Time,
}

impl Holding<'_> {
    /// Holds the table.
    pub(in crate::desk) async fn hold(self, touched: &mut Touched<'_>) -> Result<(), StoreError> {
        let number = self.window.number;
        touched.hold(self.what.clone(), None, self.now);
        touched.stir();
        if self.what != HoldReason::Outage {
            tracing::error!(table = %touched.table.code, window = %number, why = %self.what, "held");
        }
        let event = Event::Held { number, why: self.what.to_string(), until: None };
        let news = News::of(event, self.seats, self.pace.zone, self.now);
        news.tell(touched, &format!("{number}-held"), self.now).await
    }
}
