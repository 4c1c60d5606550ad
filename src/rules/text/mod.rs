//! Declarations in the players' own words, for any game.
//!
//! The interview has the questions; this module parses a text as answers to them, and writes answers as such
//! a text. It knows no game: the words come from a [`Lexicon`], the questions from a form. Text that cannot
//! be parsed is returned as data, and the rest is still parsed.

mod act;
mod adding;
mod answers;
mod complete;
mod data;
mod effort;
mod fold;
mod free;
mod leftover;
mod lexicon;
mod marks;
mod nearest;
mod one;
mod parts;
mod pieces;
mod questions;
mod read;
mod reading;
mod reserves;
mod scan;
mod sections;
mod sentence;
mod words;
mod write;

#[cfg(test)]
mod tests;

pub use crate::text::act::{Choices, Example, acts, read_act, written_act};
pub use crate::text::complete::{Completion, complete};
pub use crate::text::fold::{Folded, fold};
pub use crate::text::lexicon::{Lang, Lexicon, Names, OptionWord, ParseLangError};
pub use crate::text::one::read_one;
pub use crate::text::parts::{NameAlone, NamedPart};
pub use crate::text::read::{read, read_anew};
pub use crate::text::reading::{Misread, Read, Reading, UnreadReason};
pub use crate::text::sentence::{of_understood_lines, read_sentence, read_typed};
pub use crate::text::words::Words;
pub use crate::text::write::write;
