//! The actions of the guild's host: channels, permissions, archived threads.

use std::sync::Arc;

use serenity::all::Permissions;

use super::{
    Discord, Shared,
    channels::{ChannelKind, Overwrite, Thread},
    people::{Locale, Person},
    state::{Id, State},
};

/// A handle of a channel or thread for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(pub Id);

/// A handle of a role for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role(pub Id);

impl Discord {
    pub(super) fn shared(&self) -> Arc<Shared> {
        self.shared.clone()
    }

    /// Adds a user to the guild.
    pub fn person(&self, name: &str, locale: Locale) -> Person {
        let id = self.shared.with(|state| state.add_person(name, locale));
        Person::new(self.shared(), id, name)
    }

    /// Returns a user of another double as the user of its twin, this double.
    pub fn also(&self, person: &Person) -> Person {
        Person::new(self.shared(), person.id(), person.name())
    }

    /// Returns the bot's id.
    pub fn bot(&self) -> Id {
        self.shared.look(|state| state.application)
    }

    /// Adds a user who owns the guild.
    pub fn owner(&self, name: &str, locale: Locale) -> Person {
        let owner = self.person(name, locale);
        self.shared.with(|state| state.guild.owner = owner.id());
        owner
    }

    /// Returns the channel of this name.
    pub fn channel(&self, name: &str) -> Place {
        let found = self.shared.look(|state| state.named(name, false));
        found.unwrap_or_else(|| self.shared.fail(&format!("there is no channel {name}")))
    }

    /// Creates a role that no user has yet.
    pub fn makes_role(&self, name: &str) -> Role {
        self.shared.with(|state| {
            let id = state.next_id();
            state.guild.roles.push((id, name.to_owned()));
            Role(id)
        })
    }

    /// Creates a text channel.
    pub fn opens_channel(&self, name: &str) -> Place {
        self.shared.with(|state| {
            let id = state.open_text_channel(name);
            let object = state.channel_object(id);
            state.dispatch_of_guild("CHANNEL_CREATE", &object);
            Place(id)
        })
    }

    /// Creates a channel of this kind.
    pub fn opens_channel_for(&self, name: &str, made_for: ChannelKind) -> Place {
        let place = self.opens_channel(name);
        self.shared.with(|state| state.channels.get_mut(&place.0).unwrap().made_for = made_for);
        place
    }

    /// Creates a post in a forum as a user.
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

    /// Renames a channel.
    pub fn renames(&self, place: Place, name: &str) {
        self.shared.with(|state| {
            name.clone_into(&mut state.channels.get_mut(&place.0).unwrap().name);
        });
    }

    /// Waits for a thread with this text in its name.
    pub async fn thread(&self, name: &str) -> Place {
        self.shared.wait(&format!("a thread {name}"), |state| state.named(name, true)).await
    }

    /// Waits for a message in a channel.
    pub async fn is_posted_in(&self, place: Place) {
        let posted = |state: &State| !state.channels[&place.0].messages.is_empty();
        self.shared.wait("a post", |state| posted(state).then_some(())).await;
    }

    /// Returns the name of a channel.
    pub fn name_of(&self, place: Place) -> String {
        self.shared.look(|state| state.place(place.0))
    }

    /// Returns the public messages of a channel in order: ids and texts.
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

    /// Takes permissions from a user in a channel.
    pub fn hushes(&self, person: &Person, place: Place, deny: Permissions) {
        self.shared.with(|state| {
            let (of, allow) = (person.id(), Permissions::empty());
            state.overwrite(place.0, Overwrite { of, role: false, allow, deny });
        });
    }

    /// Deletes all public messages of a channel.
    pub fn wipes(&self, place: Place) {
        self.shared.with(|state| {
            let all: Vec<Id> = state.channels[&place.0].messages.iter().copied().collect();
            for message in all {
                state.delete(message);
            }
        });
    }

    /// Restores the bot's permissions in a channel.
    pub fn allows(&self, place: Place) {
        self.forbids(place, Permissions::empty());
    }

    /// Sets the permissions of the bot's role in the guild.
    pub fn lets_the_bot(&self, may: Permissions) {
        self.shared.with(|state| state.guild.bot = may);
    }

    /// Deletes a channel or thread.
    pub fn deletes(&self, place: Place) {
        self.shared.with(|state| state.remove_channel(place.0));
    }

    /// Archives a thread.
    pub fn archives(&self, thread: Place) {
        self.changes(thread, |thread| thread.archived = true);
    }

    /// Archives and locks a thread, so that only users with `MANAGE_THREADS` can reopen it.
    pub fn locks(&self, thread: Place) {
        self.changes(thread, |thread| (thread.archived, thread.locked) = (true, true));
    }

    /// Reopens a thread.
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

    /// Removes the bot from the guild.
    pub fn throws_the_bot_out(&self) {
        self.shared.with(|state| {
            let gone = serde_json::json!({ "id": state.guild.id.to_string() });
            state.dispatch_of_guild("GUILD_DELETE", &gone);
            state.guild.without_bot = true;
        });
    }

    /// Adds the bot to the guild again; its commands in the guild are gone.
    pub fn takes_the_bot_back(&self) {
        self.shared.with(|state| {
            state.guild.without_bot = false;
            let guild = state.guild.id.to_string();
            state.commands.retain(|command| command["guild_id"] != guild);
            let created = state.guild_created();
            state.dispatch_of_guild("GUILD_CREATE", &created);
        });
    }

    /// Returns the names of all registered commands, global and of the guild.
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
