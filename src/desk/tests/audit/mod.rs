//! What is told afterwards, and held against what was.

mod replay;
mod retell;
mod statistics;
mod verify;
