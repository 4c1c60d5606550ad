//! Messages: their contents, visibility and pings.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{
    interactions::Interaction,
    state::{Id, State, id_of, said},
    transcript::Happening,
};

/// A file attached to a message.
#[derive(Clone, Debug)]
pub struct File {
    pub id: Id,
    pub name: String,
    pub description: Option<String>,
    pub kind: String,
    pub bytes: Arc<[u8]>,
}

/// A file part of a request: `files[N]`.
#[derive(Clone, Debug)]
pub struct Upload {
    pub number: u64,
    pub name: String,
    pub kind: String,
    pub bytes: Vec<u8>,
}

/// A message of the bot.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: Id,
    pub channel: Id,
    /// The only user who sees the message; `None` for a public one.
    pub private_to: Option<Id>,
    /// The interaction answered by the message.
    pub interaction: Option<Id>,
    /// True if the message is a deferral without content.
    pub loading: bool,
    pub content: String,
    pub embeds: Vec<Value>,
    pub components: Vec<Value>,
    pub flags: u64,
    pub files: Vec<File>,
    pub nonce: Option<Value>,
    pub reference: Option<Value>,
    /// The users notified of the message.
    pub pings: Vec<Id>,
    pub pinned: bool,
    pub said_at: String,
    pub edited_at: Option<String>,
    /// The counter of the last change, to sort by.
    pub touched: u64,
}

/// `EPHEMERAL`.
pub(crate) const EPHEMERAL: u64 = 1 << 6;
/// `LOADING`.
pub(crate) const LOADING: u64 = 1 << 7;
/// `IS_COMPONENTS_V2`.
pub(crate) const COMPONENTS_V2: u64 = 1 << 15;

impl Message {
    /// True if everybody in the channel sees the message.
    pub fn is_public(&self) -> bool {
        self.private_to.is_none()
    }
}

/// The destination of a message.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    pub channel: Id,
    pub private_to: Option<Id>,
    pub interaction: Option<Id>,
}

impl State {
    /// Creates a message without dispatching it.
    pub fn put_message(&mut self, to: Address) -> Id {
        let id = self.next_id();
        let message = Message {
            id,
            channel: to.channel,
            private_to: to.private_to,
            interaction: to.interaction,
            loading: false,
            content: String::new(),
            embeds: Vec::new(),
            components: Vec::new(),
            flags: 0,
            files: Vec::new(),
            nonce: None,
            reference: None,
            pings: Vec::new(),
            pinned: false,
            said_at: self.timestamp(),
            edited_at: None,
            touched: self.touch(),
        };
        self.messages.insert(id, message);
        if to.private_to.is_none() {
            self.channels.get_mut(&to.channel).unwrap().messages.insert(id);
        }
        id
    }

    /// Posts a message.
    pub fn post(&mut self, to: Address, body: &Value, uploads: Vec<Upload>) -> Id {
        let id = self.put_message(to);
        self.fill(id, body, uploads);
        let message = self.messages.get_mut(&id).unwrap();
        message.nonce = body.get("nonce").filter(|nonce| !nonce.is_null()).cloned();
        if let Some(nonce) = &message.nonce {
            self.nonces.insert((to.channel, nonce.to_string()), id);
        }
        message.reference = body.get("message_reference").filter(|one| one.is_object()).cloned();
        self.ping(id, body);
        self.happen(id, Happening::Posted);
        id
    }

    /// Posts a deferral.
    pub fn defer(&mut self, to: Address) -> Id {
        let id = self.put_message(to);
        let message = self.messages.get_mut(&id).unwrap();
        (message.loading, message.flags) = (true, LOADING);
        message.flags |= to.private_to.map_or(0, |_| EPHEMERAL);
        id
    }

    /// Edits a message, or completes a deferral.
    pub fn edit(&mut self, id: Id, body: &Value, uploads: Vec<Upload>) {
        let (now, touched) = (self.timestamp(), self.touch());
        self.fill(id, body, uploads);
        let message = self.messages.get_mut(&id).unwrap();
        message.touched = touched;
        let was_loading = std::mem::take(&mut message.loading);
        if was_loading {
            message.flags &= !LOADING;
            self.ping(id, body);
            self.happen(id, Happening::Posted);
        } else {
            message.edited_at = Some(now);
            self.happen(id, Happening::Edited);
        }
    }

    /// Deletes a message.
    pub fn delete(&mut self, id: Id) {
        self.happen(id, Happening::Deleted);
        if let Some(gone) = self.messages.remove(&id) {
            self.channels.get_mut(&gone.channel).unwrap().messages.remove(&id);
        }
    }

    fn fill(&mut self, id: Id, body: &Value, uploads: Vec<Upload>) {
        let attached: Vec<File> =
            uploads.into_iter().map(|upload| self.attach(body, upload)).collect();
        let message = self.messages.get_mut(&id).unwrap();
        if let Some(content) = body.get("content") {
            content.as_str().unwrap_or_default().clone_into(&mut message.content);
        }
        if let Some(embeds) = body.get("embeds") {
            message.embeds = embeds.as_array().cloned().unwrap_or_default();
        }
        if let Some(components) = body.get("components") {
            message.components = components.as_array().cloned().unwrap_or_default();
            complete(&mut message.components, &mut 0);
        }
        if let Some(flags) = body.get("flags").and_then(Value::as_u64) {
            message.flags = (flags & !EPHEMERAL) | (message.flags & (LOADING | EPHEMERAL));
        }
        if message.private_to.is_some() {
            message.flags |= EPHEMERAL;
        }
        if let Some(kept) = body.get("attachments").and_then(Value::as_array) {
            let kept: Vec<Id> = kept.iter().filter_map(|one| id_of(&one["id"])).collect();
            message.files.retain(|file| kept.contains(&file.id));
        }
        message.files.extend(attached);
    }

    fn attach(&mut self, body: &Value, upload: Upload) -> File {
        let said = body["attachments"].as_array().into_iter().flatten();
        let said = said.clone().find(|one| id_of(&one["id"]) == Some(upload.number));
        let text = |key: &str| said.and_then(|one| one[key].as_str()).map(str::to_owned);
        File {
            id: self.next_id(),
            name: text("filename").unwrap_or(upload.name),
            description: text("description"),
            kind: upload.kind,
            bytes: upload.bytes.into(),
        }
    }

    /// Returns a message as Discord's JSON.
    pub fn message_object(&self, id: Id) -> Value {
        let message = &self.messages[&id];
        let people = self.mentioned(&message.content).into_iter();
        let mut object = json!({
            "id": said(id), "channel_id": said(message.channel), "author": self.bot_user(),
            "content": message.content, "timestamp": message.said_at,
            "edited_timestamp": message.edited_at, "tts": false, "mention_everyone": false,
            "mentions": people.map(|person| self.user(person)).collect::<Vec<_>>(),
            "mention_roles": [], "embeds": message.embeds.iter().map(rich).collect::<Vec<_>>(),
            "attachments": message.files.iter().map(|file| self.attachment(message, file))
                .collect::<Vec<_>>(),
            "pinned": message.pinned, "type": 0, "flags": message.flags,
            "components": message.components,
        });
        if let Some(nonce) = &message.nonce {
            object["nonce"] = nonce.clone();
        }
        if let Some(reference) = &message.reference {
            object["type"] = json!(19);
            object["message_reference"] = reference.clone();
            object["message_reference"]["channel_id"] = json!(said(message.channel));
        }
        if let Some(thread) = self.channels.get(&id).filter(|thread| thread.thread.is_some()) {
            object["thread"] = self.channel_object(thread.id);
        }
        if let Some(interaction) = message.interaction {
            let interaction = &self.interactions[&interaction];
            object["application_id"] = json!(said(self.application));
            object["webhook_id"] = json!(said(self.application));
            object["type"] = json!(if interaction.kind == 2 { 20 } else { 19 });
            object["interaction_metadata"] = self.interaction_metadata(interaction);
        }
        object
    }

    /// Returns the origin of an answer to an interaction: for a button or a menu the message with it, for a
    /// modal the interaction that opened it.
    fn interaction_metadata(&self, interaction: &Interaction) -> Value {
        let of_kind = |kind: u8| {
            json!({
                "id": said(interaction.id), "type": kind,
                "user": self.user(interaction.person),
                "authorizing_integration_owners": { "0": said(self.guild.id) },
            })
        };
        let pressed = |source: Id| {
            let mut pressed = of_kind(3);
            pressed["interacted_message_id"] = json!(said(source));
            pressed
        };
        match (interaction.kind, interaction.source) {
            (3, Some(source)) => pressed(source),
            (5, source) => {
                let mut typed = of_kind(5);
                typed["triggering_interaction_metadata"] =
                    source.map_or_else(|| of_kind(2), pressed);
                typed
            }
            (kind, _) => of_kind(kind),
        }
    }

    fn attachment(&self, message: &Message, file: &File) -> Value {
        let url =
            format!("{}/attachments/{}/{}/{}", self.base, message.channel, file.id, file.name);
        let mut object = json!({
            "id": said(file.id), "filename": file.name, "size": file.bytes.len(), "url": url,
            "proxy_url": url, "content_type": file.kind,
        });
        if let Some(description) = &file.description {
            object["description"] = json!(description);
        }
        object
    }

    /// Returns a public message in a channel.
    pub fn public_message(&self, channel: Id, id: Id) -> Option<&Message> {
        self.messages.get(&id).filter(|one| one.channel == channel && one.is_public())
    }
}

fn rich(embed: &Value) -> Value {
    let mut embed = embed.as_object().cloned().unwrap_or_else(Map::new);
    embed.insert("type".to_owned(), json!("rich"));
    embed.into()
}

/// Adds Discord's defaults to the parts of a message: a number for each, and the limits of choices. Removes
/// null fields.
fn complete(components: &mut [Value], last: &mut u64) {
    for component in components {
        *last += 1;
        let number = *last;
        let defaults = match component["type"].as_u64() {
            Some(3 | 5..=8) => vec![("min_values", json!(1)), ("max_values", json!(1))],
            Some(14) => vec![("spacing", json!(1)), ("divider", json!(true))],
            Some(17) => vec![("accent_color", Value::Null), ("spoiler", json!(false))],
            _ => Vec::new(),
        };
        let Some(part) = component.as_object_mut() else { continue };
        part.retain(|_, value| !value.is_null());
        for (key, value) in [vec![("id", json!(number))], defaults].concat() {
            part.entry(key).or_insert(value);
        }
        if let Some(accessory) = component.get_mut("accessory") {
            complete(std::slice::from_mut(accessory), last);
        }
        if let Some(inner) = component.get_mut("components").and_then(Value::as_array_mut) {
            complete(inner, last);
        }
    }
}
