//! The URL of the database, shown without its password.

use std::fmt;

use percent_encoding::percent_decode_str;
use serde::{Serialize, Serializer};

/// The URL of the database. Only the code that connects sees the password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Parses a URL; `None` if it is not one of a supported database.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let known = ["sqlite:", "postgres://", "postgresql://"];
        known.iter().any(|scheme| text.starts_with(scheme)).then(|| Self(text.to_owned()))
    }

    /// Returns the whole URL with the password, to connect with.
    pub fn with_password(&self) -> &str {
        &self.0
    }

    /// True if the URL is of an embedded database without a file, whose data would be lost immediately.
    pub(super) fn is_nameless(&self) -> bool {
        let file = self.0.strip_prefix("sqlite:").map(|file| file.trim_start_matches("//"));
        let is_none = |file: &str| file.trim().is_empty() || file.trim() == ":memory:";
        file.is_some_and(|file| file.split('?').next().is_none_or(is_none))
    }

    /// True for a file or memory of `SQLite`, and false for a server.
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

/// The text in place of a password.
const HIDDEN: &str = "***";

/// Replaces the password of a URL in a text: after the user's name, or as a parameter.
pub fn hide_password(text: &str) -> String {
    let mut shown = text.to_owned();
    let user = shown.find("://").map(|at| at + "://".len());
    // An unescaped password may contain any character, so the last `@` ends it.
    if let (Some(user), Some(end)) = (user, shown.rfind('@'))
        && let Some(start) = shown.get(user..end).and_then(|login| login.find(':'))
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
    // The name of a parameter may be escaped.
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

/// True if a URL contains a password.
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
