//! Data files, with the file and line of each fault.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::ops::Deref;
use std::sync::{LazyLock, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A fault in a data file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct DataFault {
    /// The path of the file in the repository.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// A description of the fault and of the correct input.
    pub what: String,
}

impl DataFault {
    /// Returns a fault at the first line that starts with this key.
    pub fn at_key(file: &str, text: &str, key: &str, what: impl Into<String>) -> Self {
        let line = text.lines().position(|line| line.trim_start().starts_with(key));
        Self { file: file.into(), line: line.map_or(1, |line| line + 1), what: what.into() }
    }

    /// Returns a fault at the first line that has this word in quotation marks.
    pub fn at_word(file: &str, text: &str, word: &str, what: impl Into<String>) -> Self {
        let quoted = format!("\"{word}\"");
        Self::at_byte(file, text, text.find(&quoted).unwrap_or_default(), what)
    }

    /// Returns a fault at this byte of the text.
    pub fn at_byte(file: &str, text: &str, byte: usize, what: impl Into<String>) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        Self { file: file.into(), line, what: what.into() }
    }
}

/// The reason of a failure: a word for one that an operator can fix, from which the templates make a
/// sentence, and the message of the operating system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Why {
    /// The word, `None` if there is none for this failure.
    pub is: Option<&'static str>,
    /// The message of the operating system.
    pub message: String,
}

impl From<&io::Error> for Why {
    fn from(error: &io::Error) -> Self {
        Self { is: word_of(error), message: error.to_string() }
    }
}

/// Returns the word for an error about a file or an address, `None` if there is none.
pub fn word_of(error: &io::Error) -> Option<&'static str> {
    Some(match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "full",
        ErrorKind::FileTooLarge => "too-large",
        ErrorKind::PermissionDenied => "denied",
        ErrorKind::ReadOnlyFilesystem => "read-only",
        ErrorKind::NotFound => "missing",
        ErrorKind::NotADirectory => "no-folder",
        ErrorKind::IsADirectory => "folder",
        ErrorKind::AddrInUse => "address-taken",
        ErrorKind::AddrNotAvailable => "no-address",
        ErrorKind::InvalidData => "no-text",
        ErrorKind::ConnectionRefused => "connection-refused",
        _ => return None,
    })
}

/// Parses a TOML file.
pub fn parse<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, DataFault> {
    toml::from_str(text).map_err(|error| {
        let byte = error.span().map_or(0, |span| span.start);
        DataFault::at_byte(file, text, byte, error.message().trim())
    })
}

/// Parses a file with a JSON document on each line.
pub fn parse_lines<T: DeserializeOwned>((file, text): (&str, &str)) -> Result<Vec<T>, DataFault> {
    let fault = |line, error: serde_json::Error| {
        let (file, what) = (file.to_owned(), error.to_string());
        DataFault { file, line, what }
    };
    let read =
        |(document, line)| serde_json::from_str(document).map_err(|error| fault(line, error));
    text.lines().zip(1..).map(read).collect()
}

/// The files that replace built-in ones by the path of those: each the own path, and the text.
static REPLACED: OnceLock<BTreeMap<String, (String, String)>> = OnceLock::new();

/// Replaces built-in data files by path, each by the path and the text of another. Called once, before any of
/// the files is read.
pub fn replace(files: BTreeMap<String, (String, String)>) {
    let is_first = REPLACED.set(files).is_ok();
    debug_assert!(is_first, "the data is replaced once");
}

/// Returns the path and the text of a built-in data file, or of the file that [replaces](replace) it.
pub fn in_use(built_in: (&'static str, &'static str)) -> (&'static str, &'static str) {
    let replaced = REPLACED.get().and_then(|files| files.get(built_in.0));
    replaced.map_or(built_in, |(path, text)| (path, text))
}

/// Returns the parsed content of a file that is part of the program.
///
/// # Panics
/// If the file is faulty, which `shimekiri check` and a test of its reader rule out.
pub fn built_in<T>(read: Result<T, DataFault>) -> T {
    read.unwrap_or_else(|fault| panic!("built-in data: {fault}"))
}

/// The content of a file that is part of the program, parsed once for its check and for all uses.
///
/// A use of a faulty file panics, which `shimekiri check` and a test of its reader rule out.
#[derive(Debug)]
pub struct BuiltIn<T>(LazyLock<Result<T, DataFault>>);

impl<T> BuiltIn<T> {
    pub const fn new(read: fn() -> Result<T, DataFault>) -> Self {
        Self(LazyLock::new(read))
    }

    /// Returns the fault of the file, `None` if it has none.
    pub fn fault(&self) -> Option<DataFault> {
        self.0.as_ref().err().cloned()
    }
}

impl<T> Deref for BuiltIn<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().unwrap_or_else(|fault| panic!("built-in data: {fault}"))
    }
}

/// Returns the known word most similar to this one, `None` if no similarity is above a half.
pub fn nearest<'a>(input: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |word: &&str| strsim::normalized_damerau_levenshtein(input, word);
    let near = known.into_iter().filter(|word| likeness(word) > 0.5);
    near.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}

/// The path and the text of a file of the repository that is part of the program, given the parts of its
/// path.
///
/// For crates whose manifest lies two folders below the root of the repository.
#[macro_export]
macro_rules! built_in_file {
    ($($part:literal),+) => {
        (
            concat!($($part),+),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $($part),+)),
        )
    };
}
