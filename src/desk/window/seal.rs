//! The sealing of a declaration.

use crate::desk::model::draw;
use crate::rules::receipt::Receipt;
use crate::rules::{Declaration, Seat};
use crate::store::StoredSealing;

/// Salts and hashes a declaration that is sealed.
pub(in crate::desk) fn seal(
    code: &str,
    number: i64,
    seat: Seat,
    declaration: &Declaration,
    complete: bool,
) -> StoredSealing {
    let salt = draw::bytes();
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let receipt = Receipt::of(code, number, seat, &salt, declaration);
    StoredSealing { complete, salt, receipt }
}
