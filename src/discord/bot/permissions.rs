//! The permissions that the bot asks for: `data/discord/permissions.toml`, and the link that invites the bot
//! to a server with these and no others.

use serde::{Deserialize, Serialize};

use rules::data::{BuiltIn, DataFault, parse};
use rules::text::Lang;

/// The path and the text of the file.
const FILE: (&str, &str) =
    ("data/discord/permissions.toml", include_str!("../../../data/discord/permissions.toml"));

/// The permissions, in the order in which they are shown. `shimekiri check` and a test compare them with
/// those that may be asked for.
pub static PERMISSIONS: BuiltIn<Vec<Permission>> = BuiltIn::new(|| read(FILE.0, FILE.1));

/// The gateway events that the bot subscribes to: those about channels and threads. They contain nobody's
/// messages.
pub const INTENTS: [&str; 1] = ["GUILDS"];

/// The scopes that an invitation grants.
pub const SCOPES: [&str; 2] = ["bot", "applications.commands"];

/// A permission that the bot needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permission {
    /// The index of its bit in Discord's number, from 0.
    pub bit: u8,
    /// The name in Discord's settings.
    pub name: InLanguages,
    /// The reason for it.
    pub why: InLanguages,
}

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InLanguages {
    ja: String,
    en: String,
}

impl InLanguages {
    /// Returns the text in a language.
    pub fn of(&self, lang: Lang) -> &str {
        match lang {
            Lang::Ja => &self.ja,
            Lang::En => &self.en,
        }
    }
}

impl Permission {
    pub const fn value(&self) -> u64 {
        1 << self.bit
    }
}

/// Returns all permissions as Discord's number.
pub fn together() -> u64 {
    PERMISSIONS.iter().map(Permission::value).sum()
}

/// Returns the needed permissions that a number lacks.
pub fn missing(granted: u64) -> impl Iterator<Item = &'static Permission> {
    /// The permission that includes all others.
    const ADMINISTRATOR: u64 = 1 << 3;
    let all = granted & ADMINISTRATOR != 0;
    PERMISSIONS.iter().filter(move |permission| !all && granted & permission.value() == 0)
}

/// Returns the link that invites the application of this id to a server.
pub fn invitation(application: u64) -> String {
    let scopes = SCOPES.join("+");
    format!(
        "https://discord.com/oauth2/authorize?client_id={application}&scope={scopes}&permissions={}",
        together()
    )
}

/// Returns the first fault of the file; `None` if it has none.
pub fn check() -> Option<DataFault> {
    PERMISSIONS.fault()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PermissionsFile {
    permission: Vec<Permission>,
}

fn read(file: &str, text: &str) -> Result<Vec<Permission>, DataFault> {
    /// The permissions of a moderator: to kick, to ban, to administrate, to manage channels, the server,
    /// messages, roles, webhooks, expressions, events and threads, to mention everybody.
    const TOO_MUCH: [u8; 12] = [1, 2, 3, 4, 5, 13, 17, 28, 29, 30, 33, 34];
    let PermissionsFile { permission: list } = parse(file, text)?;
    let mut seen: Vec<u8> = Vec::new();
    for Permission { bit, .. } in &list {
        let fault = |what| Err(DataFault::at_key(file, text, &format!("bit = {bit}"), what));
        if *bit > 52 {
            return fault("Discord's permissions are the bits 0 to 52");
        }
        if TOO_MUCH.contains(bit) {
            return fault("the bot manages nothing, and pings nobody else");
        }
        if seen.contains(bit) {
            return fault("each permission is asked for once");
        }
        seen.push(*bit);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use serenity::all::Permissions;

    use crate::bot::permissions::*;

    #[test]
    fn they_are_the_least_that_the_work_takes() {
        let least = Permissions::VIEW_CHANNEL
            | Permissions::SEND_MESSAGES
            | Permissions::SEND_MESSAGES_IN_THREADS
            | Permissions::CREATE_PUBLIC_THREADS
            | Permissions::EMBED_LINKS
            | Permissions::ATTACH_FILES
            | Permissions::READ_MESSAGE_HISTORY;
        assert_eq!(together(), least.bits());
        assert_eq!(
            invitation(1234),
            "https://discord.com/oauth2/authorize?client_id=1234&scope=bot+applications.commands\
             &permissions=309237763072"
        );
        assert!(check().is_none());
    }

    #[test]
    fn what_is_missing_is_named() {
        let names = |granted: Permissions| {
            missing(granted.bits())
                .map(|permission| permission.name.of(Lang::En))
                .collect::<Vec<_>>()
        };
        let all = Permissions::from_bits_truncate(together());
        assert_eq!(names(all), [""; 0]);
        assert_eq!(names(all - Permissions::EMBED_LINKS), ["Embed Links"]);
        assert_eq!(names(Permissions::ADMINISTRATOR), [""; 0]);
        assert_eq!(names(Permissions::empty()).len(), PERMISSIONS.len());
    }

    #[test]
    fn what_is_too_much_is_a_fault_with_its_line() {
        let one = |bit| {
            let words = "{ ja = \"a\", en = \"a\" }";
            format!("[[permission]]\nbit = {bit}\nname = {words}\nwhy = {words}\n")
        };
        for (text, line) in
            [(one(3), 2), (one(60), 2), (one(10) + &one(34), 6), (one(10) + &one(10), 2)]
        {
            assert_eq!(read("f", &text).unwrap_err().line, line, "{text}");
        }
    }
}
