//! Buttons and menus, and the data in their ids.

pub(crate) mod buttons;
pub(crate) mod control;
pub(crate) mod settings;

pub(crate) use crate::controls::control::{
    ButtonAction, Control, DraftReference, PressedAnswers, SettingChange, SettingsReference,
    TypedSetting,
};
