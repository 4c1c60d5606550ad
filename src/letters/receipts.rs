//! What is told of what was sealed: nothing but hashes.

use crate::template::letters::DESK;
use crate::template::typed::{letters, sampled};
use crate::template::views::Moment;
use rules::{Round, Seat};
use tables::ids::TableCode;

sampled! {
    /// What was sealed in a window, as it is shown when the window is over: nothing but its hash.
    pub struct ReceiptLine {
        /// Whose; none where it is not told who had sealed.
        pub seat: Option<Seat>,
        /// The short code that its author was given.
        pub code: String,
        /// The salted hash, in hex digits.
        pub hash: String,
    }

    /// A receipt of the reader's own.
    pub struct OwnReceipt {
        /// The root window, counted from 0, which is the deal; none where it was gone back from.
        pub window: Option<Round>,
        /// True if the window belonged to a root window that was being resolved.
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
}

letters! {
    /// Letters about what was sealed.
    LETTERS in DESK;

    /// What was sealed in a window that is over, so that it cannot be another later, and the head of
    /// the journal with it, so that nothing before can.
    "receipts" pub struct SealedThen<'a> { pub sealed: &'a [ReceiptLine], pub head: &'a str }

    /// The receipts of what the reader has sealed at the table of this code; once it is over, by
    /// what each can be computed again comes along with them.
    "own_receipts" pub struct OwnReceipts<'a> {
        pub code: &'a TableCode,
        pub receipts: &'a [OwnReceipt],
        pub over: bool,
    }
}
