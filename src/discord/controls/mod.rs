//! Buttons and menus, and what a press on one means.

pub(crate) mod buttons;
pub(crate) mod control;
pub(crate) mod pressed_answers;
pub(crate) mod setting_change;
pub(crate) mod settings;

/// A text that hangs on no control of ours.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("no control of ours says this")]
pub(crate) struct UnknownControl;
