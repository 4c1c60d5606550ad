//! Receipts of sealed declarations: only hashes, no content.

use crate::template::letters::DESK;
use crate::template::typed::{letters, sampled};
use crate::template::views::Moment;
use rules::{Round, Seat};
use tables::ids::TableCode;

sampled! {
    /// The receipt of a declaration, as shown after its window has closed: only the hash.
    pub struct ReceiptLine {
        /// The seat of the declaration; `None` if it is not public who has sealed.
        pub seat: Option<Seat>,
        /// The short code given to the author.
        pub code: String,
        /// The salted hash, in hex digits.
        pub hash: String,
    }

    /// One of the reader's own receipts.
    pub struct OwnReceipt {
        /// The number of the root window; 0 is the deal. `None` if a rollback removed the window.
        pub window: Option<Round>,
        /// True if the window was within a root window being resolved.
        pub suspended: bool,
        /// The time of the close; `None` if the window is open.
        pub closed: Option<Moment>,
        /// The deadline, if the window is open.
        pub closes: Option<Moment>,
        /// The short code of the receipt.
        pub code: String,
        /// The salted hash, in hex digits.
        pub hash: String,
    }
}

letters! {
    /// Letters about receipts.
    LETTERS in DESK;

    /// The receipts of a closed window and the head of the journal, so that neither the declarations nor
    /// earlier entries can be changed later.
    "receipts" pub struct SealedThen<'a> { pub sealed: &'a [ReceiptLine], pub head: &'a str }

    /// The reader's receipts at the table of this code. Once the table is over, the data to recompute each
    /// hash is attached.
    "own_receipts" pub struct OwnReceipts<'a> {
        pub code: &'a TableCode,
        pub receipts: &'a [OwnReceipt],
        pub over: bool,
    }
}
