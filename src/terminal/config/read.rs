//! The reading of a configuration: the defaults, the file over them, the environment over it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::{fs, io};

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::database_url::{has_password, hide_password};
use super::fault::{ConfigFault, ConfigFaultKind, ConfigSource};
use super::sections::{
    BackupConfig, ClockConfig, Config, CourierConfig, DataConfig, DatabaseConfig, DiscordConfig,
    HealthConfig, HostConfig, LettersConfig, LogConfig, PaceConfig, PicturesConfig,
};
use super::values::{self, ValueText};
use rules::data::{Why, nearest};

/// The built-in file: every key with its default.
pub const BUILT_IN: &str = include_str!("../../../config.toml");

/// The file that is read from the working directory, if it exists.
pub const FILE: &str = "config.toml";

/// All faults of a configuration.
#[derive(Clone, Debug)]
pub struct ConfigFaults {
    /// The faults: first those of the file by line, then those of the environment.
    pub list: Vec<ConfigFault>,
    /// The configuration with defaults in place of faulty values.
    pub rest: Box<Config>,
}

/// The prefix of the program's variables.
const PREFIX: &str = "SHIMEKIRI_";
const CONFIG: &str = "SHIMEKIRI_CONFIG";

/// The variables of the token.
const TOKENS: [&str; 2] = ["DISCORD_TOKEN", "DISCORD_TOKEN_FILE"];

const URL_FILE: &str = "SHIMEKIRI_DATABASE_URL_FILE";
const URL: &str = "database.url";

/// True for variables that are not configuration, among them those of tests.
fn is_foreign(name: &str) -> bool {
    !name.starts_with(PREFIX)
        || ["SHIMEKIRI_DIE_AT", "SHIMEKIRI_STOP_AT"].contains(&name)
        || name.starts_with("SHIMEKIRI_TEST_")
}

impl Config {
    /// Reads the configuration: the file named by `SHIMEKIRI_CONFIG` in this environment, or else [`FILE`] if
    /// it exists, and over it the variables of the environment.
    pub fn read(
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigFaults> {
        let mut reading = ConfigReader::of_defaults();
        let variables = reading.variables(environment);
        reading.file(variables.get(CONFIG).map_or("", String::as_str));
        reading.environment(&variables);
        let config = reading.config();
        let mut list = reading.faults;
        if list.is_empty() {
            return Ok(config);
        }
        list.sort();
        Err(ConfigFaults { list, rest: Box::new(config) })
    }
}

/// The value of a key and its place; `None` for a default.
struct GivenValue {
    text: String,
    place: Option<ConfigSource>,
}

struct ConfigReader {
    defaults: Table,
    given: BTreeMap<String, GivenValue>,
    faults: Vec<ConfigFault>,
}

impl ConfigReader {
    fn of_defaults() -> Self {
        let defaults: Table = toml::from_str(BUILT_IN).expect("the built-in file");
        let mut given = BTreeMap::new();
        for (section, keys) in &defaults {
            for (key, value) in keys.as_table().into_iter().flatten() {
                let said_here = GivenValue { text: text(value), place: None };
                given.insert(format!("{section}.{key}"), said_here);
            }
        }
        Self { defaults, given, faults: Vec::new() }
    }

    fn fault(&mut self, place: ConfigSource, what: ConfigFaultKind) {
        self.faults.push(ConfigFault { place, what });
    }

    fn default_of(&self, key: &str) -> &Value {
        let (section, name) = key.split_once('.').expect("a section and a key");
        &self.defaults[section][name]
    }

    // --- The environment ---

    /// Returns the program's variables that are text; others are faults.
    fn variables(
        &mut self,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> BTreeMap<String, String> {
        let mut variables = BTreeMap::new();
        for (name, value) in environment {
            let Some(name) = name.to_str().filter(|name| !is_foreign(name)) else { continue };
            match value.into_string() {
                Ok(value) => {
                    variables.insert(name.to_owned(), value);
                }
                Err(_) => {
                    self.fault(ConfigSource::Variable(name.to_owned()), ConfigFaultKind::NoText);
                }
            }
        }
        variables
    }

    fn environment(&mut self, variables: &BTreeMap<String, String>) {
        let keys: BTreeMap<String, String> =
            self.given.keys().map(|key| (variable_of(key), key.clone())).collect();
        for (name, value) in variables {
            let place = ConfigSource::Variable(name.clone());
            if let Some(key) = keys.get(name) {
                let given = GivenValue { text: value.clone(), place: Some(place) };
                self.given.insert(key.clone(), given);
            } else if name == URL_FILE {
                self.url_file(place, value, variables);
            } else if name != CONFIG {
                // The shared prefix must not count as a likeness.
                let bare = |name: &'_ str| name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
                let ours: Vec<&str> =
                    keys.keys().map(String::as_str).chain([CONFIG, URL_FILE]).collect();
                let bared: Vec<String> = ours.iter().map(|name| bare(name)).collect();
                let nearest = nearest(&bare(name), bared.iter().map(String::as_str));
                let nearest = nearest.and_then(|near| bared.iter().position(|bare| bare == near));
                // The token has a variable of its own outside the configuration.
                let token = name.strip_prefix(PREFIX).filter(|rest| TOKENS.contains(rest));
                let nearest = token.or(nearest.map(|at| ours[at])).unwrap_or_default().to_owned();
                self.fault(place, ConfigFaultKind::UnknownVariable { nearest });
            }
        }
    }

    /// Reads the URL of the database from a file of its own, which may contain the password.
    fn url_file(&mut self, place: ConfigSource, file: &str, variables: &BTreeMap<String, String>) {
        if file.is_empty() {
            return;
        }
        let other = variable_of(URL);
        if variables.contains_key(&other) {
            return self.fault(place, ConfigFaultKind::Twice { other });
        }
        match fs::read_to_string(file) {
            Ok(text) => {
                let url = GivenValue { text: text.trim().to_owned(), place: Some(place) };
                self.given.insert(URL.to_owned(), url);
            }
            Err(error) => self.fault(place, unreadable(file, &error)),
        }
    }

    // --- The file ---

    /// Reads the named file, or the one of the working directory if none is named.
    fn file(&mut self, named: &str) {
        let (file, place) = match named {
            "" => (FILE, ConfigSource::File(FILE.to_owned())),
            named => (named, ConfigSource::Variable(CONFIG.to_owned())),
        };
        match fs::read_to_string(file) {
            Ok(text) => self.text(file, &text),
            Err(error) if named.is_empty() && error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.fault(place, unreadable(file, &error)),
        }
    }

    fn text(&mut self, file: &str, text: &str) {
        let line = |byte: usize| {
            let before = text.get(..byte).unwrap_or(text);
            ConfigSource::Line(file.to_owned(), before.matches('\n').count() + 1)
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            for error in errors {
                let place = line(error.span().map_or(0, |span| span.start));
                // One mistake may break several rules of TOML.
                if self.faults.iter().all(|fault| fault.place != place) {
                    let why = hide_password(error.message().trim());
                    self.fault(place, ConfigFaultKind::Broken { why });
                }
            }
            return;
        }
        for (section, keys) in table.get_ref() {
            let (place, section) = (line(section.span().start), section.get_ref());
            match (self.defaults.contains_key(section.as_ref()), keys.get_ref()) {
                (true, DeValue::Table(keys)) => self.section(section, keys, line),
                (true, other) => {
                    let example = format!("[{section}]");
                    let what = wrong_type(section, other.type_str(), "table", example);
                    self.fault(place, what);
                }
                (false, _) => self.unknown_section(place, section),
            }
        }
    }

    fn unknown_section(&mut self, place: ConfigSource, section_name: &str) {
        let section_name = section_name.to_owned();
        let home = self.given.keys().filter_map(|key| key.split_once('.'));
        let home =
            home.filter(|(_, key)| *key == section_name).map(|(section, _)| section.to_owned());
        let home: Vec<String> = home.collect();
        let what = if let [section] = home.as_slice() {
            ConfigFaultKind::Homeless { said: section_name, section: section.clone() }
        } else {
            let known: Vec<String> = self.defaults.keys().cloned().collect();
            let nearest =
                nearest(&section_name, known.iter().map(String::as_str)).unwrap_or_default();
            ConfigFaultKind::UnknownSection {
                nearest: nearest.to_owned(),
                said: section_name,
                known,
            }
        };
        self.fault(place, what);
    }

    fn section(&mut self, section: &str, keys: &DeTable<'_>, line: impl Fn(usize) -> ConfigSource) {
        for (name, value) in keys {
            let (place, name) = (line(name.span().start), name.get_ref());
            let key = format!("{section}.{name}");
            if !self.given.contains_key(&key) {
                self.unknown_key(place, section, name);
                continue;
            }
            let (default, given) = (self.default_of(&key), value.get_ref());
            if default.type_str() != given.type_str() {
                let what = wrong_type(&key, given.type_str(), default.type_str(), text(default));
                self.fault(place, what);
                continue;
            }
            let text = text_of(value);
            if key == URL && has_password(&text) {
                self.fault(place, ConfigFaultKind::Password { key });
                continue;
            }
            self.given.insert(key, GivenValue { text, place: Some(place) });
        }
    }

    fn unknown_key(&mut self, place: ConfigSource, section: &str, input: &str) {
        let known: Vec<String> = match &self.defaults[section] {
            Value::Table(keys) => keys.keys().cloned().collect(),
            _ => Vec::new(),
        };
        let nearest = nearest(input, known.iter().map(String::as_str)).unwrap_or_default();
        let (section, input, nearest) = (section.to_owned(), input.to_owned(), nearest.to_owned());
        self.fault(place, ConfigFaultKind::UnknownKey { section, said: input, nearest, known });
    }

    // --- What it comes to ---

    /// Builds the configuration, with defaults in place of faulty values.
    fn config(&mut self) -> Config {
        let config = Config {
            host: HostConfig { language: self.take("host.language", values::language) },
            pace: PaceConfig {
                default: self.take("pace.default", values::words),
                zone: self.take("pace.zone", values::zone),
            },
            letters: LettersConfig { folder: self.take("letters.folder", values::path) },
            data: DataConfig { sets: self.take("data.sets", values::path) },
            discord: DiscordConfig {
                api: self.take("discord.api", values::web),
                guild: self.take("discord.guild", values::id),
                per_person: self.take("discord.per_person", values::count),
                rest: self.take("discord.rest", values::time),
            },
            pictures: PicturesConfig {
                font: self.take("pictures.font", values::path),
                show: self.take("pictures.show", values::switch),
            },
            database: DatabaseConfig {
                url: self.take(URL, values::database_url),
                connections: self.take("database.connections", values::connections),
            },
            backup: BackupConfig {
                every: self.take("backup.every", values::interval),
                keep: self.take("backup.keep", values::stored),
                folder: self.take("backup.folder", values::folder),
            },
            courier: CourierConfig { retry: self.take("courier.retry", values::time) },
            clock: ClockConfig {
                beat: self.take("clock.beat", values::time),
                outage: self.take("clock.outage", values::time),
            },
            health: HealthConfig { address: self.take("health.address", values::address) },
            log: LogConfig {
                level: self.take("log.level", values::level),
                format: self.take("log.format", values::log_format),
                is_set: self.is_asked_for("log.level"),
            },
            places: self.places(),
            asked_for: self.given.keys().filter(|key| self.is_asked_for(key)).cloned().collect(),
        };
        if config.clock.outage <= config.clock.beat {
            self.outage_too_soon();
        }
        config
    }

    fn places(&self) -> BTreeMap<String, ConfigSource> {
        let given = self.given.iter();
        given.filter_map(|(key, given)| Some((key.clone(), given.place.clone()?))).collect()
    }

    /// True if a key is set deliberately; a copy of the built-in file sets nothing.
    fn is_asked_for(&self, key: &str) -> bool {
        let given = &self.given[key];
        matches!(given.place, Some(ConfigSource::Variable(_)))
            || given.text != text(self.default_of(key))
    }

    fn outage_too_soon(&mut self) {
        let (outage, beat) = (&self.given["clock.outage"], &self.given["clock.beat"]);
        let Some(place) = outage.place.clone().or_else(|| beat.place.clone()) else { return };
        let what = ConfigFaultKind::TooSoon {
            key: "clock.outage".to_owned(),
            said: outage.text.clone(),
            than: "clock.beat".to_owned(),
            other: beat.text.clone(),
        };
        self.fault(place, what);
    }

    fn take<T>(&mut self, key: &str, read: fn(&ValueText<'_>) -> Result<T, ConfigFaultKind>) -> T {
        let example = text(self.default_of(key));
        let given = &self.given[key];
        let what = match read(&ValueText { key, text: &given.text, example: &example }) {
            Ok(value) => return value,
            Err(what) => what,
        };
        if let Some(place) = given.place.clone() {
            self.fault(place, what);
        }
        let default = read(&ValueText { key, text: &example, example: &example });
        default.expect("the default")
    }
}

/// Returns the variable that overrides a key.
fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.to_uppercase().replace('.', "_"))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a value of one of the three supported types as text.
fn text_of(value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::Integer(number) => {
            let read = i64::from_str_radix(number.as_str(), number.radix());
            read.map_or_else(|_| number.as_str().to_owned(), |number| number.to_string())
        }
        DeValue::Boolean(is) => is.to_string(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

fn wrong_type(key: &str, input: &str, right: &str, example: String) -> ConfigFaultKind {
    ConfigFaultKind::WrongType {
        key: key.to_owned(),
        said: input.to_owned(),
        right: right.to_owned(),
        example,
    }
}

fn unreadable(file: &str, error: &io::Error) -> ConfigFaultKind {
    ConfigFaultKind::Unreadable { file: file.to_owned(), why: Why::from(error) }
}
