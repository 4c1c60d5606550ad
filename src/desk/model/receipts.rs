//! Receipts: what somebody has sealed is bound by a salted hash (`docs/verify.md`).

use crate::letters::Given;
use crate::rules::{Seat, receipt};
use crate::store::{FiledRow, read_hex};

/// The hashes of what was sealed, by seat.
pub(in crate::desk) fn sealed(opened: &[FiledRow]) -> Vec<(Option<Seat>, String)> {
    opened.iter().filter_map(|row| Some((Some(row.seat), row.hash.clone()?))).collect()
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
