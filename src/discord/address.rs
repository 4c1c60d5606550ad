//! Addresses of Discord users, channels, servers and roles, in their stored form.

use serenity::all::{ChannelId, GuildId, RoleId, UserId};
use tables::ids::{AccountId, Address};

/// The prefix of the accounts on Discord.
pub(super) const SCHEME: &str = "discord:";

const CHANNEL: &str = "discord:channel:";
const USER: &str = "discord:user:";
const SERVER: &str = "discord:server:";
const ROLE: &str = "discord:role:";

/// The recipient of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// A channel or a thread.
    Channel(ChannelId),
    /// The direct messages of a user.
    User(UserId),
}

impl Destination {
    /// Parses an address; `None` if it is not one of Discord.
    pub(super) fn parse(address: &Address) -> Option<Self> {
        let id = |digits: &str| digits.parse().ok().filter(|id: &u64| *id > 0);
        let text = address.as_str();
        if let Some(digits) = text.strip_prefix(CHANNEL) {
            return id(digits).map(|id| Self::Channel(ChannelId::new(id)));
        }
        id(text.strip_prefix(USER)?).map(|id| Self::User(UserId::new(id)))
    }
}

/// Returns the address of a channel or a thread.
pub(super) fn place(channel: ChannelId) -> Address {
    format!("{CHANNEL}{channel}").into()
}

/// Returns the address of an account's direct messages; `None` if the account is not of Discord.
pub fn own_address(account: &AccountId) -> Option<Address> {
    user(account).map(own)
}

/// Returns the address of a user's direct messages.
pub(super) fn own(user: UserId) -> Address {
    format!("{USER}{user}").into()
}

/// Returns a server's id in its stored form.
pub(super) fn server(server: GuildId) -> String {
    format!("{SERVER}{server}")
}

/// Returns a role's id in its stored form.
pub(super) fn role(role: RoleId) -> String {
    format!("{ROLE}{role}")
}

/// Returns the account of a user.
pub(super) fn account(user: UserId) -> AccountId {
    format!("{SCHEME}{user}").into()
}

/// Returns the id of the channel or thread at an address; `None` if the address is of a user.
pub(super) fn thread_of(place: &Address) -> Option<String> {
    match Destination::parse(place) {
        Some(Destination::Channel(thread)) => Some(thread.to_string()),
        _ => None,
    }
}

/// Returns the user of an account; `None` if the account is not of Discord.
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
