//! What is posted: letters in their channels, the post of each table, and what is kept true of both.

pub(in crate::discord) mod channel;
pub(in crate::discord) mod correct;
pub(in crate::discord) mod dashboard;
pub(in crate::discord) mod files;
pub(in crate::discord) mod post;
pub(in crate::discord) mod posts;
pub(in crate::discord) mod redraw;
pub(in crate::discord) mod split;
pub(in crate::discord) mod thread_ping;
