//! What is kept, sent and taken away.

mod backup;
mod courier;
mod files;
pub(in crate::desk) mod forget;
mod obstacle;
mod own;
mod visible;
