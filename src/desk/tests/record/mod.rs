//! What is kept, sent and taken away.

mod backup;
mod courier;
mod files;
pub(crate) mod forget;
mod obstacle;
mod own;
mod visible;
