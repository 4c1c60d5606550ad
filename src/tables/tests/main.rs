//! Laws of what tables are set to.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod pace;
