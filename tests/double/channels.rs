//! Channels, threads and private conversations.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use serenity::all::Permissions;

use super::{
    refusal::Refusal,
    state::{Id, State, said},
};

/// The permissions that a channel grants to or takes from a role or a user.
#[derive(Clone, Debug)]
pub struct Overwrite {
    /// The id of a role or a user.
    pub of: Id,
    pub role: bool,
    pub allow: Permissions,
    pub deny: Permissions,
}

/// The data of a thread beyond those of a channel.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are Discord's")]
pub struct Thread {
    pub parent: Id,
    pub owner: Id,
    pub private: bool,
    pub invitable: bool,
    pub archived: bool,
    pub locked: bool,
    /// The time until the thread is archived automatically, in minutes.
    pub auto_archive: u64,
    pub members: BTreeSet<Id>,
    pub since: String,
}

/// The type of a channel that is neither a thread nor a private conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChannelKind {
    #[default]
    Text,
    Voice,
    Stage,
    /// A channel without messages of its own: each of its threads is a post.
    Forum,
    Media,
}

/// A channel, thread or private conversation.
#[derive(Clone, Debug)]
pub struct Channel {
    pub id: Id,
    pub name: String,
    pub made_for: ChannelKind,
    pub topic: Option<String>,
    /// The other user of a private conversation; `None` for a channel of the guild.
    pub recipient: Option<Id>,
    pub thread: Option<Thread>,
    pub overwrites: Vec<Overwrite>,
    /// The messages visible to everybody in the channel.
    pub messages: BTreeSet<Id>,
}

impl Channel {
    fn named(id: Id, name: &str) -> Self {
        let name = name.to_owned();
        Self {
            id,
            name,
            made_for: ChannelKind::Text,
            topic: None,
            recipient: None,
            thread: None,
            overwrites: Vec::new(),
            messages: BTreeSet::new(),
        }
    }

    /// Returns the parent channel of a thread.
    pub fn parent(&self) -> Option<Id> {
        self.thread.as_ref().map(|thread| thread.parent)
    }

    /// True if the channel is an archived thread.
    pub fn is_archived(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| thread.archived)
    }

    fn kind(&self) -> u8 {
        match &self.thread {
            Some(thread) if thread.private => 12,
            Some(_) => 11,
            None if self.recipient.is_some() => 1,
            None => match self.made_for {
                ChannelKind::Text => 0,
                ChannelKind::Voice => 2,
                ChannelKind::Stage => 13,
                ChannelKind::Forum => 15,
                ChannelKind::Media => 16,
            },
        }
    }
}

impl State {
    /// Creates a text channel.
    pub fn open_text_channel(&mut self, name: &str) -> Id {
        let id = self.next_id();
        self.channels.insert(id, Channel::named(id, name));
        id
    }

    /// Returns the private conversation with a user, created if necessary.
    pub fn private_channel(&mut self, with: Id) -> Id {
        let open = self.channels.values().find(|channel| channel.recipient == Some(with));
        if let Some(channel) = open {
            return channel.id;
        }
        let id = self.next_id();
        let channel = Channel { recipient: Some(with), ..Channel::named(id, "") };
        self.channels.insert(id, channel);
        id
    }

    /// Creates a thread.
    pub fn open_thread(&mut self, id: Id, name: &str, thread: Thread) {
        let channel = Channel { thread: Some(thread), ..Channel::named(id, name) };
        self.channels.insert(id, channel);
        let mut created = self.channel_object(id);
        created["newly_created"] = json!(true);
        self.dispatch_of_guild("THREAD_CREATE", &created);
    }

    /// Returns a channel as Discord's JSON.
    pub fn channel_object(&self, id: Id) -> Value {
        let channel = &self.channels[&id];
        let mut object = json!({
            "id": said(id), "type": channel.kind(), "flags": 0,
            "last_message_id": channel.messages.last().copied().map(said),
        });
        if let Some(with) = channel.recipient {
            object["recipients"] = json!([self.user(with)]);
            return object;
        }
        object["guild_id"] = json!(said(self.guild.id));
        object["name"] = json!(channel.name);
        object["nsfw"] = json!(false);
        object["topic"] = json!(channel.topic);
        object["rate_limit_per_user"] = json!(0);
        object["parent_id"] = json!(channel.parent().map(said));
        object["last_pin_timestamp"] = Value::Null;
        let Some(thread) = &channel.thread else {
            object["position"] = json!(0);
            object["permission_overwrites"] = channel.overwrites.iter().map(overwrite).collect();
            return object;
        };
        object.as_object_mut().unwrap().remove("topic");
        let count = channel.messages.len();
        object["owner_id"] = json!(said(thread.owner));
        object["message_count"] = json!(count);
        object["total_message_sent"] = json!(count);
        object["member_count"] = json!(thread.members.len().min(50));
        object["thread_metadata"] = json!({
            "archived": thread.archived, "locked": thread.locked, "invitable": thread.invitable,
            "auto_archive_duration": thread.auto_archive, "archive_timestamp": thread.since,
            "create_timestamp": thread.since,
        });
        object["member"] = json!(self.thread_member(id, self.application));
        object
    }

    /// Returns a user as a member of a thread; `None` if the user is none.
    pub fn thread_member(&self, thread: Id, user: Id) -> Option<Value> {
        let of = self.channels.get(&thread)?.thread.as_ref()?;
        of.members.contains(&user).then(|| {
            json!({
                "id": said(thread), "user_id": said(user), "flags": 0,
                "join_timestamp": of.since,
            })
        })
    }

    /// Returns a channel visible to the bot, or the refusal.
    pub fn seen_channel(&self, id: Id) -> Result<&Channel, Refusal> {
        let channel = self.channels.get(&id).ok_or_else(Refusal::unknown_channel)?;
        let thrown_out = self.guild.without_bot && channel.recipient.is_none();
        let seen = self.sees(self.application, id) && !thrown_out;
        seen.then_some(channel).ok_or_else(Refusal::missing_access)
    }

    /// Checks that the bot has permissions in a channel.
    pub fn may(&self, channel: Id, needed: Permissions) -> Result<(), Refusal> {
        let place = self.seen_channel(channel)?;
        let may = self.permissions_in(self.application, channel);
        let may = place.recipient.is_some() || may.contains(needed);
        may.then_some(()).ok_or_else(Refusal::missing_permissions)
    }

    /// Checks that the bot may post in a channel now.
    pub fn may_speak(&self, id: Id) -> Result<(), Refusal> {
        let channel = self.seen_channel(id)?;
        if let Some(with) = channel.recipient {
            let closed = self.people.get(&with).is_none_or(|human| human.closed || !human.here);
            return if closed { Err(Refusal::closed_to_us()) } else { Ok(()) };
        }
        match &channel.thread {
            Some(_) => self.may(id, Permissions::SEND_MESSAGES_IN_THREADS)?,
            None => self.may(id, Permissions::SEND_MESSAGES)?,
        }
        self.is_open(id)
    }

    /// Checks that a thread is neither archived nor locked for the bot.
    pub fn is_open(&self, id: Id) -> Result<(), Refusal> {
        let Some(thread) = &self.channels[&id].thread else { return Ok(()) };
        let moderates = self.permissions_in(self.application, id).manage_threads();
        match () {
            () if thread.archived => Err(Refusal::archived()),
            () if thread.locked && !moderates => Err(Refusal::locked()),
            () => Ok(()),
        }
    }
}

/// Returns an overwrite as Discord's JSON.
pub(crate) fn overwrite(overwrite: &Overwrite) -> Value {
    json!({
        "id": said(overwrite.of), "type": u8::from(!overwrite.role),
        "allow": overwrite.allow.bits().to_string(), "deny": overwrite.deny.bits().to_string(),
    })
}
