//! The tests of the cards.

use kit::written::{UPDATE, is_updated};

mod faults;
mod starter;

/// Compares a text with a file beside the tests, or writes the file.
fn stands(file: &str, written: &str) {
    let path = kit::in_root("src/games/tag_g/cards/tests").join(file);
    if is_updated() {
        std::fs::write(&path, written).unwrap();
    }
    let stands = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stands == written, "{file} differs: {UPDATE}=1 cargo test -p games tag_g\n{written}");
}
