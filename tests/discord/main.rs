//! Discord on loopback, and everything that is tested against it.

#![expect(clippy::unwrap_used, reason = "what is not there is a failure of the test")]

#[path = "../support/database.rs"]
mod database;
mod double;
mod of_the_bot;
mod of_the_double;
#[path = "../support/phone.rs"]
mod phone;
#[path = "../support/program.rs"]
mod program;
