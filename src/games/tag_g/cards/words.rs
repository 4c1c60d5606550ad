//! The words of the game, without the names of the cards.

use rules::data::BuiltIn;
use rules::text::Lexicon;

/// The words of the game.
pub(super) fn words() -> &'static Lexicon {
    static WORDS: BuiltIn<Lexicon> = BuiltIn::new(|| {
        let (file, text) = rules::built_in_file!("data/", "tag_g", "/words.toml");
        Lexicon::parse(file, text)
    });
    &WORDS
}
