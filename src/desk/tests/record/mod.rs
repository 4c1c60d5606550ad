//! The record of tables: storage, delivery, and erasure.

mod backup;
mod courier;
mod files;
pub(crate) mod forget;
mod obstacle;
mod own;
mod visible;
