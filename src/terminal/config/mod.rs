//! The configuration: the built-in `config.toml`, overridden by the operator's file, overridden by the
//! environment.
//!
//! All faults are found together and carried as data. A password comes from the environment or a file of its
//! own, and is never shown.

mod database_url;
mod fault;
mod read;
mod sections;
mod values;

pub use database_url::{DatabaseUrl, hide_password};
pub use fault::{ConfigFault, ConfigFaultKind, ConfigSource};
pub use read::{BUILT_IN, ConfigFaults, FILE};
pub use sections::{
    BackupConfig, ClockConfig, Config, CourierConfig, DataConfig, DatabaseConfig, DiscordConfig,
    HealthConfig, HostConfig, LettersConfig, LogConfig, LogFormat, PaceConfig, PicturesConfig,
};
