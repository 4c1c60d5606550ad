//! Buttons and menus, and what a press on one means.

pub(in crate::discord) mod buttons;
pub(in crate::discord) mod control;
pub(in crate::discord) mod pressed_answers;
pub(in crate::discord) mod setting_change;
pub(in crate::discord) mod settings;

/// A text that hangs on no control of ours.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("no control of ours says this")]
pub(in crate::discord) struct UnknownControl;
