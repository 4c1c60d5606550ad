//! The parsing of decisions in words, such as `extend 22:00` or `差し戻し 楓 3B`.
//!
//! The verbs are those of `commands/gm_*.toml`; seats are given by number or player's name, times in the
//! table's zone, and game terms in the game's own words. Nothing is guessed: unreadable input is refused with
//! suggestions. Arguments given one by one are parsed as on a line, and refused in the same words.

pub(crate) mod arguments;
pub(crate) mod grammar;
pub(crate) mod reader;

#[cfg(test)]
mod test_read;
