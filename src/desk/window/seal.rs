//! The sealing of a declaration.

use crate::desk::model::draw;
use crate::ids::WindowNumber;
use crate::rules::receipt::Receipt;
use crate::rules::{Declaration, Seat};
use crate::store::StoredSealing;

/// Salts and hashes a declaration that is sealed.
pub(in crate::desk) fn seal(
    code: &str,
    number: WindowNumber,
    seat: Seat,
    declaration: &Declaration,
    complete: bool,
) -> StoredSealing {
    let salt = draw::bytes();
    let number = number.get();
    let receipt = Receipt::of(code, number, seat, &salt, declaration);
    StoredSealing { complete, salt, receipt }
}
