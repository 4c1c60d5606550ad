//! Where the database is, without telling its password.

use std::fmt;

use percent_encoding::percent_decode_str;
use serde::{Serialize, Serializer};

/// Where the database is. Its password is shown to nobody but who connects.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The address, if it is one of a database that is known.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let known = ["sqlite:", "postgres://", "postgresql://"];
        known.iter().any(|scheme| text.starts_with(scheme)).then(|| Self(text.to_owned()))
    }

    /// The whole of it, with the password, to connect with.
    pub fn with_password(&self) -> &str {
        &self.0
    }

    /// True if it names no file, where it should: what is written there would be lost at once.
    pub(super) fn is_nameless(&self) -> bool {
        let file = self.0.strip_prefix("sqlite:").map(|file| file.trim_start_matches("//"));
        let is_none = |file: &str| file.trim().is_empty() || file.trim() == ":memory:";
        file.is_some_and(|file| file.split('?').next().is_none_or(is_none))
    }

    /// True if this is a file or memory of `SQLite`, and no server.
    pub fn is_sqlite(&self) -> bool {
        self.0.starts_with("sqlite:")
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hide_password(&self.0))
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

impl Serialize for DatabaseUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What stands for a password.
const HIDDEN: &str = "***";

/// The text with the password of a URL in it hidden: behind the user's name, or as a parameter.
pub fn hide_password(text: &str) -> String {
    let mut shown = text.to_owned();
    let user = shown.find("://").map(|at| at + "://".len());
    // A password that was not escaped may hold any sign, so it ends with the last `@`.
    if let (Some(user), Some(end)) = (user, shown.rfind('@'))
        && let Some(start) = shown.get(user..end).and_then(|said| said.find(':'))
    {
        shown.replace_range(user + start + 1..end, HIDDEN);
    }
    let mut from = 0;
    while let Some(at) = shown[from..].find("password=") {
        let start = from + at + "password=".len();
        let end = shown[start..].find('&').map_or(shown.len(), |length| start + length);
        shown.replace_range(start..end, HIDDEN);
        from = start;
    }
    // The name of a parameter may be written in escapes, and means the same.
    let Some(query) = shown.find('?') else { return shown };
    let parameters = shown[query + 1..].split('&').map(|parameter| {
        let named = parameter.split_once('=').filter(|(name, _)| is_secret(name));
        named.map_or_else(|| parameter.to_owned(), |(name, _)| format!("{name}={HIDDEN}"))
    });
    let parameters = parameters.collect::<Vec<_>>().join("&");
    shown.replace_range(query + 1.., &parameters);
    shown
}

/// True if a parameter of a URL is the password.
fn is_secret(name: &str) -> bool {
    let name = name.replace('+', " ");
    percent_decode_str(&name).decode_utf8_lossy().to_lowercase().contains("password")
}

/// True if a password stands in this URL.
pub(super) fn has_password(text: &str) -> bool {
    hide_password(text) != text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        for (whole, shown) in [
            ("sqlite:shimekiri.db", "sqlite:shimekiri.db"),
            ("postgres://u@host:5432/db", "postgres://u@host:5432/db"),
            ("postgres://u:hunter2@host:5432/db", "postgres://u:***@host:5432/db"),
            ("postgres://u:hun/t:e@r2@host/db", "postgres://u:***@host/db"),
            (
                "postgres://host/db?user=u&password=hunter2",
                "postgres://host/db?user=u&password=***",
            ),
            ("postgres://h/db?password=hunter2&a=b", "postgres://h/db?password=***&a=b"),
            ("postgres://h/db?pass%77ord=hunter2&a=b", "postgres://h/db?pass%77ord=***&a=b"),
            ("postgres://h/db?a=b&%70assword=hunt=er2", "postgres://h/db?a=b&%70assword=***"),
            ("postgres://h/db?sslmode=require", "postgres://h/db?sslmode=require"),
        ] {
            let url = DatabaseUrl::parse(whole).unwrap();
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), format!("DatabaseUrl({shown})"));
            assert_eq!(serde_json::to_value(&url).unwrap(), shown);
            assert_eq!(url.with_password(), whole);
            assert_eq!(has_password(whole), whole != shown);
        }
    }
}
