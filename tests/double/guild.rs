//! The guild, its users and their permissions.

use serde_json::{Value, json};
use serenity::all::Permissions;

use super::{
    people::Locale,
    state::{Id, State, said},
};

/// A user with an account.
#[derive(Clone, Debug)]
pub struct Human {
    pub id: Id,
    pub name: String,
    /// The name in the guild, if it is another.
    pub nick: Option<String>,
    pub locale: Locale,
    pub permissions: Permissions,
    /// The roles of the user, except everybody's.
    pub roles: Vec<Id>,
    /// True if the user accepts no direct messages.
    pub closed: bool,
    /// True if the user is in the guild.
    pub here: bool,
    /// The channel that the user is looking at.
    pub looks_at: Id,
}

/// The only guild of the double.
#[derive(Clone, Debug, Default)]
pub struct Guild {
    pub id: Id,
    pub owner: Id,
    /// The role of the bot, created by its invitation.
    pub bot_role: Id,
    /// The permissions of everybody.
    pub everyone: Permissions,
    /// The roles of users, by name.
    pub roles: Vec<(Id, String)>,
    /// The permissions added by the bot's role.
    pub bot: Permissions,
    /// True if the bot was removed from the guild.
    pub without_bot: bool,
}

/// Returns the default permissions of everybody.
pub(crate) fn of_everyone() -> Permissions {
    Permissions::VIEW_CHANNEL
        | Permissions::SEND_MESSAGES
        | Permissions::SEND_MESSAGES_IN_THREADS
        | Permissions::READ_MESSAGE_HISTORY
        | Permissions::ADD_REACTIONS
        | Permissions::USE_APPLICATION_COMMANDS
}

/// Returns the default permissions of the bot.
pub(crate) fn of_the_bot() -> Permissions {
    Permissions::VIEW_CHANNEL
        | Permissions::SEND_MESSAGES
        | Permissions::SEND_MESSAGES_IN_THREADS
        | Permissions::CREATE_PUBLIC_THREADS
        | Permissions::CREATE_PRIVATE_THREADS
        | Permissions::MANAGE_THREADS
        | Permissions::EMBED_LINKS
        | Permissions::ATTACH_FILES
        | Permissions::READ_MESSAGE_HISTORY
}

impl Guild {
    pub fn new(id: Id, owner: Id, application: Id) -> Self {
        Self {
            id,
            owner,
            bot_role: application,
            everyone: of_everyone(),
            roles: Vec::new(),
            bot: of_the_bot(),
            without_bot: false,
        }
    }
}

impl State {
    /// Returns the bot as a user.
    pub fn bot_user(&self) -> Value {
        user(self.application, "shimekiri", true)
    }

    /// Returns a user.
    pub fn user(&self, id: Id) -> Option<Value> {
        if id == self.application {
            return Some(self.bot_user());
        }
        self.people.get(&id).map(|human| user(id, &human.name, false))
    }

    /// Returns the permissions of a user in the guild, before any channel's overwrites.
    fn permissions(&self, user: Id) -> Permissions {
        if user == self.application {
            return self.guild.everyone | self.guild.bot;
        }
        match self.people.get(&user) {
            Some(_) if user == self.guild.owner => Permissions::all(),
            Some(human) if human.here => self.guild.everyone | human.permissions,
            _ => Permissions::empty(),
        }
    }

    /// Returns the permissions of a user in a channel; for a thread, those in its parent channel.
    pub fn permissions_in(&self, user: Id, channel: Id) -> Permissions {
        let Some(channel) = self.channels.get(&channel) else { return Permissions::empty() };
        let channel = channel.parent().and_then(|id| self.channels.get(&id)).unwrap_or(channel);
        let base = self.permissions(user);
        if base.administrator() {
            return Permissions::all();
        }
        let role = (user == self.application).then_some(self.guild.bot_role);
        let mut may = base;
        for one in [Some(self.guild.id), role, Some(user)].into_iter().flatten() {
            for overwrite in channel.overwrites.iter().filter(|overwrite| overwrite.of == one) {
                may = (may - overwrite.deny) | overwrite.allow;
            }
        }
        if may.view_channel() { may } else { Permissions::empty() }
    }

    /// True if a user can see the messages of a channel.
    pub fn sees(&self, user: Id, channel: Id) -> bool {
        let Some(place) = self.channels.get(&channel) else { return false };
        if let Some(with) = place.recipient {
            return user == with || user == self.application;
        }
        let may = self.permissions_in(user, channel);
        let private = place.thread.as_ref().is_some_and(|thread| thread.private);
        let member = place.thread.as_ref().is_some_and(|thread| thread.members.contains(&user));
        may.view_channel() && (!private || member || may.manage_threads())
    }

    /// Returns the users who can see a channel.
    pub fn audience(&self, channel: Id) -> Vec<Id> {
        self.people.keys().copied().filter(|person| self.sees(*person, channel)).collect()
    }

    /// Returns a user as a member of the guild, with their permissions in this channel.
    pub fn member(&self, user: Id, channel: Option<Id>) -> Option<Value> {
        let roles = match self.people.get(&user) {
            Some(human) => human.roles.iter().copied().map(said).collect(),
            None => vec![said(self.guild.bot_role)],
        };
        let nick = self.people.get(&user).and_then(|human| human.nick.as_deref());
        let mut member = json!({
            "user": self.user(user)?, "nick": nick, "avatar": null, "banner": null, "roles": roles,
            "joined_at": "2026-01-01T00:00:00.000000+00:00", "premium_since": null,
            "deaf": false, "mute": false, "flags": 0, "pending": false,
            "communication_disabled_until": null,
        });
        if let Some(channel) = channel {
            let may = self.permissions_in(user, channel);
            member["permissions"] = json!(may.bits().to_string());
        }
        Some(member)
    }

    /// Returns all roles: everybody's, the bot's, and those of users.
    pub fn roles(&self) -> Value {
        let everyone = role(self.guild.id, "@everyone", self.guild.everyone, false);
        let bot = role(self.guild.bot_role, "shimekiri", self.guild.bot, true);
        let given = self.guild.roles.iter().map(|(id, _)| self.role(*id));
        [everyone, bot].into_iter().chain(given.flatten()).collect()
    }

    /// Returns a role of users.
    pub fn role(&self, id: Id) -> Option<Value> {
        let (_, name) = self.guild.roles.iter().find(|(role, _)| *role == id)?;
        Some(role(id, name, Permissions::empty(), false))
    }

    /// Returns the guild as JSON of the REST API.
    pub fn guild_object(&self) -> Value {
        json!({
            "id": said(self.guild.id), "name": "Shimekiri", "icon": null, "icon_hash": null,
            "splash": null, "discovery_splash": null, "home_header": null, "banner": null,
            "description": null, "owner_id": said(self.guild.owner), "application_id": null,
            "region": "japan", "afk_channel_id": null, "afk_timeout": 300,
            "widget_enabled": false, "widget_channel_id": null, "verification_level": 0,
            "default_message_notifications": 1, "explicit_content_filter": 0,
            "roles": self.roles(), "emojis": [], "stickers": [], "features": [], "mfa_level": 0,
            "system_channel_id": null, "system_channel_flags": 0, "rules_channel_id": null,
            "max_presences": null, "max_members": 500_000, "vanity_url_code": null,
            "premium_tier": 0, "premium_subscription_count": 0, "preferred_locale": "ja",
            "public_updates_channel_id": null, "safety_alerts_channel_id": null,
            "max_video_channel_users": 25, "max_stage_video_channel_users": 50, "nsfw": false,
            "nsfw_level": 0, "premium_progress_bar_enabled": false, "incidents_data": null,
        })
    }

    /// Returns the guild as JSON of the gateway's `GUILD_CREATE`.
    pub fn guild_created(&self) -> Value {
        let seen = self.channels.values().filter(|channel| self.sees(self.application, channel.id));
        let seen = seen.filter(|channel| channel.recipient.is_none());
        let (threads, channels): (Vec<_>, Vec<_>) =
            seen.partition(|channel| channel.thread.is_some());
        let open = threads.iter().filter(|channel| !channel.is_archived());
        let mut guild = self.guild_object();
        let more = json!({
            "joined_at": "2026-01-01T00:00:00.000000+00:00", "large": false,
            "unavailable": false, "member_count": self.people.len() + 1, "voice_states": [],
            "members": [self.member(self.application, None)], "presences": [],
            "stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": [],
            "channels": channels.iter().map(|one| self.channel_object(one.id)).collect::<Vec<_>>(),
            "threads": open.map(|one| self.channel_object(one.id)).collect::<Vec<_>>(),
        });
        for (key, value) in more.as_object().unwrap() {
            guild[key] = value.clone();
        }
        guild
    }
}

fn role(id: Id, name: &str, may: Permissions, managed: bool) -> Value {
    json!({
        "id": said(id), "name": name, "description": null, "color": 0, "hoist": false,
        "colors": { "primary_color": 0, "secondary_color": null, "tertiary_color": null },
        "icon": null, "unicode_emoji": null, "position": u8::from(managed),
        "permissions": may.bits().to_string(), "managed": managed, "mentionable": false,
        "flags": 0,
    })
}

fn user(id: Id, name: &str, bot: bool) -> Value {
    json!({
        "id": said(id), "username": name, "discriminator": if bot { "0001" } else { "0" },
        "global_name": if bot { Value::Null } else { json!(name) }, "avatar": null,
        "bot": bot, "system": false, "banner": null, "accent_color": null, "public_flags": 0,
        "flags": 0, "avatar_decoration_data": null, "collectibles": null, "clan": null,
        "primary_guild": null,
    })
}
