//! A separate runtime for serenity's client, and its watch.
//!
//! After the close codes 4003, 4010 and 4011, and after a close without a code, serenity 0.12.5 reads from
//! the ended connection again and again without yielding: a task that cannot be cancelled and keeps a thread.
//! In a separate runtime that thread is nobody else's, and the fault can be detected: a worker that never
//! parks while no event comes.

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// One more than the threads that a spinning shard can take.
const WORKERS: usize = 2;

/// The time that a worker is busy without an event before it counts as spinning.
const SPIN: Duration = Duration::from_secs(1);

/// A runtime that is shut down in the background when it is dropped, without waiting for its tasks.
pub(super) struct GatewayRuntime(Option<Runtime>);

impl GatewayRuntime {
    pub(super) fn open() -> io::Result<Self> {
        let builder = || {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(WORKERS).thread_name("gateway").enable_all();
            builder
        };
        Ok(Self(Some(builder().build()?)))
    }

    fn runtime(&self) -> &Runtime {
        self.0.as_ref().expect("it is there until it is dropped")
    }

    pub(super) fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.runtime().spawn(future)
    }

    /// Returns the number of times that each worker was parked or unparked: odd while it is parked.
    fn parkings(&self) -> impl Iterator<Item = u64> {
        let metrics = self.runtime().metrics();
        (0..metrics.num_workers()).map(move |worker| metrics.worker_park_unpark_count(worker))
    }
}

impl Drop for GatewayRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// A detector of spinning workers.
#[derive(Default)]
pub(super) struct SpinWatch {
    /// The last parking count of each worker, and the time when it was first seen.
    seen: Vec<(u64, Instant)>,
    /// The number of events at the last check.
    heard: u64,
}

impl SpinWatch {
    /// Checks the workers of a runtime. Returns true if one of them spins.
    pub(super) fn look(&mut self, runtime: &GatewayRuntime, heard: u64) -> bool {
        let now = Instant::now();
        let quiet = std::mem::replace(&mut self.heard, heard) == heard;
        let mut spins = false;
        for (worker, parkings) in runtime.parkings().enumerate() {
            match self.seen.get_mut(worker) {
                None => self.seen.push((parkings, now)),
                Some((seen, since)) => {
                    let rests = parkings % 2 == 1;
                    if rests || *seen != parkings || !quiet {
                        (*seen, *since) = (parkings, now);
                    }
                    spins |= now - *since >= SPIN;
                }
            }
        }
        spins
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use crate::gateway::runtime::*;

    /// Checks the workers for 1.4 seconds, or until one spins.
    async fn looks(runtime: &GatewayRuntime, mut heard: impl FnMut() -> u64) -> bool {
        let mut watch = SpinWatch::default();
        for _ in 0..28 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            if watch.look(runtime, heard()) {
                return true;
            }
        }
        false
    }

    #[tokio::test]
    async fn a_task_that_never_yields_is_seen_and_one_that_rests_is_not() {
        let runtime = GatewayRuntime::open().unwrap();
        runtime.spawn(async {
            loop {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        assert!(!looks(&runtime, || 0).await);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        runtime.spawn(async move {
            while !stopped.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        });
        let mut events = 0;
        let busy = looks(&runtime, || {
            events += 1;
            events
        });
        assert!(!busy.await, "events come");
        assert!(looks(&runtime, || 0).await);
        stop.store(true, Ordering::Relaxed);
    }
}
