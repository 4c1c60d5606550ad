//! The sealing of a declaration.

use crate::desk::model::draw;
use crate::ids::{TableCode, WindowNumber};
use crate::rules::receipt::Receipt;
use crate::rules::{Declaration, Seat};
use crate::store::StoredSealing;

/// Salts and hashes a declaration that is sealed.
pub(in crate::desk) fn seal(
    code: &TableCode,
    number: WindowNumber,
    seat: Seat,
    declaration: &Declaration,
    complete: bool,
) -> StoredSealing {
    let salt = draw::bytes();
    let number = number.get();
    let receipt = Receipt::of(code.as_str(), number, seat, &salt, declaration);
    StoredSealing { complete, salt, receipt }
}
