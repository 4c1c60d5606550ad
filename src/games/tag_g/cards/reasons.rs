//! The reasons that name numbers, such as the speeds of an attack and of a target that is too fast for it.

use std::sync::LazyLock;

use super::card::{Attribute, Magic};

/// The highest number that a reason names.
const MOST: usize = 19;

/// The reasons of a word: for each first word, one for each number.
type Reasons = Vec<Vec<&'static str>>;

fn bar(word: &str, first: impl Iterator<Item = String>) -> Reasons {
    let of = |first: String| {
        let reason = |number| &*format!("{word} {first} {number}").leak();
        (0..=MOST).map(reason).collect()
    };
    first.map(of).collect()
}

fn numbers() -> impl Iterator<Item = String> {
    (0..=MOST).map(|number| number.to_string())
}

fn of(reasons: &Reasons, slow: i16, fast: i16) -> &'static str {
    let place = |speed: i16| usize::try_from(speed).unwrap_or(0).min(MOST);
    reasons[place(slow)][place(fast)]
}

/// T4.11: an attack of the first speed does not reach a target of the second.
pub(in crate::tag_g) fn too_fast(slow: i16, fast: i16) -> &'static str {
    static REASONS: LazyLock<Reasons> = LazyLock::new(|| bar("too-fast", numbers()));
    of(&REASONS, slow, fast)
}

/// T4.12, T4.13: an answer of the first speed is too slow for an attack of the second.
pub(in crate::tag_g) fn too_slow(slow: i16, fast: i16) -> &'static str {
    static REASONS: LazyLock<Reasons> = LazyLock::new(|| bar("too-slow", numbers()));
    of(&REASONS, slow, fast)
}

/// T3.6: a magic card lacks the tower of the level before.
pub(in crate::tag_g) fn no_tower(magic: Magic) -> &'static str {
    static REASONS: LazyLock<Reasons> = LazyLock::new(|| {
        bar("no-tower", Attribute::ALL.iter().map(|attribute| attribute.word().to_owned()))
    });
    REASONS[magic.attribute.index()][usize::from(magic.level.saturating_sub(1)).min(MOST)]
}
