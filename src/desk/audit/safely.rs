//! Replay of foreign data, for which the rules were not made.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::pin::pin;
use std::sync::Once;

use futures_util::FutureExt;

thread_local! {
    /// True while panics of this thread are reported to the caller alone.
    static TOLD: Cell<bool> = const { Cell::new(false) };
}

/// Runs the work; `None` if it panics.
pub(crate) async fn safely<T>(work: impl Future<Output = T>) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !TOLD.get() {
                before(panic);
            }
        }));
    });
    let mut work = pin!(AssertUnwindSafe(work).catch_unwind());
    let done = std::future::poll_fn(|context| {
        TOLD.set(true);
        let polled = work.as_mut().poll(context);
        TOLD.set(false);
        polled
    });
    done.await.ok()
}
