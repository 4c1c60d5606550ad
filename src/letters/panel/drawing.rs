//! What a panel is drawn from.

use std::fmt;

use super::choices::InterviewOf;
use super::focus::View;
use crate::{Letters, Reader, UnreadPiece};
use rules::Declaration;

/// Everything that a panel is drawn from.
#[derive(Clone, Copy)]
pub struct PanelDrawing<'a> {
    pub letters: &'a Letters,
    pub reader: &'a Reader,
    /// What is asked of them.
    pub form: InterviewOf<'a>,
    /// What they have said so far.
    pub draft: &'a Declaration,
    /// What they said the last time, if it can be said again.
    pub before: Option<&'a Declaration>,
    /// What of it is looked at.
    pub view: &'a View,
    /// What could not be read of what they typed just now.
    pub unread: &'a [UnreadPiece],
    /// What is said on it.
    pub subject: PanelSubject,
}

/// What is said on a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelSubject {
    /// A declaration, which is drafted and sealed.
    Declaration,
    /// Something that is done at once, and not sealed: everything that is asked is to be answered.
    Act,
    /// Standing orders: each answer is kept as it is given.
    Orders,
    /// What is declared for the next window: each answer is kept as it is given.
    Next,
}

impl fmt::Debug for PanelDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PanelDrawing")
    }
}
