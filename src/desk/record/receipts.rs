//! Receipts: what somebody has sealed is bound by a salted hash (`docs/verify.md`).
//!
//! Who sealed it has it at once, everybody else when the window is over. What was sealed, and the
//! salt, are shown to nobody else before the table is over: what was not called for stays closed.

use crate::desk::model::receipts::sealed;
use crate::desk::record::event::Secrecy;
use crate::desk::record::letter::Part;
use crate::games::any::AnyContest;
use crate::store::{StoreError, Touched, WindowRow};

/// What is told of what was sealed in the window whose end opened this one, and the head of the
/// journal.
pub(in crate::desk) async fn of_last(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    window: &WindowRow,
) -> Result<Option<Part>, StoreError> {
    let Some(number) = window.follows else { return Ok(None) };
    let code = touched.table.code.clone();
    let opened = touched.session().declared(&code, number).await?;
    let sealed = Secrecy::of(&touched.table, Some(contest)).sealed(&sealed(&opened));
    Ok(Some(Part::Receipts { sealed, head: touched.table.chain.clone() }))
}

/// The head of the journal alone, for what is told without a result.
pub(in crate::desk) fn head(touched: &Touched<'_>) -> Part {
    Part::Receipts { sealed: Vec::new(), head: touched.table.chain.clone() }
}
