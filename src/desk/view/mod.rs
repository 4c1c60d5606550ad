//! What somebody may see.

pub(in crate::desk) mod dashboard;
pub(in crate::desk) mod figures;
pub(in crate::desk) mod mine;
pub(in crate::desk) mod receipts;
pub(in crate::desk) mod see;
pub(in crate::desk) mod show;
pub(in crate::desk) mod statistics;
pub(in crate::desk) mod why;
