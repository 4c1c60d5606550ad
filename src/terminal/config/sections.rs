//! The sections of the configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use chrono_tz::Tz;
use serde::{Serialize, Serializer};

use super::database_url::DatabaseUrl;
use super::fault::ConfigSource;
use rules::text::Lang;

/// The configuration in effect.
#[derive(Clone, Debug, Serialize)]
pub struct Config {
    pub host: HostConfig,
    pub pace: PaceConfig,
    pub letters: LettersConfig,
    pub data: DataConfig,
    pub discord: DiscordConfig,
    pub pictures: PicturesConfig,
    pub database: DatabaseConfig,
    pub backup: BackupConfig,
    pub courier: CourierConfig,
    pub clock: ClockConfig,
    pub health: HealthConfig,
    pub log: LogConfig,
    /// The places of the keys that are set.
    #[serde(skip)]
    pub(super) places: BTreeMap<String, ConfigSource>,
    /// The keys that differ from their defaults or are set by the environment.
    #[serde(skip)]
    pub(super) asked_for: BTreeSet<String>,
}

/// The messages of the program to its host.
#[derive(Clone, Debug, Serialize)]
pub struct HostConfig {
    /// The language of the host's messages; `None` for this machine's.
    #[serde(serialize_with = "or_empty")]
    pub language: Option<Lang>,
}

/// The default pace.
#[derive(Clone, Debug, Serialize)]
pub struct PaceConfig {
    /// The pace of a table whose host sets none, as typed.
    pub default: String,
    /// The time zone of the pace.
    pub zone: Tz,
}

/// The texts of letters.
#[derive(Clone, Debug, Serialize)]
pub struct LettersConfig {
    /// The folder whose files replace single letters; `None` for none.
    #[serde(serialize_with = "path_or_empty")]
    pub folder: Option<PathBuf>,
}

/// The data of games.
#[derive(Clone, Debug, Serialize)]
pub struct DataConfig {
    /// The folder with the sets of cards that hosts can choose; `None` for the built-in ones alone.
    #[serde(serialize_with = "path_or_empty")]
    pub sets: Option<PathBuf>,
}

/// The pictures of tables.
#[derive(Clone, Debug, Serialize)]
pub struct PicturesConfig {
    /// The path of the font; `None` if the program looks for one.
    #[serde(serialize_with = "path_or_empty")]
    pub font: Option<PathBuf>,
    /// True if there are pictures.
    pub show: bool,
}

/// The database of the tables.
#[derive(Clone, Debug, Serialize)]
pub struct DatabaseConfig {
    pub url: DatabaseUrl,
    /// The maximum number of open connections.
    pub connections: u32,
}

/// The copies of the database while it is served.
#[derive(Clone, Debug, Serialize)]
pub struct BackupConfig {
    /// The interval of copies; `None` for no copies.
    #[serde(serialize_with = "time_or_empty")]
    pub every: Option<Duration>,
    /// The maximum number of stored copies.
    pub keep: u32,
    /// The folder of the copies.
    pub folder: PathBuf,
}

/// The connection to Discord and the posts there.
#[derive(Clone, Debug, Serialize)]
pub struct DiscordConfig {
    pub api: String,
    /// The one server where commands are registered; `None` for all servers.
    #[serde(serialize_with = "or_zero")]
    pub guild: Option<u64>,
    /// The maximum number of actions of a person in 10 seconds; 0 for no limit.
    pub per_person: u32,
    /// The minimum time between two redraws of a post.
    #[serde(serialize_with = "time")]
    pub rest: Duration,
}

/// The delivery of letters to Discord.
#[derive(Clone, Debug, Serialize)]
pub struct CourierConfig {
    /// The delay before a retry.
    #[serde(serialize_with = "time")]
    pub retry: Duration,
}

/// The beats by which outages are found.
#[derive(Clone, Debug, Serialize)]
pub struct ClockConfig {
    /// The interval of a process's beats.
    #[serde(serialize_with = "time")]
    pub beat: Duration,
    /// The silence of all processes, longer than a beat, after which there was an outage.
    #[serde(serialize_with = "time")]
    pub outage: Duration,
}

/// The health endpoint.
#[derive(Clone, Debug, Serialize)]
pub struct HealthConfig {
    /// The address of the endpoint; `None` for none.
    #[serde(serialize_with = "address_or_empty")]
    pub address: Option<SocketAddr>,
}

/// The log.
#[derive(Clone, Debug, Serialize)]
pub struct LogConfig {
    /// A directive of `tracing`'s `EnvFilter`.
    pub level: String,
    /// The format of a line.
    pub format: LogFormat,
    /// True if the level is set deliberately: it is not the default, or the environment sets it.
    #[serde(skip)]
    pub is_set: bool,
}

/// The format of a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    /// One JSON object, for programs.
    Json,
}

impl Config {
    /// Returns the place of a key named with its section, as `pace.default`; `None` for a default.
    pub fn place(&self, key: &str) -> Option<&ConfigSource> {
        self.places.get(key)
    }

    /// True if a key is set deliberately; a copy of the built-in file sets nothing.
    pub fn is_asked_for(&self, key: &str) -> bool {
        self.asked_for.contains(key)
    }

    /// Returns the configuration in effect as TOML, without secrets.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }
}

#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde gives it so")]
fn or_empty<S: Serializer>(lang: &Option<Lang>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(lang.map_or("", Lang::code))
}

#[expect(clippy::ref_option, reason = "serde gives it so")]
fn or_zero<S: Serializer>(id: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(id.unwrap_or(0))
}

#[expect(clippy::ref_option, reason = "serde gives it so")]
fn path_or_empty<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => serializer.collect_str(&path.display()),
        None => serializer.serialize_str(""),
    }
}

#[expect(clippy::ref_option, reason = "serde gives it so")]
fn address_or_empty<S: Serializer>(
    address: &Option<SocketAddr>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&address.map(|address| address.to_string()).unwrap_or_default())
}

#[expect(clippy::ref_option, reason = "serde gives it so")]
fn time_or_empty<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = time.map(|time| humantime::format_duration(time).to_string());
    serializer.serialize_str(&text.unwrap_or_default())
}

fn time<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_duration(*time))
}
