//! The open window: declaring, acting, its deadline and its close.

pub(crate) mod act;
pub(crate) mod declare;
pub(crate) mod extend;
pub(crate) mod house;
pub(crate) mod next;
pub(crate) mod remind;
pub(crate) mod resolve;
pub(crate) mod said_ahead;
pub(crate) mod strike;
