//! What is told of what was sealed: nothing but hashes.

use serde::Serialize;
use serde_json::json;

use crate::letters::template::letters::{DESK, LetterFault, Letters};
use crate::letters::template::reader::Reader;
use crate::letters::template::views::Moment;
use crate::rules::Round;
use crate::rules::Seat;

/// What was sealed in a window, as it is shown when the window is over: nothing but its hash.
#[derive(Clone, Debug, Serialize)]
pub struct Given {
    /// Whose; none where it is not told who had sealed.
    pub seat: Option<Seat>,
    /// The short code that its author was given.
    pub code: String,
    /// The salted hash, in hex digits.
    pub hash: String,
}

/// A receipt of the reader's own.
#[derive(Clone, Debug, Serialize)]
pub struct OwnReceipt {
    /// The root window, counted from 0, which is the deal; none where it was gone back from.
    pub window: Option<Round>,
    /// Whether the window belonged to a root window that was being resolved.
    pub suspended: bool,
    /// When the window closed, if it has.
    pub closed: Option<Moment>,
    /// When it closes, if it is open.
    pub closes: Option<Moment>,
    /// The short code.
    pub code: String,
    /// The salted hash, in hex digits.
    pub hash: String,
}

impl Letters {
    /// What was sealed in a window that is over, so that it cannot be another later, and the head of
    /// the journal with it, so that nothing before can.
    pub fn receipts(
        &self,
        reader: &Reader,
        sealed: &[Given],
        head: &str,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "receipts", json!({ "sealed": sealed, "head": head }))
    }

    /// The receipts of what the reader has sealed at the table of this code; once it is over, by
    /// what each can be computed again comes along with them.
    pub fn own_receipts(
        &self,
        reader: &Reader,
        code: &str,
        receipts: &[OwnReceipt],
        over: bool,
    ) -> Result<String, LetterFault> {
        let context = json!({ "code": code, "receipts": receipts, "over": over });
        self.letter(DESK, reader, "own_receipts", context)
    }
}
