//! Overrides by a game master and by the table.

mod calls;
mod history;
mod judge;
mod lock;
mod log;
mod preview;
mod seats;
mod settings;
mod taking_back;
mod vote;
mod windows;
