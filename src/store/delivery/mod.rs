//! What is on its way to somebody, and what has been shown where.

pub(in crate::store) mod dashboards;
pub(in crate::store) mod heard;
pub(in crate::store) mod knocks;
pub(in crate::store) mod mail;
pub(in crate::store) mod outbox;
pub(in crate::store) mod places;
pub(in crate::store) mod posts;
