//! Messages on their way, and messages already shown.

pub mod barred;
pub mod outbox;
pub mod places;
pub mod posts;
