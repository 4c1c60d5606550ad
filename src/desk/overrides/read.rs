//! A decision of a game master's in words, such as `extend 22:00` or `差し戻し 楓 3B`.
//!
//! Words are those of `commands/gm_*.toml`; seats go by their number or their player's name, times by
//! the table's zone, and everything of the game by the game's own words. Nothing is guessed: what
//! cannot be read is told with what would be right. Where arguments are said one by one, they are read
//! as they are on a line, and refused in the same words.

pub(crate) mod arguments;
pub(crate) mod complete;
pub(crate) mod dice;
pub(crate) mod grammar;
pub(crate) mod misread;
pub(crate) mod moves;
pub(crate) mod parts;
pub(crate) mod reader;
pub(crate) mod words;
pub(crate) mod write;

#[cfg(test)]
mod test_read;
