//! The permissions of a member in a channel, computed as Discord does: the roles, then the overwrites of the
//! channel for everybody, for the roles, and for the member
//! (<https://discord.com/developers/docs/topics/permissions#permission-overwrites>).

use serde::{Deserialize, Deserializer};

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

#[cfg(test)]
mod tests {
    use crate::bot::member_permissions::*;

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
