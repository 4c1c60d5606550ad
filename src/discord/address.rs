//! Who somebody is on Discord, and where letters go there, as the house writes it down.

use serenity::all::{ChannelId, GuildId, RoleId, UserId};
use tables::ids::{AccountId, Address};

/// What the addresses and places of Discord begin with.
pub(super) const SCHEME: &str = "discord:";

const CHANNEL: &str = "discord:channel:";
const USER: &str = "discord:user:";
const SERVER: &str = "discord:server:";
const ROLE: &str = "discord:role:";

/// Where a letter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// Into a channel or a thread.
    Channel(ChannelId),
    /// Into the conversation with somebody.
    User(UserId),
}

impl Destination {
    /// The address that is written like this.
    pub(super) fn parse(address: &Address) -> Option<Self> {
        let id = |digits: &str| digits.parse().ok().filter(|id: &u64| *id > 0);
        let text = address.as_str();
        if let Some(digits) = text.strip_prefix(CHANNEL) {
            return id(digits).map(|id| Self::Channel(ChannelId::new(id)));
        }
        id(text.strip_prefix(USER)?).map(|id| Self::User(UserId::new(id)))
    }
}

/// A channel or a thread as the place of a table.
pub(super) fn place(channel: ChannelId) -> Address {
    format!("{CHANNEL}{channel}").into()
}

/// Where somebody's own letters go, if they are known on Discord by that account.
pub fn own_address(account: &AccountId) -> Option<Address> {
    user(account).map(own)
}

/// Where somebody's own letters go.
pub(super) fn own(user: UserId) -> Address {
    format!("{USER}{user}").into()
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
pub(super) fn account(user: UserId) -> AccountId {
    format!("{SCHEME}{user}").into()
}

/// The id of the channel or thread that a place is.
pub(super) fn thread_of(place: &Address) -> Option<String> {
    match Destination::parse(place) {
        Some(Destination::Channel(thread)) => Some(thread.to_string()),
        _ => None,
    }
}

/// The user of an account.
pub(super) fn user(account: &AccountId) -> Option<UserId> {
    account.as_str().strip_prefix(SCHEME)?.parse().ok().filter(|id: &u64| *id > 0).map(UserId::new)
}

#[cfg(test)]
mod tests {
    use crate::address::*;

    #[test]
    fn an_address_reads_back_as_it_is_written() {
        let (channel, somebody) = (ChannelId::new(7), UserId::new(8));
        assert_eq!(Destination::parse(&place(channel)), Some(Destination::Channel(channel)));
        assert_eq!(Destination::parse(&own(somebody)), Some(Destination::User(somebody)));
        assert_eq!(user(&account(somebody)), Some(somebody));
        for text in ["", "discord:channel:", "discord:user:0", "terminal:7", "discord:channel:x"] {
            assert_eq!(Destination::parse(&text.into()), None, "{text}");
        }
    }
}
