//! The configuration: `config.toml` as it is built in, under a file of the operator's, under the
//! environment.
//!
//! Everything that is wrong is found at once, and carried as data. A password comes from the
//! environment or a file of its own, and nothing here shows it.

mod database_url;
mod fault;
mod read;
mod settings;
mod values;

use std::ffi::OsString;

pub use self::database_url::{DatabaseUrl, hide_password};
pub use self::fault::{ConfigFault, ConfigFaultKind, ConfigFaults};
pub use self::settings::{
    BUILT_IN, BackupConfig, ClockConfig, Config, ConfigSource, CourierConfig, DatabaseConfig,
    DiscordConfig, FILE, HealthConfig, HostConfig, LettersConfig, LogConfig, LogFormat, PaceConfig,
    PicturesConfig,
};

impl Config {
    /// Reads the configuration: the file that `SHIMEKIRI_CONFIG` names in this environment, or
    /// else [`FILE`] if it is there, and over it the variables of the environment.
    pub fn read(
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigFaults> {
        read::read(environment)
    }

    /// Where this key was said, with its section, as `pace.default`; none for a default.
    pub fn place(&self, key: &str) -> Option<&ConfigSource> {
        self.places.get(key)
    }

    /// Whether somebody wants this key as it is; a copy of the built-in file asks for nothing.
    pub fn is_asked_for(&self, key: &str) -> bool {
        self.asked_for.contains(key)
    }

    /// The configuration in effect as such a file, without secrets.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }
}
