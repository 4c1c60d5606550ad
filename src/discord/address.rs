//! Who somebody is on Discord, and where letters go there, as the house writes it down.

use serenity::all::{ChannelId, GuildId, RoleId, UserId};

/// What the addresses and places of Discord begin with.
pub(super) const SCHEME: &str = "discord:";

const CHANNEL: &str = "discord:channel:";
const USER: &str = "discord:user:";
const SERVER: &str = "discord:server:";
const ROLE: &str = "discord:role:";

/// Where a letter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// Into a channel or a thread.
    Channel(ChannelId),
    /// Into the conversation with somebody.
    User(UserId),
}

impl Address {
    /// The address that is written like this.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let id = |digits: &str| digits.parse().ok().filter(|id: &u64| *id > 0);
        if let Some(digits) = text.strip_prefix(CHANNEL) {
            return id(digits).map(|id| Self::Channel(ChannelId::new(id)));
        }
        id(text.strip_prefix(USER)?).map(|id| Self::User(UserId::new(id)))
    }
}

/// A channel or a thread as the place of a table.
pub(super) fn place(channel: ChannelId) -> String {
    format!("{CHANNEL}{channel}")
}

/// Where somebody's own letters go, if they are known on Discord by that account.
pub fn own_address(account: &str) -> Option<String> {
    user(account).map(own)
}

/// Where somebody's own letters go.
pub(super) fn own(user: UserId) -> String {
    format!("{USER}{user}")
}

/// A server, as the house writes it down.
pub(super) fn server(server: GuildId) -> String {
    format!("{SERVER}{server}")
}

/// A role, as the house writes it down.
pub(super) fn role(role: RoleId) -> String {
    format!("{ROLE}{role}")
}

/// Who somebody is.
pub(super) fn account(user: UserId) -> String {
    format!("{SCHEME}{user}")
}

/// The id of the channel or thread that a place is.
pub(super) fn thread_of(place: &str) -> Option<String> {
    match Address::parse(place) {
        Some(Address::Channel(thread)) => Some(thread.to_string()),
        _ => None,
    }
}

/// The user of an account.
pub(super) fn user(account: &str) -> Option<UserId> {
    account.strip_prefix(SCHEME)?.parse().ok().filter(|id: &u64| *id > 0).map(UserId::new)
}

#[cfg(test)]
mod tests {
    use crate::discord::address::*;

    #[test]
    fn an_address_reads_back_as_it_is_written() {
        let (channel, somebody) = (ChannelId::new(7), UserId::new(8));
        assert_eq!(Address::parse(&place(channel)), Some(Address::Channel(channel)));
        assert_eq!(Address::parse(&own(somebody)), Some(Address::User(somebody)));
        assert_eq!(user(&account(somebody)), Some(somebody));
        for text in ["", "discord:channel:", "discord:user:0", "terminal:7", "discord:channel:x"] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
    }
}
