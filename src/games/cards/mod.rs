//! Sets of cards that are data: files of hosts, read without building the program again.
//!
//! A table is bound to a set by the hash of its text. The game has its own vocabulary and rules for the cards;
//! here is what any game needs: the reading of a file with all its faults, the sets known to this program, and
//! the reading of a deck.

pub mod fault;
pub mod hash;
pub mod reader;
pub mod sets;
