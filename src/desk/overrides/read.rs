//! A decision of a game master's in words, such as `extend 22:00` or `差し戻し 楓 3B`.
//!
//! Words are those of `commands/gm_*.toml`; seats go by their number or their player's name, times by
//! the table's zone, and everything of the game by the game's own words. Nothing is guessed: what
//! cannot be read is told with what would be right. Where arguments are said one by one, they are read
//! as they are on a line, and refused in the same words.

pub(in crate::desk) mod arguments;
pub(in crate::desk) mod complete;
pub(in crate::desk) mod dice;
pub(in crate::desk) mod grammar;
pub(in crate::desk) mod misread;
pub(in crate::desk) mod moves;
pub(in crate::desk) mod parts;
pub(in crate::desk) mod reader;
pub(in crate::desk) mod words;
pub(in crate::desk) mod write;

#[cfg(test)]
mod test_read;
