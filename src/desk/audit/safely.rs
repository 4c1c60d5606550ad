//! Playing what somebody else has written: the rules were made for what they come to themselves.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::pin::pin;
use std::sync::Once;

use futures_util::FutureExt;

thread_local! {
    /// True if what comes to grief on this thread now is told to whoever asked, and to nobody else.
    static TOLD: Cell<bool> = const { Cell::new(false) };
}

/// What comes of it; none if the rules come to grief with it.
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
