//! The result of parsing a text.

use std::ops::Range;

use smol_str::SmolStr;
use strum::{IntoStaticStr, VariantNames};

use crate::vocabulary::declaration::{Answer, Declaration};
use crate::vocabulary::question::Key;
use crate::vocabulary::ruling::Fault;

/// The result of parsing a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The draft with all answers of the text.
    pub declaration: Declaration,
    /// The answers with their places, in the order of the text.
    pub lines: Vec<Read>,
    /// The pieces that were not understood, in the order of the text.
    pub misread: Vec<Misread>,
    /// The pieces and parts of the verbs in the text.
    pub verbs: Vec<SmolStr>,
    /// The pieces that no question asks for because their part is faulty already, in the order of the text.
    /// The interview's faults explain that.
    pub moot: Vec<Misread>,
    /// The fault for which the text was refused, `None` if it counts.
    pub refused: Vec<Fault>,
    /// True if the text gives the number of a part.
    pub numbered: bool,
}

impl Reading {
    /// True if all of the text was understood.
    pub fn is_whole(&self) -> bool {
        self.misread.is_empty() && self.moot.is_empty() && self.refused.is_empty()
    }

    /// True if the text has answers, and all of it is understood.
    pub(super) fn says_all(&self) -> bool {
        self.is_whole() && !self.lines.is_empty()
    }

    /// Returns the answer that counts first. A line in reserve has the key of that answer.
    pub(super) fn first<'r>(&'r self, read: &'r Read) -> &'r Answer {
        self.declaration.get(&read.key).unwrap_or(&read.answer)
    }
}

/// An answer with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The byte range in the text.
    pub span: Range<usize>,
    pub key: Key,
    pub answer: Answer,
}

/// A piece of the text that answers no question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The byte range in the text.
    pub span: Range<usize>,
    /// The piece of the text.
    pub text: String,
    /// The part that contains the piece, `None` if there is none.
    pub section: Option<Key>,
    /// The reason.
    pub why: UnreadReason,
    /// The legal options similar to the piece, best first.
    pub nearest: Vec<SmolStr>,
}

/// The reason why a piece of text could not be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum UnreadReason {
    /// The piece is no word of the game.
    Unknown,
    /// The piece is a word of the game, but no question here asks for it.
    NotHere,
    /// The section is not asked now.
    NotAsked,
    /// The section comes more often than the rules allow.
    SectionTwice,
    /// The piece comes before any section.
    NoSection,
    /// The count is more than can ever exist.
    TooMany,
    /// The piece is of the same kind as the one included without a word, which is the nearest.
    Tacit,
    /// Only one piece can be named, and the text has named the nearest.
    OneOnly,
    /// The piece could mean any of the nearest.
    Several,
    /// The piece was not parsed, because the text is too long.
    TooLong,
    /// The piece is a part of a payment, which counts as left out as a whole.
    Payment,
    /// A reserve word has nothing before it or after it.
    ReserveAlone,
    /// The piece chooses nothing, and the rules demand an answer.
    Needed,
    /// The piece could be the player's own words, but nothing marks it as such.
    Unquoted,
}
