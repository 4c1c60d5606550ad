//! Everything posted: letters in their channels, the post of each table, and the updates of both.

pub(crate) mod channel;
pub(crate) mod correct;
pub(crate) mod dashboard;
pub(crate) mod failure;
pub(crate) mod files;
pub(crate) mod message;
pub(crate) mod post;
pub(crate) mod posts;
pub(crate) mod redraw;
pub(crate) mod refused;
pub(crate) mod split;
#[cfg(test)]
mod test_dead_threads;
pub(crate) mod thread_ping;
