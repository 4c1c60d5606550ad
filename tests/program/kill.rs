//! Kills at any moment: the program loses nothing that it has acknowledged, and does nothing twice; the game
//! goes on as if it had not been killed.

#![expect(clippy::print_stderr, reason = "the figures are worth knowing")]

mod desk;
mod play;

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of concurrent evenings, which mostly wait.
const AT_ONCE: usize = 4;

/// Returns the stride through the statements before which the program is killed: `KILL_STRIDE`, or else
/// 32, which takes a 32nd of the time.
fn stride() -> u64 {
    std::env::var("KILL_STRIDE").map_or(32, |stride| stride.parse().unwrap())
}

/// Tries the numbers from 1 in strides, several concurrently, until `unreached` of them could not be reached.
/// Returns the first of those.
fn try_all(unreached: usize, is_reached: impl Fn(u64) -> bool + Sync) -> u64 {
    let (next, missed) = (AtomicU64::new(1), std::sync::Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while missed.lock().unwrap().len() < unreached {
                    let number = next.fetch_add(stride(), Ordering::Relaxed);
                    if !is_reached(number) {
                        missed.lock().unwrap().push(number);
                    }
                }
            });
        }
    });
    missed.into_inner().unwrap().into_iter().min().unwrap()
}

/// Runs a future to its end.
fn wait_for<T>(what: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(what)
}
