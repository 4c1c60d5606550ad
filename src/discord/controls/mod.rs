//! Buttons and menus, and the data in their ids.

pub(crate) mod buttons;
pub(crate) mod control;
pub(crate) mod pressed_answers;
pub(crate) mod setting_change;
pub(crate) mod settings;

/// A `custom_id` that is not of this bot.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("no control of ours says this")]
pub(crate) struct UnknownControl;
