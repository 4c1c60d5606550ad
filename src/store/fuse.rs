//! Counts the statements, and in debug builds burns through at one of them.

use std::sync::atomic::{AtomicU64, Ordering};

/// The variable that names the statement before which a debug build kills itself.
#[cfg(debug_assertions)]
const DIE_AT: &str = "SHIMEKIRI_DIE_AT";

/// Every statement passes through it.
#[derive(Debug, Default)]
pub(super) struct Fuse {
    burnt: AtomicU64,
    /// Before which statement, from 1, the process dies; 0 for none.
    #[cfg(debug_assertions)]
    blows_at: u64,
}

impl Fuse {
    /// The fuse that the environment asks for. A release build knows of none.
    pub(super) fn from_environment() -> Self {
        Self {
            burnt: AtomicU64::new(0),
            #[cfg(debug_assertions)]
            blows_at: std::env::var(DIE_AT).ok().and_then(|said| said.parse().ok()).unwrap_or(0),
        }
    }

    /// One more statement is about to be put.
    pub(super) fn burn(&self) {
        let burnt = self.burnt.fetch_add(1, Ordering::Relaxed) + 1;
        #[cfg(debug_assertions)]
        if burnt == self.blows_at {
            blow();
        }
        #[cfg(not(debug_assertions))]
        let _ = burnt;
    }

    /// How many statements there were.
    pub(super) fn burnt(&self) -> u64 {
        self.burnt.load(Ordering::Relaxed)
    }
}

/// Dies as by a loss of power: nothing is cleaned up, nothing is said.
#[cfg(debug_assertions)]
fn blow() {
    use rustix::process::{Signal, getpid, kill_process};
    // If it cannot be killed like this, it is killed like that.
    let _ = kill_process(getpid(), Signal::KILL);
    std::process::abort();
}
