//! The open window as deciders find it: announced or not, stuck or not.

use crate::model::desk::NotDone;
use letters::Refused;
use store::{StoreError, Touched, WindowRow, votes};
use tables::HoldReason;
use tables::time::{Span, Time};

/// Returns the open window, if it has been announced.
pub(crate) async fn asked_window(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<WindowRow, NotDone> {
    let window = touched.open_window().await?.ok_or(Refused::NotBegun)?;
    if now < window.opens_at { Err(Refused::NotYet.into()) } else { Ok(window) }
}

/// Returns the announced open window, unless the table is stuck in its rules: such a window can only be asked
/// again or rolled back.
pub(crate) async fn announced_window(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<WindowRow, NotDone> {
    let window = asked_window(touched, now).await?;
    if is_stuck(touched) { Err(Refused::Held.into()) } else { Ok(window) }
}

/// True if the table is held because its rules failed.
pub(crate) fn is_stuck(touched: &Touched<'_>) -> bool {
    matches!(touched.table.held, Some(HoldReason::Rules(_)))
}

/// Returns the unused time of a pause that ends early to the table's allowance.
pub(crate) async fn return_unused_pause(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<(), StoreError> {
    let until = touched.table.look_at.filter(|_| touched.table.held == Some(HoldReason::Pause));
    let Some(left) = until.map(|until| until - now).filter(|left| *left > Span::ZERO) else {
        return Ok(());
    };
    let code = touched.table.code.clone();
    let paused = votes::paused(touched.session(), &code).await?;
    votes::keep_paused(touched, paused - left).await
}
