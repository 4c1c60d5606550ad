//! Counts the statements, and in debug builds burns through at one of them.

use std::sync::atomic::{AtomicU64, Ordering};

/// The variable that names the statement before which a debug build kills itself.
#[cfg(debug_assertions)]
const DIE_AT: &str = "SHIMEKIRI_DIE_AT";

/// The variable that names the statement before which a debug build stops, as one on a machine that
/// hangs.
#[cfg(debug_assertions)]
const STOP_AT: &str = "SHIMEKIRI_STOP_AT";

/// Every statement passes through it.
#[derive(Debug, Default)]
pub(in crate::store) struct Fuse {
    burnt: AtomicU64,
    /// Before which statement, from 1, the process dies; 0 for none.
    #[cfg(debug_assertions)]
    blows_at: u64,
    /// Before which it stops.
    #[cfg(debug_assertions)]
    stops_at: u64,
}

impl Fuse {
    /// The fuse that the environment asks for. A release build knows of none.
    pub(in crate::store) fn from_environment() -> Self {
        Self {
            burnt: AtomicU64::new(0),
            #[cfg(debug_assertions)]
            blows_at: number(DIE_AT),
            #[cfg(debug_assertions)]
            stops_at: number(STOP_AT),
        }
    }

    /// One more statement is about to be put.
    pub(in crate::store) fn burn(&self) {
        let burnt = self.burnt.fetch_add(1, Ordering::Relaxed) + 1;
        #[cfg(debug_assertions)]
        if burnt == self.blows_at {
            blow();
        }
        #[cfg(debug_assertions)]
        if burnt == self.stops_at {
            use rustix::process::{Signal, getpid, kill_process};
            // If it cannot be stopped, whoever waits for it to stop will say so.
            let _ = kill_process(getpid(), Signal::STOP);
        }
        #[cfg(not(debug_assertions))]
        let _ = burnt;
    }

    /// How many statements there were.
    pub(in crate::store) fn burnt(&self) -> u64 {
        self.burnt.load(Ordering::Relaxed)
    }
}

/// The number that a variable says; 0 for none.
#[cfg(debug_assertions)]
fn number(variable: &str) -> u64 {
    std::env::var(variable).ok().and_then(|said| said.parse().ok()).unwrap_or(0)
}

/// Dies as by a loss of power: nothing is cleaned up, nothing is said.
#[cfg(debug_assertions)]
fn blow() {
    use rustix::process::{Signal, getpid, kill_process};
    // If it cannot be killed like this, it is killed like that.
    let _ = kill_process(getpid(), Signal::KILL);
    std::process::abort();
}
