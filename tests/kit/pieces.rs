//! The pieces of the test games: words and numbers.

use rules::Piece;
use smol_str::{SmolStr, format_smolstr};

/// A word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(pub &'static str);

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub u8);

impl Piece for Word {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(self.0)
    }
}

impl Piece for Number {
    fn id(&self) -> SmolStr {
        format_smolstr!("{}", self.0)
    }
}

/// Returns words to choose from.
pub fn words<const N: usize>(words: [&'static str; N]) -> [Word; N] {
    words.map(Word)
}
