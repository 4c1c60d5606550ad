//! Interactions: the acts of users, and their answers.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    refusal::Refusal,
    state::{Id, State, said},
    transcript::Happening,
};

/// The prefix of every interaction token.
const TOKEN: &str = "aW50ZXJhY3Rpb246";

/// An act of a user that the bot has to answer.
#[derive(Clone, Debug)]
pub struct Interaction {
    pub id: Id,
    pub token: String,
    /// The type: 2 for a command, 3 for a button or menu, 4 for a completion, 5 for a modal.
    pub kind: u8,
    pub person: Id,
    pub channel: Id,
    /// The message of the button or menu, or of the modal's origin.
    pub source: Option<Id>,
    pub began: Duration,
    /// The type of the first answer; `None` before it.
    pub answered: Option<u8>,
    /// The time until the first answer.
    pub took: Option<Duration>,
    /// The message referred to by `@original`.
    pub original: Option<Id>,
    pub modal: Option<Value>,
    pub choices: Option<Vec<Value>>,
    /// True if the answer is complete for the user.
    pub settled: bool,
}

/// The data of an act.
#[derive(Clone, Debug)]
pub struct Deed {
    pub kind: u8,
    pub person: Id,
    pub channel: Id,
    pub source: Option<Id>,
    pub data: Value,
    /// The text of the act in the transcript.
    pub told: String,
}

impl State {
    /// Creates an interaction, and dispatches it to the bot.
    pub fn interact(&mut self, deed: Deed) -> Id {
        let id = self.next_id();
        let interaction = Interaction {
            id,
            token: format!("{TOKEN}{id:x}"),
            kind: deed.kind,
            person: deed.person,
            channel: deed.channel,
            source: deed.source,
            began: self.age(),
            answered: None,
            took: None,
            original: None,
            modal: None,
            choices: None,
            settled: false,
        };
        let told = Happening::Did(deed.told);
        self.happen_to(deed.person, deed.channel, told);
        let object = self.interaction_object(&interaction, &deed.data);
        self.interactions.insert(id, interaction);
        self.dispatch("INTERACTION_CREATE", &object);
        id
    }

    fn interaction_object(&self, of: &Interaction, data: &Value) -> Value {
        let human = &self.people[&of.person];
        let mut place = self.channel_object(of.channel);
        place["permissions"] = json!(self.permissions_in(of.person, of.channel).bits().to_string());
        let private = self.channels[&of.channel].recipient.is_some();
        let may = self.permissions_in(self.application, of.channel);
        let mut object = json!({
            "id": said(of.id), "application_id": said(self.application), "type": of.kind,
            "token": of.token, "version": 1, "channel_id": said(of.channel), "channel": place,
            "data": data, "locale": human.locale.word(), "entitlements": [],
            "app_permissions": may.bits().to_string(), "attachment_size_limit": 10_485_760,
            "authorizing_integration_owners": { "0": said(if private { 0 } else { self.guild.id }) },
            "context": u8::from(private),
        });
        if private {
            object["user"] = json!(self.user(of.person));
        } else {
            object["guild_id"] = json!(said(self.guild.id));
            object["guild_locale"] = json!("ja");
            object["member"] = json!(self.member(of.person, Some(of.channel)));
            object["guild"] = json!({
                "id": said(self.guild.id), "locale": "ja", "features": [],
            });
        }
        if let Some(message) = of.source.filter(|id| self.messages.contains_key(id)) {
            object["message"] = self.message_object(message);
        }
        object
    }

    /// Returns an interaction that still accepts its first answer.
    pub fn unanswered(&self, id: Id, token: &str) -> Result<&Interaction, Refusal> {
        let known = self.interactions.get(&id).filter(|one| one.token == token);
        let known = known.ok_or_else(Refusal::unknown_interaction)?;
        if known.answered.is_some() {
            return Err(Refusal::already_answered());
        }
        let in_time = self.age() <= known.began + self.settings.answer_within;
        in_time.then_some(known).ok_or_else(Refusal::unknown_interaction)
    }

    /// Returns the answered interaction of a token.
    pub fn by_token(&self, application: Id, token: &str) -> Result<&Interaction, Refusal> {
        let id = token.strip_prefix(TOKEN).and_then(|id| Id::from_str_radix(id, 16).ok());
        let known = id
            .and_then(|id| self.interactions.get(&id))
            .filter(|one| one.answered.is_some() && application == self.application);
        let known = known.ok_or_else(Refusal::unknown_webhook)?;
        let holds = self.age() <= known.began + self.settings.token_lasts;
        holds.then_some(known).ok_or_else(Refusal::token_has_run_out)
    }
}
