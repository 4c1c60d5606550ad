//! What somebody sets for all of their tables: in which zone they live, when they are not to be
//! called, and how they are.

mod read;
mod settings;

pub use read::{SettingsFault, SettingsTopic, check};
pub use settings::{CallMoments, CallTo, CallWay, PersonSettings};
