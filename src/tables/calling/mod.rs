//! A person's settings for all of their tables: their time zone, their quiet hours, and the way they are
//! called.

mod read;
mod settings;

pub use read::{SettingsFault, SettingsTopic, check};
pub use settings::{CallMoments, CallTo, CallWay, PersonSettings};
