//! The users of the guild: their acts, and the messages they see.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;
use serenity::all::Permissions;

use super::{
    Shared,
    act::Act,
    answer::{Answer, Seen},
    guild::Human,
    host::{Place, Role},
    state::{Id, State},
    transcript::Happening,
};

/// The language of a user's Discord client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locale {
    /// Japanese.
    Ja,
    /// English.
    En,
}

impl Locale {
    /// Returns Discord's word for the language.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ja => "ja",
            Self::En => "en-US",
        }
    }
}

/// A handle of a user for tests.
#[derive(Clone)]
pub struct Person {
    shared: Arc<Shared>,
    id: Id,
    name: String,
}

impl Person {
    pub(super) fn new(shared: Arc<Shared>, id: Id, name: &str) -> Self {
        Self { shared, id, name: name.to_owned() }
    }

    /// Returns the user's id.
    pub fn id(&self) -> Id {
        self.id
    }

    /// Returns the user's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Moves to a channel or thread, in which later commands are typed.
    pub fn goes_to(&self, place: Place) {
        self.change(|human| human.looks_at = place.0);
    }

    /// Moves to the private conversation with the bot.
    pub fn goes_to_the_bot(&self) -> Place {
        let place = self.shared.with(|state| Place(state.private_channel(self.id)));
        self.goes_to(place);
        place
    }

    /// Refuses all direct messages, or accepts them again.
    pub fn closes_dms(&self, closed: bool) {
        self.change(|human| human.closed = closed);
    }

    /// Leaves the guild.
    pub fn leaves(&self) {
        self.change(|human| human.here = false);
    }

    /// Sets permissions beyond everybody's.
    pub fn may(&self, permissions: Permissions) {
        self.change(|human| human.permissions = permissions);
    }

    /// Goes by another name in the guild.
    pub fn goes_by(&self, nick: &str) {
        self.change(|human| human.nick = Some(nick.to_owned()));
    }

    /// Adds a role.
    pub fn gets(&self, role: Role) {
        self.change(|human| human.roles.push(role.0));
    }

    fn change(&self, change: impl FnOnce(&mut Human)) {
        self.shared.with(|state| change(state.people.get_mut(&self.id).unwrap()));
    }

    /// Types a command, with its subcommands after spaces: `table new`.
    pub fn command(&self, words: &str) -> Act {
        Act::command(self.clone(), words)
    }

    /// Begins to type an option of a command, to get its completions.
    pub fn complete(&self, words: &str, option: &str, typed: &str) -> Act {
        Act::command(self.clone(), words).completing(option, typed)
    }

    /// Presses the button with this label or id, on the newest message that has one.
    pub fn press(&self, button: &str) -> Act {
        Act::press(self.clone(), button)
    }

    /// Chooses from a menu, by labels or values, on the newest message that has them.
    pub fn choose(&self, options: &[&str]) -> Act {
        Act::choose(self.clone(), options)
    }

    /// Fills in a form, by labels or ids of its fields, and submits it. Fields without a new value stay
    /// unchanged.
    pub fn submit(&self, form: &Answer, fields: &[(&str, &str)]) -> Act {
        Act::submit(self.clone(), form, fields)
    }

    /// Waits for a message with these words, and returns the newest.
    pub async fn sees(&self, words: &str) -> Seen {
        let what = format!("{} sees “{words}”", self.name);
        self.shared.wait(&what, |state| self.visible(state, words).pop()).await
    }

    /// Returns the visible messages with these words, the newest last.
    pub fn finds(&self, words: &str) -> Vec<Seen> {
        self.shared.look(|state| self.visible(state, words))
    }

    fn visible(&self, state: &State, words: &str) -> Vec<Seen> {
        let seen = state.visible_to(self.id).into_iter().map(|message| Seen::of(state, message));
        seen.filter(|seen| seen.text().contains(words)).collect()
    }

    /// Returns the number of messages with these words posted to the user, including deleted ones.
    pub fn times_told(&self, words: &str) -> usize {
        let posted = |scene: &&super::transcript::Scene| {
            scene.what == Happening::Posted && scene.is_seen_by(self.id)
        };
        self.shared.look(|state| {
            let texts = state.scenes.iter().filter(posted).filter_map(|one| one.message.as_ref());
            texts.filter(|message| super::draw::message(message).contains(words)).count()
        })
    }

    /// Returns the transcript of all events visible to the user.
    pub fn transcript(&self) -> String {
        self.shared.look(|state| state.transcript(Some(self.id)))
    }

    /// Returns all messages to the user byte for byte, with ids numbered by their first appearance.
    pub fn bytes(&self) -> Vec<u8> {
        self.shared.look(|state| state.bytes_for(self.id))
    }

    /// Returns the bytes of [`Self::bytes`] by channel name and privacy (true for private messages).
    pub fn bytes_by_place(
        &self,
        wanted: impl Fn(&str) -> bool,
    ) -> BTreeMap<(String, bool), Vec<u8>> {
        self.shared.look(|state| state.bytes_by_place(self.id, wanted))
    }
}

impl State {
    pub(super) fn add_person(&mut self, name: &str, locale: Locale) -> Id {
        let id = self.next_id();
        let looks_at = *self.channels.keys().next().unwrap();
        let human = Human {
            id,
            nick: None,
            name: name.to_owned(),
            locale,
            permissions: Permissions::empty(),
            roles: Vec::new(),
            closed: false,
            here: true,
            looks_at,
        };
        self.people.insert(id, human);
        id
    }

    /// Returns the messages visible to a user, the last changed last.
    pub(super) fn visible_to(&self, person: Id) -> Vec<&super::messages::Message> {
        let visible = |message: &&super::messages::Message| match message.private_to {
            Some(one) => one == person,
            None => self.sees(person, message.channel),
        };
        let messages = self.messages.values().filter(|message| !message.loading).filter(visible);
        let mut messages: Vec<_> = messages.collect();
        messages.sort_by_key(|message| message.touched);
        messages
    }

    /// Returns a registered command by its name in any language.
    pub(super) fn typed(&self, word: &str) -> Option<&Value> {
        self.commands.iter().find(|command| goes_by(command, word))
    }
}

/// True if a command, option or choice has this name in any language.
pub(super) fn goes_by(thing: &Value, word: &str) -> bool {
    let others = thing["name_localizations"].as_object().into_iter().flatten();
    thing["name"] == word || others.into_iter().any(|(_, name)| name == word)
}
