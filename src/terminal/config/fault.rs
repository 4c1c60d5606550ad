//! Faults of a configuration as data; sentences are made elsewhere.

use std::fmt;

use serde::{Serialize, Serializer};

use rules::data::Why;

/// A fault of a configuration with its place. It never contains a password.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ConfigFault {
    pub place: ConfigSource,
    /// The kind of the fault.
    #[serde(flatten)]
    pub what: ConfigFaultKind,
}

/// The place where a value of a configuration is set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfigSource {
    /// A line of a file; lines count from 1.
    Line(String, usize),
    /// A file as a whole.
    File(String),
    /// An environment variable.
    Variable(String),
}

impl fmt::Display for ConfigSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(file, line) => write!(f, "{file}:{line}"),
            Self::File(name) | Self::Variable(name) => f.write_str(name),
        }
    }
}

impl Serialize for ConfigSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The kind of a fault, with data for its remedy. A key is named with its section, as `clock.beat`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ConfigFaultKind {
    /// A file that cannot be read.
    Unreadable { file: String, why: Why },
    /// Invalid TOML, or a repeated key.
    Broken { why: String },
    /// A section that does not exist.
    UnknownSection { said: String, nearest: String, known: Vec<String> },
    /// A key outside of every section.
    Homeless { said: String, section: String },
    /// A key that its section does not have.
    UnknownKey { section: String, said: String, nearest: String, known: Vec<String> },
    /// A variable with the program's prefix that does not exist.
    UnknownVariable { nearest: String },
    /// A value, or a whole section, of the wrong type.
    WrongType { key: String, said: String, right: String, example: String },
    /// A value that cannot be parsed.
    Unclear { key: String, said: String, example: String },
    /// A number or a time that is too small or too large.
    OutOfRange { key: String, said: String, least: String, most: String },
    /// A value that is none of the key's words.
    UnknownWord { key: String, said: String, nearest: String, known: Vec<String> },
    /// A time zone that does not exist.
    UnknownZone { key: String, said: String, nearest: String },
    /// An outage that is shorter than the interval of beats.
    TooSoon { key: String, said: String, than: String, other: String },
    /// A password where none is allowed.
    Password { key: String },
    /// A database that is not supported. The value may contain a secret.
    UnknownDatabase { key: String },
    /// An embedded database without the name of its file.
    NoFile { key: String },
    /// A value that is set in two ways.
    Twice { other: String },
    /// Bytes that are not text.
    NoText,
}
