//! Messages on their way, and messages already shown.

pub mod obstacles;
pub mod outbox;
pub mod places;
pub mod posts;
