//! Stores the commit of the build: the one named by `BUILD_COMMIT`, or else, in release builds, the one that
//! is checked out.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=BUILD_COMMIT");
    let named = env::var("BUILD_COMMIT").ok().filter(|commit| !commit.trim().is_empty());
    // A development build would be rebuilt after every commit, so it has no commit.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = named.or_else(|| is_release.then(checked_out).flatten());
    println!("cargo::rustc-env=BUILD_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}

/// Returns the commit that is checked out; `None` outside of a repository.
fn checked_out() -> Option<String> {
    let here = env::var("CARGO_MANIFEST_DIR").ok()?;
    // Sources inside another repository are not of its commit.
    let root = Path::new(&here).ancestors().nth(2)?;
    if Path::new(&git(&["rev-parse", "--show-toplevel"])?) != root {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        let file = git(&["rev-parse", "--git-path", file])?;
        if Path::new(&file).exists() {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
