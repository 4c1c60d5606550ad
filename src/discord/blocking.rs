//! Long computations run as blocking work: the clock and the gateway share the runtime's threads and must not
//! wait.

use tokio::runtime::{Handle, RuntimeFlavor};

/// Runs the work while another thread takes over the other tasks of this one.
pub(super) fn run_blocking<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // There is no other thread.
        _ => work(),
    }
}
