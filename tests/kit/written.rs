//! The parts of documents that a program writes: the text between two marks. The first mark names the command
//! that writes the part.

use std::fs;

/// The variable that has parts written instead of compared.
pub const UPDATE: &str = "SHIMEKIRI_TEST_UPDATE";

/// The mark at the end of a part.
const END: &str = "\n<!-- end -->";

/// A part of a document.
#[derive(Debug)]
pub struct Part {
    document: &'static str,
    before: String,
    /// The current text of the part.
    pub stands: String,
    after: String,
}

impl Part {
    /// Finds the part of a document with this name, written by `cargo COMMAND`.
    pub fn of(document: &'static str, name: &str, command: &str) -> Result<Self, String> {
        let text = fs::read_to_string(document).map_err(|why| format!("{document}: {why}"))?;
        let mark = format!("<!-- {name}, written by: {UPDATE}=1 cargo {command} -->\n\n");
        let missing = || format!("{document} has no {mark}");
        let begins = text.find(&mark).ok_or_else(missing)? + mark.len();
        let ends = begins + text[begins..].find(END).ok_or_else(missing)?;
        let (before, after) = (text[..begins].to_owned(), text[ends..].to_owned());
        Ok(Self { document, before, stands: text[begins..ends].to_owned(), after })
    }

    /// Replaces the text of the part.
    pub fn write(&self, should: &str) -> Result<(), String> {
        let text = format!("{}{should}{}", self.before, self.after);
        fs::write(self.document, text).map_err(|why| format!("{}: {why}", self.document))
    }
}

/// True if parts are written instead of compared.
pub fn is_updated() -> bool {
    std::env::var_os(UPDATE).is_some()
}
