//! Parts of documents that a program writes: what stands between two marks, of which the first
//! names the command that writes it.

use std::fs;

/// With this variable set, what stands there is written instead of held.
pub const UPDATE: &str = "SHIMEKIRI_TEST_UPDATE";

/// Where a part ends.
const END: &str = "\n<!-- end -->";

/// A part of a document.
#[derive(Debug)]
pub struct Part {
    document: &'static str,
    before: String,
    /// What stands there.
    pub stands: String,
    after: String,
}

impl Part {
    /// The part of a document that is called so, and that `cargo COMMAND` writes.
    pub fn of(document: &'static str, name: &str, command: &str) -> Result<Self, String> {
        let text = fs::read_to_string(document).map_err(|why| format!("{document}: {why}"))?;
        let mark = format!("<!-- {name}, written by: {UPDATE}=1 cargo {command} -->\n\n");
        let missing = || format!("{document} has no {mark}");
        let begins = text.find(&mark).ok_or_else(missing)? + mark.len();
        let ends = begins + text[begins..].find(END).ok_or_else(missing)?;
        let (before, after) = (text[..begins].to_owned(), text[ends..].to_owned());
        Ok(Self { document, before, stands: text[begins..ends].to_owned(), after })
    }

    /// Writes what should stand there.
    pub fn write(&self, should: &str) -> Result<(), String> {
        let text = format!("{}{should}{}", self.before, self.after);
        fs::write(self.document, text).map_err(|why| format!("{}: {why}", self.document))
    }
}

/// True if parts are to be written.
pub fn is_updated() -> bool {
    std::env::var_os(UPDATE).is_some()
}
