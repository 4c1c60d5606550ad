//! The people in the guild: what they do, and what they see.

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

/// The language somebody's Discord is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locale {
    /// Japanese.
    Ja,
    /// English.
    En,
}

impl Locale {
    /// The word Discord has for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ja => "ja",
            Self::En => "en-US",
        }
    }
}

/// Somebody, as a test holds them.
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

    /// Their id.
    pub fn id(&self) -> Id {
        self.id
    }

    /// Their name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Goes to a channel or thread; commands are typed there from now on.
    pub fn goes_to(&self, place: Place) {
        self.change(|human| human.looks_at = place.0);
    }

    /// Goes to the private conversation with the bot.
    pub fn goes_to_the_bot(&self) -> Place {
        let place = self.shared.with(|state| Place(state.private_channel(self.id)));
        self.goes_to(place);
        place
    }

    /// Takes private messages from nobody any more, or from everybody again.
    pub fn closes_dms(&self, closed: bool) {
        self.change(|human| human.closed = closed);
    }

    /// Leaves the guild.
    pub fn leaves(&self) {
        self.change(|human| human.here = false);
    }

    /// Gets permissions beyond everybody's.
    pub fn may(&self, permissions: Permissions) {
        self.change(|human| human.permissions = permissions);
    }

    /// Gets a role.
    pub fn gets(&self, role: Role) {
        self.change(|human| human.roles.push(role.0));
    }

    fn change(&self, change: impl FnOnce(&mut Human)) {
        self.shared.with(|state| change(state.people.get_mut(&self.id).unwrap()));
    }

    /// Types a command, with those below it after a space: `table new`.
    pub fn command(&self, words: &str) -> Act {
        Act::command(self.clone(), words)
    }

    /// Begins to type an option of a command, and sees what it could be.
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

    /// Fills in a form, by labels or ids of its fields, and sends it; what is not named stays
    /// as it came.
    pub fn submit(&self, form: &Answer, fields: &[(&str, &str)]) -> Act {
        Act::submit(self.clone(), form, fields)
    }

    /// Waits for a message with these words, and gives the newest.
    pub async fn sees(&self, words: &str) -> Seen {
        let what = format!("{} sees “{words}”", self.name);
        self.shared.wait(&what, |state| self.visible(state, words).pop()).await
    }

    /// What there is for them to see with these words now, the newest last.
    pub fn finds(&self, words: &str) -> Vec<Seen> {
        self.shared.look(|state| self.visible(state, words))
    }

    fn visible(&self, state: &State, words: &str) -> Vec<Seen> {
        let seen = state.visible_to(self.id).into_iter().map(|message| Seen::of(state, message));
        seen.filter(|seen| seen.text().contains(words)).collect()
    }

    /// How many messages with these words came to them, counting what has gone since.
    pub fn times_told(&self, words: &str) -> usize {
        let posted = |scene: &&super::transcript::Scene| {
            scene.what == Happening::Posted && scene.is_seen_by(self.id)
        };
        self.shared.look(|state| {
            let texts = state.scenes.iter().filter(posted).filter_map(|one| one.message.as_ref());
            texts.filter(|message| super::draw::message(message).contains(words)).count()
        })
    }

    /// Everything they could see, as a text.
    pub fn transcript(&self) -> String {
        self.shared.look(|state| state.transcript(Some(self.id)))
    }

    /// Everything that came to them, byte for byte, with ids by their order of appearance.
    pub fn bytes(&self) -> Vec<u8> {
        self.shared.look(|state| state.bytes_for(self.id))
    }

    /// The same for each of some places, by its name, and apart what came there to them alone.
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

    /// The messages somebody sees, those last that changed last.
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

    /// A command that somebody can type where they are, by its name in any language.
    pub(super) fn typed(&self, word: &str) -> Option<&Value> {
        self.commands.iter().find(|command| goes_by(command, word))
    }
}

/// True if a command, option or choice goes by a name, in any language.
pub(super) fn goes_by(thing: &Value, word: &str) -> bool {
    let others = thing["name_localizations"].as_object().into_iter().flatten();
    thing["name"] == word || others.into_iter().any(|(_, name)| name == word)
}
