//! T8: the cards of タッグルールG, from files such as `data/tag_g/sets/starter.toml`.

pub mod card;
mod check;
mod reading;
mod texts;
pub mod vocabulary;

pub use card::{
    Aims, Attack, Attribute, Card, CardKind, Character, Deck, Magic, Slot, Summon, TableSet, Tower,
};
pub use vocabulary::{
    Amount, COPIES, Change, Choice, Cost, Duration, Effect, FIELD, Forbidden, Keyword, Moment, Per,
    Target, Value, Verb, What, Whose,
};

#[cfg(test)]
mod tests;
