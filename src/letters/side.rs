//! The letters about drafts and lines that a side shares.

use crate::template::letters::DESK;
use crate::template::typed::{letters, sampled};
use crate::template::views::Moment;
use rules::Seat;
use rules::window::Progress;

sampled! {
    /// A seat of the reader's side, and what it has declared in the open window.
    pub struct PartnerShown {
        pub seat: Seat,
        pub progress: Progress,
        /// Its declaration as it could be typed, line by line.
        pub said: Vec<String>,
    }

    /// A line that one of the reader's side has written to all of it.
    pub struct SideLineShown {
        pub seat: Seat,
        pub at: Moment,
        pub words: String,
    }
}

letters! {
    /// Letters to one side alone.
    LETTERS in DESK;

    /// The drafts of the reader's partners in the open window, and the lines of the side.
    "side" pub struct SideShown<'a> {
        pub partners: &'a [PartnerShown],
        /// True if no partner is a person.
        pub unread: bool,
        pub lines: &'a [SideLineShown],
    }
}
