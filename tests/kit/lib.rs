//! The kit of the tests: games for tests only, databases, and the program as a process.
//!
//! The kit is a member of the workspace, so that the tests of all members compile it once.

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

/// Returns the number of cases of a test: `few` in the suite, `all` if `SHIMEKIRI_TEST_ALL` is set.
pub fn cases(few: usize, all: usize) -> usize {
    if std::env::var_os("SHIMEKIRI_TEST_ALL").is_some() { all } else { few }
}

/// Returns a path in the repository, for tests in any folder.
///
/// # Panics
/// If the repository is not where it was when this was compiled.
pub fn in_root(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize();
    root.expect("the repository is where it was").join(path)
}

/// Returns the text of a file in the repository.
///
/// # Panics
/// If there is no such file, or no text in it.
pub fn text_of(path: &str) -> String {
    std::fs::read_to_string(in_root(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}
