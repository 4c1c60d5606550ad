//! The permissions that the bot asks for: `data/discord/permissions.toml`, and the link by which a
//! server invites it with these and no others.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use rules::data::{DataFault, built_in, parse};
use rules::text::Lang;

/// Where they are, and what stands there.
const FILE: (&str, &str) =
    ("data/discord/permissions.toml", include_str!("../../../data/discord/permissions.toml"));

/// The permissions, in the order in which they are told. `shimekiri check` and a test hold them
/// against what can be asked for.
pub static PERMISSIONS: LazyLock<Vec<Permission>> =
    LazyLock::new(|| built_in(read(FILE.0, FILE.1)));

/// What the bot hears of: what is needed to know channels and threads. Nobody's words are among it.
pub const INTENTS: [&str; 1] = ["GUILDS"];

/// What an invitation adds to a server.
pub const SCOPES: [&str; 2] = ["bot", "applications.commands"];

/// Something that the bot has to be allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permission {
    /// The place of its bit in Discord's number, from 0.
    pub bit: u8,
    /// What Discord's settings call it.
    pub name: InLanguages,
    /// Why it is needed.
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
    /// The text in this language.
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

/// All permissions as Discord's number.
pub fn together() -> u64 {
    PERMISSIONS.iter().map(Permission::value).sum()
}

/// Those of them that this number lacks.
pub fn missing(granted: u64) -> impl Iterator<Item = &'static Permission> {
    /// Who may do everything lacks nothing.
    const ADMINISTRATOR: u64 = 1 << 3;
    let all = granted & ADMINISTRATOR != 0;
    PERMISSIONS.iter().filter(move |permission| !all && granted & permission.value() == 0)
}

/// The link by which a server invites the application of this id.
pub fn invitation(application: u64) -> String {
    let scopes = SCOPES.join("+");
    format!(
        "https://discord.com/oauth2/authorize?client_id={application}&scope={scopes}&permissions={}",
        together()
    )
}

/// Every fault of the file.
pub fn check() -> Option<DataFault> {
    read(FILE.0, FILE.1).err()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PermissionsFile {
    permission: Vec<Permission>,
}

fn read(file: &str, text: &str) -> Result<Vec<Permission>, DataFault> {
    /// What makes somebody a moderator: to kick, to ban, to administrate, to manage channels,
    /// the server, messages, roles, webhooks, expressions, events and threads, to mention everybody.
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
