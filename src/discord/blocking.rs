//! What takes a processor a while is done aside, so that it keeps nobody else waiting: the clock and
//! the gateway share the runtime's threads with whoever writes something long.

use tokio::runtime::{Handle, RuntimeFlavor};

/// Does it while another thread takes over what else this one had to do.
pub(super) fn run_blocking<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // There is no other thread.
        _ => work(),
    }
}
