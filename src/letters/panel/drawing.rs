//! The input of drawing a panel.

use std::fmt;

use super::choices::InterviewOf;
use super::focus::View;
use crate::{Letters, Reader, UnreadPiece};
use rules::Declaration;

/// The input of drawing a panel.
#[derive(Clone, Copy)]
pub struct PanelDrawing<'a> {
    pub letters: &'a Letters,
    pub reader: &'a Reader,
    /// The interview of the reader.
    pub form: InterviewOf<'a>,
    /// The answers so far.
    pub draft: &'a Declaration,
    /// The last declaration, if it can be repeated.
    pub before: Option<&'a Declaration>,
    /// The part of the draft to show.
    pub view: &'a View,
    /// The pieces of the last input that could not be parsed.
    pub unread: &'a [UnreadPiece],
    /// The subject of the panel.
    pub subject: PanelSubject,
}

/// The subject of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelSubject {
    /// A declaration, which is drafted and sealed.
    Declaration,
    /// An immediate act, without a seal: every question has to be answered.
    Act,
    /// Standing orders: each answer is stored immediately.
    Orders,
    /// The declaration for the next window: each answer is stored immediately.
    Next,
}

impl fmt::Debug for PanelDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PanelDrawing")
    }
}
