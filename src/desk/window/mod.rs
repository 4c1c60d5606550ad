//! The open window: declaring, acting, its deadline and its close.

pub(in crate::desk) mod act;
pub(in crate::desk) mod declare;
pub(in crate::desk) mod extend;
pub(in crate::desk) mod remind;
pub(in crate::desk) mod resolve;
pub(in crate::desk) mod said_ahead;
pub(in crate::desk) mod strike;
