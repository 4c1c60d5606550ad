//! An option of a game that is on or off.

use serde::{Deserialize, Serialize};

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    On,
    Off,
}

impl Switch {
    /// What a host can say.
    pub const VALUES: &'static [&'static str] = &["on", "off"];

    /// True if it is on.
    pub fn is_on(self) -> bool {
        self == Self::On
    }
}
