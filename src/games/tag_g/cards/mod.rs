//! T8: the cards of タッグルールG, from files such as `data/tag_g/sets/starter.toml`.

pub mod card;
mod check;
mod entries;
pub(super) mod handles;
pub(super) mod reasons;
pub(super) mod set;
mod texts;
pub mod vocabulary;
mod words;

pub use card::{
    Aims, Attack, Attribute, CardKind, Character, Defence, Item, Magic, Slot, Summon, Tower,
};
pub use handles::{Card, Deck, TableSet};
pub use vocabulary::{
    Amount, COPIES, Change, Choice, Cost, Duration, Effect, FIELD, Forbidden, Keyword, Moment, Per,
    Target, Value, Verb, What, Whose,
};

#[cfg(test)]
mod tests;
