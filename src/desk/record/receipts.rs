//! Receipts: what somebody has sealed is bound by a salted hash (`docs/verify.md`).
//!
//! Who sealed it has it at once, everybody else when the window is over. What was sealed, and the
//! salt, are shown to nobody else before the table is over: what was not called for stays closed.

use crate::desk::model::text::read_hex;
use crate::desk::record::letter::Part;
use crate::games::any::AnyContest;
use crate::letters::Given;
use crate::rules::receipt::{self};
use crate::rules::{Sealing, Seat};
use crate::store::{OpenedSealing, StoreError, Touched, WindowRow};

/// The hashes of what was sealed, by seat.
pub(in crate::desk) fn sealed(opened: &[OpenedSealing]) -> Vec<(Seat, String)> {
    opened.iter().filter_map(|row| Some((row.seat, row.hash.clone()?))).collect()
}

/// What is told of what was sealed in a window that is over, with this head of the journal: nothing
/// if it is told to nobody how many have sealed. Where only their number is told, no seat is named,
/// and the order tells nothing.
pub(in crate::desk) fn part(
    sealed: &[(Seat, String)],
    sealing: Sealing,
    count_only: bool,
    head: String,
) -> Part {
    let named = |(seat, hash): &(Seat, String)| ((!count_only).then_some(*seat), hash.clone());
    let mut sealed: Vec<_> = sealed.iter().map(named).collect();
    sealed.sort();
    if sealing == Sealing::Hidden {
        sealed.clear();
    }
    Part::Receipts { sealed, head }
}

/// The same of the window whose end opened this one.
pub(in crate::desk) async fn of_last(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    window: &WindowRow,
) -> Result<Option<Part>, StoreError> {
    let Some(number) = window.follows else { return Ok(None) };
    let code = touched.table.code.clone();
    let opened = touched.session().declared(&code, number).await?;
    let count_only = touched.table.count_only;
    let head = touched.table.chain.clone();
    Ok(Some(part(&sealed(&opened), contest.procedure().sealing, count_only, head)))
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
