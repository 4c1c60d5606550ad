//! Declarations in the players' own words, for any game.
//!
//! The interview says what is asked; this finds in a text what answers it, and writes answers as
//! such a text again. It knows no game: the words come from a [`Lexicon`], the questions from a
//! form. What it cannot read it gives back as data; nothing that it can read is lost over that.

mod act;
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
mod scan;
mod sections;
mod tacit;
mod words;
mod write;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod test_act;
#[cfg(test)]
mod test_form;
#[cfg(test)]
mod tests;

pub use act::{Choices, Example, acts, read_act};
pub use complete::{Completion, complete};
pub use fold::{Folded, fold};
pub use lexicon::{Lang, Lexicon, Names, ParseLangError};
pub use one::read_one;
pub use parts::NamedPart;
pub use read::{Misread, Read, Reading, Why, read};
pub use words::Words;
pub use write::write;
