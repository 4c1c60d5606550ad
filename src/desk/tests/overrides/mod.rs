//! What a game master and the table decide.

mod calls;
mod history;
mod judge;
mod log;
mod preview;
mod seats;
mod settings;
mod vote;
mod windows;
