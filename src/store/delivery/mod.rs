//! Messages on their way, and messages already shown.

pub mod barred;
pub mod dashboards;
pub mod heard;
pub mod knocks;
pub mod mail;
pub mod outbox;
pub mod places;
pub mod posts;
