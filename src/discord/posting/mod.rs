//! Everything posted: letters in their channels, the post of each table, and the updates of both.

pub(crate) mod channel;
pub(crate) mod post;
pub(crate) mod posts;
pub(crate) mod refused;
#[cfg(test)]
mod test_dead_threads;

use crate::posting::refused::{About, Message, Target};

pub(crate) use crate::posting::refused::DrawError;
