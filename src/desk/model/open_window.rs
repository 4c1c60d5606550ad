//! The open window as those find it who decide about it: whether it has been announced, and whether its
//! table stands still.

use crate::model::desk::NotDone;
use letters::Refused;
use store::{StoreError, Touched, WindowRow};
use tables::HoldReason;
use tables::time::{Span, Time};

/// The window that is open, and has been announced.
pub(crate) async fn asked_window(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<WindowRow, NotDone> {
    let window = touched.open_window().await?.ok_or(Refused::NotBegun)?;
    if now < window.opens_at { Err(Refused::NotYet.into()) } else { Ok(window) }
}

/// The open window, unless it is stuck in its rules: then it can only be asked again, or be gone
/// back from.
pub(crate) async fn announced_window(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<WindowRow, NotDone> {
    let window = asked_window(touched, now).await?;
    if is_stuck(touched) { Err(Refused::Held.into()) } else { Ok(window) }
}

/// True if the table waits because its rules came to grief.
pub(crate) fn is_stuck(touched: &Touched<'_>) -> bool {
    matches!(touched.table.held, Some(HoldReason::Rules(_)))
}

/// A pause that is over before its time leaves what is left of it for others.
pub(crate) async fn return_unused_pause(
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
