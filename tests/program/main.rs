//! The program as people run it, on a real database.

#![expect(clippy::unwrap_used, reason = "what is not there is a failure of the test")]

mod bad_input;
mod browser;
mod config;
mod drill;
mod elsewhere;
mod forged;
mod guides;
mod health;
mod held;
mod house;
mod kill;
mod newcomer;
mod operator;
mod page;
mod play;
mod replaced;
mod replay;
mod rows;
mod serve;
mod sets;
mod silent;
mod simulate;
mod swallowing;
mod terms;
mod verify;
mod worlds;
