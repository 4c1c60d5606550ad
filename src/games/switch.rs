//! An on/off option of a game.

use serde::{Deserialize, Serialize};

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    On,
    Off,
}

impl Switch {
    /// The values that a host can choose.
    pub const VALUES: &'static [&'static str] = &["on", "off"];

    /// True for [`Self::On`].
    pub fn is_on(self) -> bool {
        self == Self::On
    }
}
