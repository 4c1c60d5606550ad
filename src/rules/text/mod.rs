//! Declarations in the players' own words, for any game.
//!
//! The interview has the questions; this module parses a text as answers to them, and writes answers as such
//! a text. It knows no game: the words come from a [`Lexicon`], the questions from a form. Text that cannot
//! be parsed is returned as data, and the rest is still parsed.

mod act;
mod adding;
mod answers;
mod complete;
mod fold;
mod leftover;
mod lexicon;
mod pieces;
mod read;
mod sections;
mod sentence;
#[cfg(test)]
mod tests;
mod words;
mod write;

use crate::text::read::{DeclarationReader, Mark, SectionPlace};
use crate::text::words::{Edge, Hit, Meaning};

pub use crate::text::act::{Choices, Example, acts, read_act, read_one, written_act};
pub use crate::text::complete::{Completion, complete};
pub use crate::text::fold::{Folded, fold};
pub use crate::text::lexicon::{Lang, Lexicon, Names, OptionWord, ParseLangError};
pub use crate::text::pieces::{NameAlone, NamedPart};
pub use crate::text::read::{Misread, Read, Reading, UnreadReason, read, read_anew};
pub use crate::text::sentence::{of_understood_lines, read_sentence, read_typed};
pub use crate::text::words::Words;
pub use crate::text::write::write;
