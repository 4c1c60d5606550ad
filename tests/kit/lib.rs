//! The kit of the tests: games that exist for tests alone, databases, and the program as a process.
//!
//! A member of the workspace of its own, so that the tests of every floor compile it once.

#![expect(clippy::missing_panics_doc, reason = "a test fails by panicking")]
#![expect(clippy::wildcard_imports, reason = "a test game uses all of the engine")]
#![expect(clippy::unwrap_used, reason = "what is not there is a failure of the test")]

pub mod database;
pub mod figures;
pub mod kinds;
pub mod paces;
pub mod phone;
pub mod pieces;
pub mod program;
pub mod stages;
pub mod stages_game;
pub mod time;
pub mod toy;
pub mod toy_game;
pub mod written;

use std::path::{Path, PathBuf};

/// The number of cases of a test: `few` in the suite, `all` if `SHIMEKIRI_TEST_ALL` is set.
pub fn cases(few: usize, all: usize) -> usize {
    if std::env::var_os("SHIMEKIRI_TEST_ALL").is_some() { all } else { few }
}

/// A path of the repository, whichever folder a test runs in.
///
/// # Panics
/// If the repository is not where it was when this was compiled.
pub fn in_root(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize();
    root.expect("the repository is where it was").join(path)
}

/// The text of a file of the repository.
///
/// # Panics
/// If there is no such file, or no text in it.
pub fn text_of(path: &str) -> String {
    std::fs::read_to_string(in_root(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}
