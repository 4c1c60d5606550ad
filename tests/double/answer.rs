//! The answers that users see for their acts.

use serde_json::Value;

use super::{
    draw,
    interactions::Interaction,
    messages::Message,
    state::{Id, State, said},
};

/// A message as a user saw it at one moment.
#[derive(Clone, Debug)]
pub struct Seen {
    pub id: Id,
    pub channel: Id,
    private: bool,
    text: String,
    pub(super) components: Vec<Value>,
    files: Vec<(String, Vec<u8>)>,
}

impl Seen {
    pub(super) fn of(state: &State, message: &Message) -> Self {
        let names = state.people.values();
        let text = names.fold(draw::message(message), |text, human| {
            text.replace(&format!("<@{}>", said(human.id)), &format!("@{}", human.name))
        });
        let files = message.files.iter().map(|file| (file.name.clone(), file.bytes.to_vec()));
        Self {
            id: message.id,
            channel: message.channel,
            private: !message.is_public(),
            text,
            components: message.components.clone(),
            files: files.collect(),
        }
    }

    /// Returns the message as in a transcript, with its buttons and menus.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns a forged message: the buttons and menus of this one on another message.
    pub fn forged_on(&self, other: &Self) -> Self {
        Self { components: self.components.clone(), ..other.clone() }
    }

    /// True if only one user sees the message.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Returns the pictures and other files, each with its name.
    pub fn files(&self) -> &[(String, Vec<u8>)] {
        &self.files
    }

    /// Returns the labels of the enabled buttons.
    pub fn buttons(&self) -> Vec<String> {
        let buttons = parts(&self.components).into_iter().filter(|part| part["type"] == 2);
        let open = buttons.filter(|part| part["disabled"] != true);
        open.map(|part| part["label"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Returns the labels of the menu options.
    pub fn options(&self) -> Vec<String> {
        let menus = parts(&self.components).into_iter().filter(|part| part["type"] == 3);
        let options =
            menus.flat_map(|menu| menu["options"].as_array().cloned().unwrap_or_default());
        options.map(|one| one["label"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// Returns the parts of a message and all nested parts.
pub(super) fn parts(components: &[Value]) -> Vec<&Value> {
    let inner = |part| {
        let list = Value::get(part, "components").and_then(Value::as_array);
        let list = list.map_or(&[][..], Vec::as_slice);
        let accessory = part.get("accessory").into_iter();
        parts(list).into_iter().chain(accessory).collect::<Vec<_>>()
    };
    components.iter().flat_map(|part| [vec![part], inner(part)].concat()).collect()
}

/// The answer to an act.
#[derive(Clone, Debug)]
pub struct Answer {
    message: Option<Seen>,
    pub(super) form: Option<Value>,
    choices: Option<Vec<Value>>,
    pub(super) channel: Id,
    pub(super) source: Option<Id>,
}

impl Answer {
    pub(super) fn of(state: &State, interaction: &Interaction) -> Self {
        let message = interaction.original.and_then(|id| state.messages.get(&id));
        Self {
            message: message.map(|message| Seen::of(state, message)),
            form: interaction.modal.clone(),
            choices: interaction.choices.clone(),
            channel: interaction.channel,
            source: interaction.source,
        }
    }

    /// Returns the message of the answer, new or edited.
    pub fn message(&self) -> &Seen {
        self.message.as_ref().expect("the answer is a message")
    }

    /// True if the answer is a message.
    pub fn is_message(&self) -> bool {
        self.message.is_some()
    }

    /// Returns the answer as in a transcript.
    pub fn text(&self) -> String {
        match (&self.message, &self.form, &self.choices) {
            (Some(message), ..) => message.text().to_owned(),
            (_, Some(form), _) => draw::modal(form),
            (.., Some(choices)) => draw::choices(choices),
            _ => String::new(),
        }
    }

    /// True if the answer is a message for one user only.
    pub fn is_private(&self) -> bool {
        self.message.as_ref().is_some_and(Seen::is_private)
    }

    /// True if the answer is a form.
    pub fn is_form(&self) -> bool {
        self.form.is_some()
    }

    /// Returns the labels of the enabled buttons.
    pub fn buttons(&self) -> Vec<String> {
        self.message.as_ref().map(Seen::buttons).unwrap_or_default()
    }

    /// Returns the labels of the menu options.
    pub fn options(&self) -> Vec<String> {
        self.message.as_ref().map(Seen::options).unwrap_or_default()
    }

    /// Returns the completions, as they are shown.
    pub fn choices(&self) -> Vec<String> {
        let choices = self.choices.iter().flatten();
        choices.map(|choice| choice["name"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Returns the value of a form field, by its label or id.
    pub fn field(&self, name: &str) -> Option<String> {
        let parts = self.form.as_ref()?["components"].as_array()?;
        let mut fields = parts.iter().flat_map(draw::fields);
        let (_, field) =
            fields.find(|(label, field)| *label == name || field["custom_id"] == name)?;
        Some(field["value"].as_str().unwrap_or_default().to_owned())
    }
}

impl AsRef<Seen> for Answer {
    fn as_ref(&self) -> &Seen {
        self.message()
    }
}

impl AsRef<Seen> for Seen {
    fn as_ref(&self) -> &Seen {
        self
    }
}
