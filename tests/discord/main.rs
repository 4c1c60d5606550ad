//! A fake Discord on loopback, and all tests against it.

#![expect(clippy::unwrap_used, reason = "what is not there is a failure of the test")]

mod of_the_bot;
mod of_the_double;
