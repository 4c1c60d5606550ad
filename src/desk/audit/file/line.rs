//! The lines of a file, and the hash chain over them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::audit::file::Ending;
use crate::audit::file::kinds::LAST;
use letters::sampled_from;
use rules::receipt;

/// The text between a line's content and its hash.
const SEAM: &str = r#","chain":""#;

/// The length in bytes of a line's end: the seam, 64 hex digits, and the two closing characters.
const END: usize = SEAM.len() + 64 + 2;

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Content<T> {
    /// The kind of the row.
    pub(crate) of: String,
    pub(crate) row: T,
}

/// The reason why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("line {line}: {why:?}")]
pub struct FileFault {
    /// The number of the first bad line, from 1.
    pub line: usize,
    /// The fault of the line.
    pub why: Unfit,
}

/// A fault of a line in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", content = "of", rename_all = "kebab-case")]
pub enum Unfit {
    /// The file was cut off before this line.
    Missing,
    /// The line has another format.
    Foreign,
    /// The line was changed, or one before it was removed or inserted.
    Changed,
    /// The line comes after the last one.
    Surplus,
    /// A line of this kind is missing or out of place.
    Misplaced(String),
    /// The line holds an invalid value; the field holds the value or the error.
    Odd(String),
    /// The file was written by a newer program, in this format.
    Newer(i64),
}

/// Lines that are chained as they are written.
pub(crate) struct ChainedLines {
    text: String,
    chain: [u8; 32],
    count: usize,
}

impl ChainedLines {
    pub(crate) fn new() -> Self {
        Self { text: String::new(), chain: receipt::BEGINNING, count: 0 }
    }

    /// Adds a line.
    ///
    /// # Panics
    /// Never: rows are plain data.
    pub(crate) fn push(&mut self, of: &str, row: &impl Serialize) {
        let content = Content { of: of.to_owned(), row };
        let mut line = serde_json::to_string(&content).expect("a row is plain data");
        line.pop();
        self.chain = receipt::chain_of_file(&self.chain, &line);
        line.push_str(SEAM);
        line.push_str(&hex::encode(self.chain));
        line.push_str("\"}\n");
        self.text.push_str(&line);
        self.count += 1;
    }

    /// Ends the file with its last line.
    pub(crate) fn end(mut self) -> String {
        self.push(LAST, &Ending { lines: self.count });
        self.text
    }
}

/// Reads every line of a file except the last one, and checks the chain.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Content<Json>>, FileFault> {
    let mut chain = receipt::BEGINNING;
    let mut contents: Vec<Content<Json>> = Vec::new();
    let mut is_over = false;
    for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let unfit = |why| Err(FileFault { line: number, why });
        if is_over {
            return unfit(Unfit::Surplus);
        }
        let Some(line) = line.strip_suffix(b"\n") else { return unfit(Unfit::Missing) };
        let Ok(line) = std::str::from_utf8(line) else { return unfit(Unfit::Changed) };
        let Some((body, hash)) = parts(line) else { return unfit(Unfit::Foreign) };
        chain = receipt::chain_of_file(&chain, body);
        if hash != hex::encode(chain) {
            return unfit(Unfit::Changed);
        }
        let Ok(content) = serde_json::from_str::<Content<Json>>(&format!("{body}}}")) else {
            return unfit(Unfit::Foreign);
        };
        if content.of == LAST {
            let is_right = row::<Ending>(&content).is_ok_and(|end| end.lines + 1 == number);
            if !is_right {
                return unfit(Unfit::Missing);
            }
            is_over = true;
        } else {
            contents.push(content);
        }
    }
    if is_over {
        Ok(contents)
    } else {
        Err(FileFault { line: contents.len() + 1, why: Unfit::Missing })
    }
}

/// Splits a line into its content without the closing brace, and its hash.
fn parts(line: &str) -> Option<(&str, &str)> {
    let (body, end) = line.split_at_checked(line.len().checked_sub(END)?)?;
    let hash = end.strip_prefix(SEAM)?.strip_suffix("\"}")?;
    Some((body, hash))
}

/// Parses the row of a line.
pub(crate) fn row<T: DeserializeOwned>(content: &Content<Json>) -> Result<T, Unfit> {
    serde_json::from_value(content.row.clone()).map_err(|error| Unfit::Odd(error.to_string()))
}

sampled_from! {
    Unfit: [
        Unfit::Missing, Unfit::Foreign, Unfit::Changed, Unfit::Surplus,
        Unfit::Misplaced("x".to_owned()), Unfit::Odd("x".to_owned()), Unfit::Newer(9),
    ];
}
