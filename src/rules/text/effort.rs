//! How much a text may ask of its reader.
//!
//! Whoever writes it can be anybody: what it takes to read a text is limited by these numbers and
//! not by what stands in it. Nobody who declares something comes near them.

use std::cell::Cell;

/// As many pieces are told as misread one by one.
pub(super) const MISREAD: usize = 40;

/// How much may be taken by a reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// How many folded characters are read. Some characters become many: `㌢` three, `ﷺ` eighteen.
    pub(super) characters: usize,
    /// How often the interview is asked what comes of what was read.
    pub(super) interviews: u32,
    /// How often it is looked whether a piece, a mark or a label stands somewhere.
    pub(super) looks: u32,
}

/// Of a declaration.
pub(super) const DECLARATION: Limits = Limits { characters: 6000, interviews: 250, looks: 30_000 };

/// Of something that is done at once, which is tried under everything that can be done.
pub(super) const ACT: Limits = Limits { characters: 400, interviews: 40, looks: 4000 };

/// What a reading has taken so far.
#[derive(Debug)]
pub(super) struct Effort {
    limits: Limits,
    interviews: Cell<u32>,
    looks: Cell<u32>,
}

impl Effort {
    /// Nothing yet, of so much.
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, interviews: Cell::new(0), looks: Cell::new(0) }
    }

    /// The number of characters that are read.
    pub(super) fn characters(&self) -> usize {
        self.limits.characters
    }

    /// The interview is asked once more.
    pub(super) fn interview(&self) {
        self.interviews.set(self.interviews.get() + 1);
    }

    /// Something is looked for once more.
    pub(super) fn look(&self) {
        self.looks.set(self.looks.get() + 1);
    }

    /// How often the interview was asked, and something was looked for.
    #[cfg(test)]
    pub(super) fn taken(&self) -> (u32, u32) {
        (self.interviews.get(), self.looks.get())
    }

    /// True if it has taken so much that nothing more is read.
    pub(super) fn is_spent(&self) -> bool {
        self.interviews.get() >= self.limits.interviews || self.looks.get() >= self.limits.looks
    }
}
