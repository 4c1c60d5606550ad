//! What a game master and the table decide.

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
