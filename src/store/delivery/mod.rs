//! Messages on their way, and messages already shown.

pub(crate) mod barred;
pub(crate) mod dashboards;
pub(crate) mod heard;
pub(crate) mod knocks;
pub(crate) mod mail;
pub(crate) mod outbox;
pub(crate) mod places;
pub(crate) mod posts;
