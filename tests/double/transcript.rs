//! What everybody could see, in order: as a text to read, and as bytes to compare.

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

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Somebody did something.
    Did(String),
    /// A message came.
    Posted,
    /// A message changed.
    Edited,
    /// A message went.
    Deleted,
    /// A form came up.
    Asked(Value),
    /// Completions came up.
    Offered(Vec<Value>),
    /// A thread or channel was opened, or changed.
    Changed(String),
}

/// Something that happened, and who could see it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Who could see it.
    pub audience: Vec<Id>,
    pub channel: Id,
    /// How the channel was called then.
    place: String,
    pub what: Happening,
    pub message: Option<Message>,
    object: Value,
}

impl State {
    /// Something happens to a message.
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

    /// Something happens to one person alone.
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

    /// Something happens to a channel.
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

    /// Everything that one could see, or everybody, as a text.
    pub fn transcript(&self, of: Option<Id>) -> String {
        let seen = self.scenes.iter().filter(|scene| of.is_none_or(|id| scene.is_seen_by(id)));
        let mut text = String::new();
        for scene in seen {
            let _ = writeln!(text, "{}", self.tell(scene).trim_end().replace('\n', "\n  "));
        }
        Names::of(self).put_into(&text)
    }

    /// What people did, and what they alone were answered, as a text. What happens meanwhile for
    /// everybody is left out: nobody can say when exactly it comes.
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
                // An edit that changes nothing is seen by nobody.
                if looks.insert(message.id, look.clone()) == Some(look) {
                    continue;
                }
            }
            let _ = writeln!(text, "{}", self.tell(scene).trim_end().replace('\n', "\n  "));
        }
        Names::of(self).put_into(&timeless(&text))
    }

    /// How a place looks now to everybody who sees it, as a text: its messages in their order, and
    /// whom each has pinged.
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

    /// All that anybody has seen: the dialogues, and how every place looks now.
    pub fn seen(&self) -> String {
        let mut text = self.dialogue();
        // By name: nobody sees which conversation was opened first.
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

    /// How the transcript names a channel.
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

    /// Everything that came to somebody, byte for byte: ids, and moments in the text, are
    /// numbered in the order in which they first appear; what they did themselves is left out.
    pub fn bytes_for(&self, person: Id) -> Vec<u8> {
        self.bytes_of(person, self.scenes.iter().filter(|one| one.is_seen_by(person)))
    }

    /// The same for each of some places, by its name, and apart what came there to them alone:
    /// each of these has its order, and between two of them nothing has.
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
    /// True if it was one person's alone.
    fn is_private(&self) -> bool {
        self.message.as_ref().is_none_or(|message| !message.is_public())
            && !matches!(self.what, Happening::Changed(_))
    }

    /// True if somebody could see it.
    pub fn is_seen_by(&self, person: Id) -> bool {
        self.audience.contains(&person)
    }
}

/// Leaves out which moment is meant: two may be the same in one run and not in another. So may
/// receipts, and what is shown in small letters to be checked, which follow from what was drawn before.
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

/// A line without receipts, and without the hashes and their short codes that stand there in small
/// letters.
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

/// How long a hash is in hex digits, and its short code.
const HASH: usize = 64;
const CODE: usize = 19;

/// The same without its hyphens.
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

/// A text without the heads of journals: they are hashes over what is hidden, too, and over 32 bytes
/// that nobody knows before the end.
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

/// Writes a number in the order of appearance for each long run of digits, and for each moment.
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

/// Names for ids, so that a transcript is the same in every run.
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
