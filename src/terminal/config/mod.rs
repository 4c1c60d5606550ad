//! The configuration: `config.toml` as it is built in, under a file of the operator's, under the
//! environment.
//!
//! Everything that is wrong is found at once, and carried as data. A password comes from the
//! environment or a file of its own, and nothing here shows it.

mod database_url;
mod fault;
mod read;
mod sections;
mod values;

pub use database_url::{DatabaseUrl, hide_password};
pub use fault::{ConfigFault, ConfigFaultKind, ConfigSource};
pub use read::{BUILT_IN, ConfigFaults, FILE};
pub use sections::{
    BackupConfig, ClockConfig, Config, CourierConfig, DatabaseConfig, DiscordConfig, HealthConfig,
    HostConfig, LettersConfig, LogConfig, LogFormat, PaceConfig, PicturesConfig,
};
