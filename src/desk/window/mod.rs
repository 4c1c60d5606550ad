//! The open window: declaring, acting, its deadline and its close.

pub(crate) mod act;
pub(crate) mod close;
pub(crate) mod declare;
pub(crate) mod next;
pub(crate) mod remind;
