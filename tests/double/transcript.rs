//! The transcript of all visible events, in order: as text to read, and as bytes to compare.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
};

use serde_json::{Value, json};

use super::{
    draw,
    messages::{EPHEMERAL, Message},
    state::{Id, State, said},
};

/// The kind of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A user acted.
    Did(String),
    /// A message was posted.
    Posted,
    /// A message was edited.
    Edited,
    /// A message was deleted.
    Deleted,
    /// A form was shown.
    Asked(Value),
    /// Completions were shown.
    Offered(Vec<Value>),
    /// A thread or channel was created or changed.
    Changed(String),
}

/// An event with its audience.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The users who could see the event.
    pub audience: Vec<Id>,
    pub channel: Id,
    /// The name of the channel at that time.
    place: String,
    pub what: Happening,
    pub message: Option<Message>,
    object: Value,
}

impl State {
    /// Records an event of a message.
    pub fn happen(&mut self, message: Id, what: Happening) {
        let message = self.messages[&message].clone();
        if message.loading || !self.settings.records {
            return;
        }
        let audience =
            message.private_to.map_or_else(|| self.audience(message.channel), |one| vec![one]);
        let mut object = self.message_object(message.id);
        for volatile in ["timestamp", "edited_timestamp", "nonce", "interaction_metadata"] {
            object.as_object_mut().unwrap().remove(volatile);
        }
        let channel = message.channel;
        self.record(Scene {
            place: String::new(),
            audience,
            channel,
            what,
            message: Some(message),
            object,
        });
    }

    /// Records an event visible to one user only.
    pub fn happen_to(&mut self, person: Id, channel: Id, what: Happening) {
        let object = match &what {
            Happening::Asked(modal) => modal.clone(),
            Happening::Offered(choices) => json!(choices),
            _ => Value::Null,
        };
        self.record(Scene {
            place: String::new(),
            audience: vec![person],
            channel,
            what,
            message: None,
            object,
        });
    }

    /// Records an event of a channel.
    pub fn happen_in(&mut self, channel: Id, what: &str) {
        let audience = self.audience(channel);
        let object = self.channels.get(&channel).map_or(Value::Null, |one| json!(one.name));
        let what = Happening::Changed(what.to_owned());
        self.record(Scene { place: String::new(), audience, channel, what, message: None, object });
    }

    fn record(&mut self, scene: Scene) {
        if self.settings.records {
            let place = self.place(scene.channel);
            self.scenes.push(Scene { place, ..scene });
        }
    }

    /// Returns all events as text; only those visible to this user, if one is given.
    pub fn transcript(&self, of: Option<Id>) -> String {
        let seen = self.scenes.iter().filter(|scene| of.is_none_or(|id| scene.is_seen_by(id)));
        let mut text = String::new();
        for scene in seen {
            let _ = writeln!(text, "{}", self.tell(scene).trim_end().replace('\n', "\n  "));
        }
        Names::of(self).put_into(&text)
    }

    /// Returns the acts of users with their private answers as text. Public events are left out, as their
    /// order in between varies.
    pub fn dialogue(&self) -> String {
        let alone = |scene: &&Scene| match &scene.what {
            Happening::Did(_) | Happening::Asked(_) | Happening::Offered(_) => true,
            Happening::Changed(_) => false,
            _ => scene.message.as_ref().is_some_and(|message| !message.is_public()),
        };
        let (mut text, mut looks) = (String::new(), HashMap::new());
        for scene in self.scenes.iter().filter(alone) {
            if let Some(message) = &scene.message {
                let look = draw::message(message);
                // An edit without a visible change is left out.
                if looks.insert(message.id, look.clone()) == Some(look) {
                    continue;
                }
            }
            let _ = writeln!(text, "{}", self.tell(scene).trim_end().replace('\n', "\n  "));
        }
        Names::of(self).put_into(&timeless(&text))
    }

    /// Returns the current public messages of a channel as text, in order, each with the users that it
    /// pinged.
    pub fn shows(&self, place: Id) -> String {
        let mut text = String::new();
        let here = self.messages.values();
        for message in here.filter(|one| one.channel == place && one.is_public()) {
            let pings = self.pinged(message);
            let body = draw::message(message);
            let _ = writeln!(text, ">{pings} {}", body.trim_end().replace('\n', "\n  "));
        }
        Names::of(self).put_into(&timeless(&text))
    }

    /// Returns the dialogues and the current state of every channel as text.
    pub fn seen(&self) -> String {
        let mut text = self.dialogue();
        // Channels are sorted by name, as the order of their creation is not visible.
        let mut places: Vec<_> =
            self.channels.keys().map(|place| (self.place(*place), self.shows(*place))).collect();
        places.sort();
        for (name, shown) in places {
            let _ = write!(text, "\n{name}\n{shown}");
        }
        text
    }

    fn pinged(&self, message: &Message) -> String {
        let names = message.pings.iter().filter_map(|id| self.people.get(id));
        let names: Vec<&str> = names.map(|human| human.name.as_str()).collect();
        if names.is_empty() { String::new() } else { format!(" (pings {})", names.join(", ")) }
    }

    fn tell(&self, scene: &Scene) -> String {
        let one = scene.audience.first().and_then(|id| self.people.get(id));
        let one = one.map_or("nobody", |human| human.name.as_str());
        let body = scene.message.as_ref().map(draw::message).unwrap_or_default();
        let place = match &scene.message {
            Some(message) if message.flags & EPHEMERAL != 0 => format!("private to {one}"),
            _ => scene.place.clone(),
        };
        let pings = scene.message.as_ref().map(|message| self.pinged(message));
        let pings = pings.unwrap_or_default();
        match &scene.what {
            Happening::Did(what) => format!("{one}: {what}"),
            Happening::Posted => format!("> {place}{pings}: {body}"),
            Happening::Edited => format!("> edit {place}: {body}"),
            Happening::Deleted => format!("> gone from {place}: {body}"),
            Happening::Asked(modal) => format!("> form for {one}: {}", draw::modal(modal)),
            Happening::Offered(choices) => {
                format!("> choices for {one}: {}", draw::choices(choices))
            }
            Happening::Changed(what) => format!("> {place} {what}"),
        }
    }

    /// Returns the name of a channel in the transcript.
    pub fn place(&self, channel: Id) -> String {
        match self.channels.get(&channel) {
            Some(place) if place.recipient.is_some() => {
                let with = place.recipient.and_then(|id| self.people.get(&id));
                format!("DM of {}", with.map_or("nobody", |human| &human.name))
            }
            Some(place) => format!("#{}", place.name),
            None => "#gone".to_owned(),
        }
    }

    /// Returns all messages to a user byte for byte, without the user's own acts. Ids, and timestamps in the
    /// text, are numbered by their first appearance.
    pub fn bytes_for(&self, person: Id) -> Vec<u8> {
        self.bytes_of(person, self.scenes.iter().filter(|one| one.is_seen_by(person)))
    }

    /// Returns the bytes of [`Self::bytes_for`] by channel name and privacy (true for private messages). Each
    /// entry is in order; the order between entries varies.
    pub fn bytes_by_place(
        &self,
        person: Id,
        wanted: impl Fn(&str) -> bool,
    ) -> BTreeMap<(String, bool), Vec<u8>> {
        let mut came: BTreeMap<(String, bool), Vec<&Scene>> = BTreeMap::new();
        let seen = self.scenes.iter().filter(|scene| wanted(&scene.place));
        for scene in seen.filter(|scene| scene.is_seen_by(person)) {
            came.entry((scene.place.clone(), scene.is_private())).or_default().push(scene);
        }
        came.into_iter().map(|(place, scenes)| (place, self.bytes_of(person, scenes))).collect()
    }

    fn bytes_of<'s>(&self, person: Id, scenes: impl IntoIterator<Item = &'s Scene>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut numbers = HashMap::new();
        let came = |scene: &&Scene| !matches!(scene.what, Happening::Did(_));
        for scene in scenes.into_iter().filter(came) {
            let what = match &scene.what {
                Happening::Changed(what) => what,
                Happening::Posted => "posted",
                Happening::Edited => "edited",
                Happening::Deleted => "deleted",
                _ => "asked",
            };
            let pinged = scene.message.as_ref().is_some_and(|one| one.pings.contains(&person));
            let line = json!([what, said(scene.channel), pinged, scene.object]).to_string();
            let line = headless(&line.replace(&self.base, ""));
            bytes.extend(numbered(&line, &mut numbers).into_bytes());
            bytes.push(b'\n');
            for file in scene.message.iter().flat_map(|message| &message.files) {
                bytes.extend_from_slice(&file.bytes);
            }
        }
        bytes
    }
}

impl Scene {
    /// True if the event was visible to one user only.
    fn is_private(&self) -> bool {
        self.message.as_ref().is_none_or(|message| !message.is_public())
            && !matches!(self.what, Happening::Changed(_))
    }

    /// True if a user could see the event.
    pub fn is_seen_by(&self, person: Id) -> bool {
        self.audience.contains(&person)
    }
}

/// Removes the values of timestamps, as two may be equal in one run and not in another. Removes receipts and
/// hashes in small text too, as they depend on random draws.
fn timeless(text: &str) -> String {
    let text = text.split_inclusive('\n').map(undrawn).collect::<String>();
    let mut parts = text.split("<t:");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("<t:");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

/// Returns a line without receipts, and without hashes and their short codes in small text.
fn undrawn(line: &str) -> String {
    let is_small = line.contains("-# ");
    let mut out = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (of, name) = if is_small && rest.get(..HASH).is_some_and(is_hash) {
            (HASH, "<hash>")
        } else if rest.get(..CODE).is_some_and(is_code) {
            (CODE, "<code>")
        } else if is_small && rest.get(..SHORT).is_some_and(is_short) && !out.ends_with(is_of_code)
        {
            (SHORT, "<code>")
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out.push_str(name);
        rest = &rest[of..];
    }
    out
}

/// The length of a hash in hex digits, and of its short code.
const HASH: usize = 64;
const CODE: usize = 19;

/// The length of a short code without its hyphens.
const SHORT: usize = 16;

fn is_of_code(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit()
}

fn is_short(text: &str) -> bool {
    text.chars().all(is_of_code) && text.contains(|letter: char| letter.is_ascii_digit())
}

fn is_hash(text: &str) -> bool {
    text.bytes().all(|letter| letter.is_ascii_hexdigit())
}

fn is_code(text: &str) -> bool {
    let fits = |(at, letter): (usize, u8)| match at % 5 {
        4 => letter == b'-',
        _ => letter.is_ascii_lowercase() || letter.is_ascii_digit(),
    };
    text.bytes().enumerate().all(fits)
}

/// Returns a text without the heads of journals: their hashes depend on hidden data and on 32 bytes that are
/// secret until the end.
pub fn headless(text: &str) -> String {
    let mut out = text.to_owned();
    for label in ["Record: ", "記録：", "Record of the table: ", "卓の記録："] {
        let mut parts = out.split(label);
        let mut without = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let of = if part.get(..HASH).is_some_and(is_hash) { HASH } else { CODE };
            without.push_str(label);
            without.push_str(part.get(of..).unwrap_or_default());
        }
        out = without;
    }
    out
}

/// Replaces each long run of digits and each timestamp by its number in the order of appearance.
fn numbered(text: &str, numbers: &mut HashMap<String, usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        out.push_str(before);
        if digits.len() >= 17 || before.ends_with("<t:") {
            let next = numbers.len() + 1;
            let number = numbers.entry(digits.to_owned()).or_insert(next);
            let _ = write!(out, "№{number}");
        } else {
            out.push_str(digits);
        }
        rest = after;
    }
    out + rest
}

/// The names of ids, so that a transcript is the same in every run.
struct Names(Vec<(String, String)>);

impl Names {
    fn of(state: &State) -> Self {
        let people = state.people.values().flat_map(|human| {
            let name = format!("@{}", human.name);
            [(format!("<@{}>", human.id), name.clone()), (format!("<@!{}>", human.id), name)]
        });
        let channels = state.channels.keys();
        let channels = channels.map(|id| (format!("<#{id}>"), state.place(*id)));
        let roles = state.guild.roles.iter();
        let roles = roles.map(|(id, name)| (format!("<@&{id}>"), format!("@{name}")));
        let bot = (format!("<@{}>", state.application), "@shimekiri".to_owned());
        Self(people.chain(channels).chain(roles).chain([bot]).collect())
    }

    fn put_into(&self, text: &str) -> String {
        let named = self.0.iter().fold(text.to_owned(), |text, (id, name)| text.replace(id, name));
        numbered(&named, &mut HashMap::new())
    }
}
