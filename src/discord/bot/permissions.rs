//! The permissions that the bot asks for: `data/discord/permissions.toml`, and the link that invites the bot
//! to a server with these and no others.
//!
//! The permissions of a member in a channel, computed as Discord does: the roles, then the overwrites of the
//! channel for everybody, for the roles, and for the member
//! (<https://discord.com/developers/docs/topics/permissions#permission-overwrites>).

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};

use crate::SendError;
use crate::api::Refusal;
use crate::incoming::{Destination, channel_of};
use desk::Obstacle;
use desk::courier::{RetryWhen, Undelivered};
use letters::discord::ObstacleText;
use letters::{AboutTable, LetterFault, Letters, Reader, sampled_from};
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::Lang;
use tables::ids::{Address, TableCode};

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

sampled_from! { Permission: PERMISSIONS; }

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

/// The permission that includes all others, whatever a channel overwrites.
pub(crate) const ADMINISTRATOR: u64 = 1 << 3;

/// The permission to see a channel, without which a member can do nothing in it.
pub(crate) const VIEW: u64 = 1 << 10;

/// A role of a server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct ServerRole {
    id: String,
    #[serde(deserialize_with = "number")]
    permissions: u64,
}

/// A channel's overwrite of the permissions of a role or a member.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Overwrite {
    id: String,
    #[serde(deserialize_with = "number")]
    allow: u64,
    #[serde(deserialize_with = "number")]
    deny: u64,
}

/// The permissions of a member by the roles on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemberPermissions {
    /// The id of the role of everybody, which is that of the server.
    everyone: String,
    user: String,
    roles: Vec<String>,
    base: u64,
}

impl MemberPermissions {
    /// Computes the permissions of a user with these roles, besides the role of everybody.
    pub(crate) fn new(server: u64, user: u64, held: &[String], roles: &[ServerRole]) -> Self {
        let everyone = server.to_string();
        let is_held = |role: &&ServerRole| role.id == everyone || held.contains(&role.id);
        let base = roles.iter().filter(is_held).fold(0, |base, role| base | role.permissions);
        Self { everyone, user: user.to_string(), roles: held.to_vec(), base }
    }

    /// Returns the permissions in a channel with these overwrites.
    pub(crate) fn in_channel(&self, overwrites: &[Overwrite]) -> u64 {
        if self.base & ADMINISTRATOR != 0 {
            return u64::MAX;
        }
        let of_everyone = |overwrite: &&Overwrite| overwrite.id == self.everyone;
        let of_roles = |overwrite: &&Overwrite| self.roles.contains(&overwrite.id);
        let of_user = |overwrite: &&Overwrite| overwrite.id == self.user;
        let granted = apply(self.base, overwrites.iter().filter(of_everyone));
        let granted = apply(granted, overwrites.iter().filter(of_roles));
        let granted = apply(granted, overwrites.iter().filter(of_user));
        if granted & VIEW == 0 { 0 } else { granted }
    }
}

/// Applies overwrites together: a permission that one of them allows is not denied by another.
fn apply<'a>(granted: u64, overwrites: impl Iterator<Item = &'a Overwrite>) -> u64 {
    let both = |(allow, deny), one: &Overwrite| (allow | one.allow, deny | one.deny);
    let (allow, deny) = overwrites.fold((0, 0), both);
    granted & !deny | allow
}

/// Parses a number that Discord writes as a string.
fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
}

/// The delay before a retry after direct messages were opened too fast.
const TOO_FAST: Duration = Duration::from_mins(10);

/// A place that was deleted.
const GONE: &str = "gone";
/// A place that the bot cannot see or write in.
const FORBIDDEN: &str = "forbidden";
/// A thread that is locked.
const LOCKED: &str = "locked";
/// A user who accepts no direct messages and cannot be called in a thread.
const CLOSED: &str = "closed";
/// A user who takes no direct messages and is called in the thread.
const UNREACHABLE: &str = "unreachable";
/// A place that takes no files.
const FILES: &str = "files";
/// Any other refusal of Discord.
const REFUSED: &str = "refused";

/// Returns the reason why a letter did not arrive at an address.
pub(crate) fn undelivered(unsent: &SendError, at: &Address) -> Undelivered {
    if let SendError::Later { after } = unsent {
        return Undelivered::Later(*after);
    }
    let Some(refusal) = unsent.refusal() else {
        return Undelivered::Failed(unsent.to_string());
    };
    let again = match refusal {
        Refusal::DirectMessagesTooFast => return Undelivered::Later(TOO_FAST),
        Refusal::UnknownChannel if channel_of(at).is_some() => RetryWhen::Elsewhere,
        Refusal::UnknownChannel | Refusal::CannotSendToUser => RetryWhen::Never,
        _ => RetryWhen::WhenMended,
    };
    tracing::error!(%unsent, "Discord refuses a letter");
    Undelivered::Barred { obstacle: of_place(unsent, at), again }
}

/// Returns the obstacle that made a place refuse something.
pub(crate) fn of_place(unsent: &SendError, at: &Address) -> Obstacle {
    let why = match unsent.refusal() {
        Some(Refusal::UnknownChannel) => GONE,
        Some(Refusal::CannotSendToUser) => CLOSED,
        Some(Refusal::MissingAccess | Refusal::MissingPermissions) => FORBIDDEN,
        Some(Refusal::Locked | Refusal::Archived) => LOCKED,
        _ => REFUSED,
    };
    obstacle(why, at)
}

/// Returns all obstacles of an address except [`FILES`], which are over once a letter arrives there.
pub(crate) fn all_at(at: &Address) -> Vec<Obstacle> {
    [GONE, FORBIDDEN, LOCKED, CLOSED, UNREACHABLE, REFUSED].map(|why| obstacle(why, at)).into()
}

/// Returns the obstacle of a place that takes no files.
pub(crate) fn files(at: &Address) -> Obstacle {
    obstacle(FILES, at)
}

/// Returns the obstacle of a user who takes no direct messages and is called in the thread.
pub(crate) fn unreachable(at: &Address) -> Obstacle {
    obstacle(UNREACHABLE, at)
}

/// Returns the failure to reach a user who accepts no direct messages and has no table with a thread.
pub(crate) fn closed(at: &Address) -> Undelivered {
    Undelivered::Barred { obstacle: obstacle(CLOSED, at), again: RetryWhen::Never }
}

fn obstacle(why: &str, at: &Address) -> Obstacle {
    Obstacle { why: why.to_owned(), at: at.clone() }
}

/// Writes an obstacle for the host of a table: the fault and its remedy, or that the fault is fixed.
pub(crate) fn words(
    code: &TableCode,
    obstacle: &Obstacle,
    is_mended: bool,
    (letters, reader): (&Letters, &Reader),
) -> Result<String, LetterFault> {
    let (channel, user) = match Destination::parse(&obstacle.at) {
        Some(Destination::Channel(channel)) => (Some(channel.to_string()), None),
        Some(Destination::User(user)) => (None, Some(user.to_string())),
        None => (None, None),
    };
    let permissions = PERMISSIONS.iter().map(|permission| permission.name.of(reader.lang));
    let thread = channel.as_deref().filter(|_| obstacle.why != GONE);
    let about = letters.write(reader, &AboutTable { code, thread })?;
    let permissions = permissions.collect();
    let (why, mended) = (obstacle.why.as_str(), is_mended);
    let text = ObstacleText { code, why, channel, user, permissions, mended };
    Ok(format!("{about}\n{}", letters.write(reader, &text)?))
}

#[cfg(test)]
mod tests {
    use serenity::all::Permissions;

    use super::*;

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

    const SEND: u64 = 1 << 11;
    const EMBED: u64 = 1 << 14;

    fn role(id: &str, permissions: u64) -> ServerRole {
        ServerRole { id: id.to_owned(), permissions }
    }

    fn overwrite(id: &str, allow: u64, deny: u64) -> Overwrite {
        Overwrite { id: id.to_owned(), allow, deny }
    }

    #[test]
    fn roles_come_together_and_a_channel_says_otherwise_in_order() {
        let roles = [role("1", VIEW), role("2", SEND), role("3", EMBED), role("4", 1)];
        let grants = MemberPermissions::new(1, 9, &["2".to_owned(), "3".to_owned()], &roles);
        for (overwrites, granted) in [
            (&[][..], VIEW | SEND | EMBED),
            (&[overwrite("1", 0, SEND)], VIEW | EMBED),
            (&[overwrite("1", 0, SEND), overwrite("2", SEND, 0)], VIEW | SEND | EMBED),
            // A permission that one role allows is not denied by another.
            (&[overwrite("2", 0, EMBED), overwrite("3", EMBED, 0)], VIEW | SEND | EMBED),
            (&[overwrite("9", 0, EMBED), overwrite("3", EMBED, 0)], VIEW | SEND),
            (&[overwrite("4", 0, SEND), overwrite("8", 0, SEND)], VIEW | SEND | EMBED),
            (&[overwrite("1", 0, VIEW)], 0),
        ] {
            assert_eq!(grants.in_channel(overwrites), granted, "{overwrites:?}");
        }
        let all = MemberPermissions::new(1, 9, &["2".to_owned()], &[role("2", ADMINISTRATOR)]);
        assert_eq!(all.in_channel(&[overwrite("9", 0, SEND)]), u64::MAX);
    }

    #[test]
    fn numbers_are_read_from_digits() {
        let read: Overwrite =
            serde_json::from_str(r#"{"id":"1","type":0,"allow":"1024","deny":"0"}"#).unwrap();
        assert_eq!(read, overwrite("1", VIEW, 0));
    }
}
