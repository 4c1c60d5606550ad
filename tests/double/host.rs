//! What the host of the guild does: channels, permissions, threads put away.

use std::sync::Arc;

use serenity::all::Permissions;

use super::{
    Discord, Shared,
    channels::{ChannelKind, Overwrite, Thread},
    people::{Locale, Person},
    state::{Id, State},
};

/// A channel or thread, as a test holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(pub Id);

/// A role, as a test holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role(pub Id);

impl Discord {
    pub(super) fn shared(&self) -> Arc<Shared> {
        self.shared.clone()
    }

    /// Somebody new, who is in the guild.
    pub fn person(&self, name: &str, locale: Locale) -> Person {
        let id = self.shared.with(|state| state.add_person(name, locale));
        Person::new(self.shared(), id, name)
    }

    /// Somebody of another double, as they are at this one, its twin.
    pub fn also(&self, person: &Person) -> Person {
        Person::new(self.shared(), person.id(), person.name())
    }

    /// The bot's own id.
    pub fn bot(&self) -> Id {
        self.shared.look(|state| state.application)
    }

    /// Somebody new, who owns the guild.
    pub fn owner(&self, name: &str, locale: Locale) -> Person {
        let owner = self.person(name, locale);
        self.shared.with(|state| state.guild.owner = owner.id());
        owner
    }

    /// The channel of a name.
    pub fn channel(&self, name: &str) -> Place {
        let found = self.shared.look(|state| state.named(name, false));
        found.unwrap_or_else(|| self.shared.fail(&format!("there is no channel {name}")))
    }

    /// A new role, which nobody has yet.
    pub fn makes_role(&self, name: &str) -> Role {
        self.shared.with(|state| {
            let id = state.next_id();
            state.guild.roles.push((id, name.to_owned()));
            Role(id)
        })
    }

    /// A new channel.
    pub fn opens_channel(&self, name: &str) -> Place {
        self.shared.with(|state| {
            let id = state.open_text_channel(name);
            let object = state.channel_object(id);
            state.dispatch_of_guild("CHANNEL_CREATE", &object);
            Place(id)
        })
    }

    /// A new channel of this kind.
    pub fn opens_channel_for(&self, name: &str, made_for: ChannelKind) -> Place {
        let place = self.opens_channel(name);
        self.shared.with(|state| state.channels.get_mut(&place.0).unwrap().made_for = made_for);
        place
    }

    /// A post in a forum, begun by somebody.
    pub fn opens_post(&self, forum: Place, name: &str, by: &Person) -> Place {
        self.shared.with(|state| {
            let id = state.next_id();
            let thread = Thread {
                parent: forum.0,
                owner: by.id(),
                private: false,
                invitable: true,
                archived: false,
                locked: false,
                auto_archive: 4320,
                members: [by.id()].into(),
                since: state.timestamp(),
            };
            state.open_thread(id, name, thread);
            Place(id)
        })
    }

    /// Gives a channel another name.
    pub fn renames(&self, place: Place, name: &str) {
        self.shared.with(|state| {
            name.clone_into(&mut state.channels.get_mut(&place.0).unwrap().name);
        });
    }

    /// Waits for a thread with this in its name.
    pub async fn thread(&self, name: &str) -> Place {
        self.shared.wait(&format!("a thread {name}"), |state| state.named(name, true)).await
    }

    /// Waits until something stands in a channel.
    pub async fn is_posted_in(&self, place: Place) {
        let posted = |state: &State| !state.channels[&place.0].messages.is_empty();
        self.shared.wait("a post", |state| posted(state).then_some(())).await;
    }

    /// The name of a place.
    pub fn name_of(&self, place: Place) -> String {
        self.shared.look(|state| state.place(place.0))
    }

    /// What stands in a channel for everybody who sees it: ids and texts, in order.
    pub fn stands_in(&self, place: Place) -> Vec<(Id, String)> {
        self.shared.look(|state| {
            let messages = state.channels[&place.0].messages.iter().map(|id| &state.messages[id]);
            messages.map(|message| (message.id, super::draw::message(message))).collect()
        })
    }

    /// Takes permissions from the bot in a channel.
    pub fn forbids(&self, place: Place, deny: Permissions) {
        self.shared.with(|state| {
            let of = state.application;
            let allow = Permissions::empty();
            state.overwrite(place.0, Overwrite { of, role: false, allow, deny });
        });
    }

    /// Takes permissions from somebody in a channel.
    pub fn hushes(&self, person: &Person, place: Place, deny: Permissions) {
        self.shared.with(|state| {
            let (of, allow) = (person.id(), Permissions::empty());
            state.overwrite(place.0, Overwrite { of, role: false, allow, deny });
        });
    }

    /// Deletes whatever stands in a channel.
    pub fn wipes(&self, place: Place) {
        self.shared.with(|state| {
            let all: Vec<Id> = state.channels[&place.0].messages.iter().copied().collect();
            for message in all {
                state.delete(message);
            }
        });
    }

    /// Gives the bot back what it may in a channel.
    pub fn allows(&self, place: Place) {
        self.forbids(place, Permissions::empty());
    }

    /// Says what the bot's role may in the whole guild.
    pub fn lets_the_bot(&self, may: Permissions) {
        self.shared.with(|state| state.guild.bot = may);
    }

    /// Deletes a channel or thread.
    pub fn deletes(&self, place: Place) {
        self.shared.with(|state| state.remove_channel(place.0));
    }

    /// Puts a thread away.
    pub fn archives(&self, thread: Place) {
        self.changes(thread, |thread| thread.archived = true);
    }

    /// Puts a thread away so that only who manages threads can take it out again.
    pub fn locks(&self, thread: Place) {
        self.changes(thread, |thread| (thread.archived, thread.locked) = (true, true));
    }

    /// Takes a thread out again.
    pub fn reopens(&self, thread: Place) {
        self.changes(thread, |thread| (thread.archived, thread.locked) = (false, false));
    }

    fn changes(&self, place: Place, change: impl FnOnce(&mut Thread)) {
        self.shared.with(|state| {
            let channel = &state.channels[&place.0];
            let (name, mut thread) = (channel.name.clone(), channel.thread.clone().unwrap());
            change(&mut thread);
            state.change_thread(place.0, &name, thread);
        });
    }

    /// Throws the bot out of the guild.
    pub fn throws_the_bot_out(&self) {
        self.shared.with(|state| {
            let gone = serde_json::json!({ "id": state.guild.id.to_string() });
            state.dispatch_of_guild("GUILD_DELETE", &gone);
            state.guild.without_bot = true;
        });
    }

    /// Lets the bot into the guild again, which has forgotten its commands there.
    pub fn takes_the_bot_back(&self) {
        self.shared.with(|state| {
            state.guild.without_bot = false;
            let guild = state.guild.id.to_string();
            state.commands.retain(|command| command["guild_id"] != guild);
            let created = state.guild_created();
            state.dispatch_of_guild("GUILD_CREATE", &created);
        });
    }

    /// The names of the registered commands, everywhere and in the guild.
    pub fn commands(&self) -> Vec<String> {
        self.shared.look(|state| {
            let names = state.commands.iter().filter_map(|command| command["name"].as_str());
            names.map(str::to_owned).collect()
        })
    }
}

impl State {
    fn named(&self, name: &str, thread: bool) -> Option<Place> {
        let channels = self.channels.values().rev();
        let mut channels = channels.filter(|one| one.recipient.is_none());
        let fits = |known: &str| if thread { known.contains(name) } else { known == name };
        channels
            .find(|one| one.thread.is_some() == thread && fits(&one.name))
            .map(|one| Place(one.id))
    }
}
