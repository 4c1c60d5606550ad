//! Receipts: what somebody has sealed is bound by a salted hash (`docs/verify.md`).
//!
//! Who sealed it has it at once, everybody else when the window is over. What was sealed, and the
//! salt, are shown to nobody else before the table is over: what was not called for stays closed.

use crate::desk::model::text::read_hex;
use crate::desk::record::letter::Part;
use crate::desk::record::visible::Secrecy;
use crate::games::any::AnyContest;
use crate::letters::Given;
use crate::rules::Seat;
use crate::rules::receipt::{self};
use crate::store::{OpenedSealing, StoreError, Touched, WindowRow};

/// The hashes of what was sealed, by seat.
pub(in crate::desk) fn sealed(opened: &[OpenedSealing]) -> Vec<(Option<Seat>, String)> {
    opened.iter().filter_map(|row| Some((Some(row.seat), row.hash.clone()?))).collect()
}

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

/// What was sealed, as a letter shows it.
pub(in crate::desk) fn shown(sealed: &[(Option<Seat>, String)]) -> Vec<Given> {
    let given = |(seat, hash): &(Option<Seat>, String)| Given {
        seat: *seat,
        code: code_of(hash),
        hash: hash.clone(),
    };
    sealed.iter().map(given).collect()
}

/// The short code of a hash that is in hex digits.
pub(in crate::desk) fn code_of(hash: &str) -> String {
    read_hex(hash).map(|hash| receipt::code(&hash)).unwrap_or_default()
}
