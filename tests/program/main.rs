//! The program as people run it, on a real database.

#![expect(clippy::unwrap_used, reason = "what is not there is a failure of the test")]

#[path = "../support/database.rs"]
mod database;
#[path = "../support/phone.rs"]
mod phone;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/written.rs"]
mod written;

mod browser;
mod elsewhere;
mod held;
mod swallowing;

mod drill;
mod guides;
mod health;
mod kill;
mod newcomer;
mod operator;
mod play;
mod replay;
mod rows;
mod serve;
mod silent;
mod verify;
