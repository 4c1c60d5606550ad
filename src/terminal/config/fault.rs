//! What is wrong in a configuration, as data; whoever reads it to a person makes the sentence.

use std::fmt;

use serde::{Serialize, Serializer};

use rules::data::Why;

/// Something wrong in a configuration, and where. It never holds a password.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ConfigFault {
    pub place: ConfigSource,
    /// What is wrong there.
    #[serde(flatten)]
    pub what: ConfigFaultKind,
}

/// Where something of a configuration was said.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfigSource {
    /// At this line of a file, from 1.
    Line(String, usize),
    /// In a file as a whole.
    File(String),
    /// In this variable of the environment.
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

/// What is wrong, and what would be right. A key is named with its section, as `clock.beat`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ConfigFaultKind {
    /// A file that cannot be read.
    Unreadable { file: String, why: Why },
    /// No TOML, or a key that stands twice.
    Broken { why: String },
    /// A section that does not exist.
    UnknownSection { said: String, nearest: String, known: Vec<String> },
    /// A key that stands outside of every section.
    Homeless { said: String, section: String },
    /// A key that its section does not have.
    UnknownKey { section: String, said: String, nearest: String, known: Vec<String> },
    /// A variable of ours that says nothing to us.
    UnknownVariable { nearest: String },
    /// A value, or a whole section, of the wrong type.
    WrongType { key: String, said: String, right: String, example: String },
    /// A value that cannot be read as what it stands for.
    Unclear { key: String, said: String, example: String },
    /// A number or a time that is too small or too large.
    OutOfRange { key: String, said: String, least: String, most: String },
    /// None of the words that this key knows.
    UnknownWord { key: String, said: String, nearest: String, known: Vec<String> },
    /// No time zone.
    UnknownZone { key: String, said: String, nearest: String },
    /// An outage that begins before the next beat is due.
    TooSoon { key: String, said: String, than: String, other: String },
    /// A password where it does not belong.
    Password { key: String },
    /// A database that is neither of the two that are known. What was said may hold a secret.
    UnknownDatabase { key: String },
    /// An embedded database without the name of its file.
    NoFile { key: String },
    /// Said in two ways at once.
    Twice { other: String },
    /// Bytes that are no text.
    NoText,
}
