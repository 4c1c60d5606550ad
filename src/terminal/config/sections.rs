//! Everything that can be set, by its sections.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use chrono_tz::Tz;
use serde::{Serialize, Serializer};

use super::database_url::DatabaseUrl;
use super::fault::ConfigSource;
use rules::text::Lang;

/// Everything that can be set, as it is in effect.
#[derive(Clone, Debug, Serialize)]
pub struct Config {
    pub host: HostConfig,
    /// When windows close.
    pub pace: PaceConfig,
    /// What is written.
    pub letters: LettersConfig,
    pub discord: DiscordConfig,
    /// What is drawn.
    pub pictures: PicturesConfig,
    /// Where tables are kept.
    pub database: DatabaseConfig,
    /// How it is copied.
    pub backup: BackupConfig,
    pub courier: CourierConfig,
    /// What notices time.
    pub clock: ClockConfig,
    /// Where the process says how it is.
    pub health: HealthConfig,
    /// What is logged.
    pub log: LogConfig,
    /// Where each key was said that somebody has said.
    #[serde(skip)]
    pub(super) places: BTreeMap<String, ConfigSource>,
    /// The keys that somebody wants otherwise than by default, or that the environment names.
    #[serde(skip)]
    pub(super) asked_for: BTreeSet<String>,
}

/// Who runs the program, as players are told.
#[derive(Clone, Debug, Serialize)]
pub struct HostConfig {
    /// The language of the host's messages, if not this machine's.
    #[serde(serialize_with = "or_empty")]
    pub language: Option<Lang>,
}

/// When windows close.
#[derive(Clone, Debug, Serialize)]
pub struct PaceConfig {
    /// The pace of a table whose host says nothing else, as it is written.
    pub default: String,
    /// The zone in which it is meant.
    pub zone: Tz,
}

/// What is written.
#[derive(Clone, Debug, Serialize)]
pub struct LettersConfig {
    /// A folder whose files replace single letters.
    #[serde(serialize_with = "path_or_empty")]
    pub folder: Option<PathBuf>,
}

/// What is drawn.
#[derive(Clone, Debug, Serialize)]
pub struct PicturesConfig {
    /// The font, if it is not for the program to find one.
    #[serde(serialize_with = "path_or_empty")]
    pub font: Option<PathBuf>,
    /// True if there are pictures at all.
    pub show: bool,
}

/// Where tables are kept.
#[derive(Clone, Debug, Serialize)]
pub struct DatabaseConfig {
    pub url: DatabaseUrl,
    /// The number of connections that are open at most.
    pub connections: u32,
}

/// How the database is copied while it is served.
#[derive(Clone, Debug, Serialize)]
pub struct BackupConfig {
    /// How often, if at all.
    #[serde(serialize_with = "time_or_empty")]
    pub every: Option<Duration>,
    /// The number of copies that are kept.
    pub keep: u32,
    /// Where they lie.
    pub folder: PathBuf,
}

/// How Discord is reached, and what is shown there.
#[derive(Clone, Debug, Serialize)]
pub struct DiscordConfig {
    pub api: String,
    /// The one server that is told of the commands; none for all.
    #[serde(serialize_with = "or_zero")]
    pub guild: Option<u64>,
    /// How much one person can do in 10 seconds; 0 for as much as they like.
    pub per_person: u32,
    /// The time for which the post of a table rests between two changes.
    #[serde(serialize_with = "time")]
    pub rest: Duration,
}

/// How letters are sent to Discord.
#[derive(Clone, Debug, Serialize)]
pub struct CourierConfig {
    /// How long after a failed sending it is tried again.
    #[serde(serialize_with = "time")]
    pub retry: Duration,
}

/// What notices time.
#[derive(Clone, Debug, Serialize)]
pub struct ClockConfig {
    /// How often a process says that it is alive.
    #[serde(serialize_with = "time")]
    pub beat: Duration,
    /// A longer silence of every process is an outage. It is longer than the beat.
    #[serde(serialize_with = "time")]
    pub outage: Duration,
}

/// Where the process says how it is.
#[derive(Clone, Debug, Serialize)]
pub struct HealthConfig {
    /// The address, if anybody may ask.
    #[serde(serialize_with = "address_or_empty")]
    pub address: Option<SocketAddr>,
}

/// What is logged.
#[derive(Clone, Debug, Serialize)]
pub struct LogConfig {
    /// A directive of `tracing`'s `EnvFilter`.
    pub level: String,
    /// The form of a line.
    pub format: LogFormat,
    /// Whether somebody asked for this level: it is not the default, or the environment names it.
    #[serde(skip)]
    pub is_set: bool,
}

/// The form of a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    /// One JSON object, for programs.
    Json,
}

impl Config {
    /// Where this key was said, with its section, as `pace.default`; none for a default.
    pub fn place(&self, key: &str) -> Option<&ConfigSource> {
        self.places.get(key)
    }

    /// True if somebody wants this key as it is; a copy of the built-in file asks for nothing.
    pub fn is_asked_for(&self, key: &str) -> bool {
        self.asked_for.contains(key)
    }

    /// The configuration in effect as such a file, without secrets.
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
    let said = time.map(|time| humantime::format_duration(time).to_string());
    serializer.serialize_str(&said.unwrap_or_default())
}

fn time<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_duration(*time))
}
