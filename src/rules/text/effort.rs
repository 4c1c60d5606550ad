//! Limits on the work of parsing a text.
//!
//! Anybody can write a text, so these numbers limit the work and not the content of the text. Real
//! declarations stay far below them.

use std::cell::Cell;

/// The maximum number of misread pieces listed one by one.
pub(super) const MISREAD: usize = 40;

/// The limits of one parse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The maximum number of folded characters. Some characters become many: `㌢` three, `ﷺ` eighteen.
    pub(super) characters: usize,
    /// The maximum number of interviews.
    pub(super) interviews: u32,
    /// The maximum number of searches for a piece, a mark or a label.
    pub(super) looks: u32,
}

/// The limits for a declaration.
pub(super) const DECLARATION: Limits = Limits { characters: 6000, interviews: 250, looks: 30_000 };

/// The limits for an act, whose text is tried under every possible deed.
pub(super) const ACT: Limits = Limits { characters: 400, interviews: 40, looks: 4000 };

/// The work done so far in a parse.
#[derive(Debug)]
pub(super) struct Effort {
    limits: Limits,
    interviews: Cell<u32>,
    looks: Cell<u32>,
}

impl Effort {
    /// Creates a counter with these limits.
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, interviews: Cell::new(0), looks: Cell::new(0) }
    }

    /// Returns the maximum number of characters.
    pub(super) fn characters(&self) -> usize {
        self.limits.characters
    }

    /// Counts an interview.
    pub(super) fn interview(&self) {
        self.interviews.set(self.interviews.get() + 1);
    }

    /// Counts a search.
    pub(super) fn look(&self) {
        self.looks.set(self.looks.get() + 1);
    }

    /// Returns the numbers of interviews and searches.
    #[cfg(test)]
    pub(super) fn taken(&self) -> (u32, u32) {
        (self.interviews.get(), self.looks.get())
    }

    /// True if a limit is reached and the parse must stop.
    pub(super) fn is_spent(&self) -> bool {
        self.interviews.get() >= self.limits.interviews || self.looks.get() >= self.limits.looks
    }
}
