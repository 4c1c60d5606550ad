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

// The test game of stages is compiled into this program, too: its sources find here what they find
// at the root of the library.
#[path = "test_games/games.rs"]
mod games;
#[path = "test_games/rules.rs"]
mod rules;
use shimekiri::data;
