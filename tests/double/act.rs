//! The acts of test users, from the input to the answer.

mod command;
mod form;
mod press;

use std::{future::IntoFuture, pin::Pin, time::Duration};

use serde_json::Value;

use super::{
    answer::{Answer, Seen},
    host::Place,
    interactions::{Deed, Interaction},
    people::Person,
    state::{Id, State},
};

/// An act of a user; awaiting it carries it out and returns the answer.
#[must_use = "nothing is done before it is awaited"]
pub struct Act {
    person: Person,
    place: Option<Id>,
    what: What,
}

enum What {
    Command { words: String, options: Vec<(String, Value)>, completing: Option<String> },
    Press { button: String, on: Option<Seen> },
    Choose { options: Vec<String>, from: Option<String>, on: Option<Seen> },
    Submit { form: Box<Answer>, fields: Vec<(String, String)> },
}

impl Act {
    pub(super) fn command(person: Person, words: &str) -> Self {
        let words = words.to_owned();
        let what = What::Command { words, options: Vec::new(), completing: None };
        Self { person, place: None, what }
    }

    pub(super) fn press(person: Person, button: &str) -> Self {
        Self { person, place: None, what: What::Press { button: button.to_owned(), on: None } }
    }

    pub(super) fn choose(person: Person, options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        Self { person, place: None, what: What::Choose { options, from: None, on: None } }
    }

    pub(super) fn submit(person: Person, form: &Answer, fields: &[(&str, &str)]) -> Self {
        let fields = fields.iter().map(|&(name, text)| (name.to_owned(), text.to_owned()));
        let what = What::Submit { form: Box::new(form.clone()), fields: fields.collect() };
        Self { person, place: None, what }
    }

    /// Carries out the act in this channel instead of the user's current one.
    pub fn in_channel(self, place: Place) -> Self {
        Self { place: Some(place.0), ..self }
    }

    /// Gives an option of the command, by its name in any language.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let What::Command { options, .. } = &mut self.what else { panic!("this is no command") };
        options.push((name.to_owned(), value.into()));
        self
    }

    /// Stops while typing an option, to get its completions.
    pub fn completing(mut self, name: &str, typed: &str) -> Self {
        self = self.with(name, typed);
        if let What::Command { completing, .. } = &mut self.what {
            *completing = Some(name.to_owned());
        }
        self
    }

    /// Carries out the act on this message, in the state in which it was seen.
    pub fn on(mut self, message: &impl AsRef<Seen>) -> Self {
        match &mut self.what {
            What::Press { on, .. } | What::Choose { on, .. } => {
                *on = Some(message.as_ref().clone());
            }
            _ => panic!("this is done on no message"),
        }
        self
    }

    /// Chooses from the menu with this placeholder or id.
    pub fn from(mut self, menu: &str) -> Self {
        let What::Choose { from, .. } = &mut self.what else { panic!("this has no menu") };
        *from = Some(menu.to_owned());
        self
    }

    /// Carries out the act, and waits only for the first response.
    pub async fn acknowledged(self) -> Answer {
        self.answered_when(|one| one.answered.is_some()).await
    }

    /// Carries out the act, and checks that the bot sends no response in time.
    pub async fn goes_unanswered(self) {
        let shared = self.person.shared().clone();
        let interaction = self.done().await;
        let wait = shared.look(|state| state.settings.answer_within);
        tokio::time::sleep(wait + Duration::from_millis(50)).await;
        let answered = shared.look(|state| state.interactions[&interaction].answered);
        assert_eq!(answered, None, "somebody answered");
    }

    /// Checks that the act is possible now. The error gives the reason.
    pub fn can_be_done(&self) -> Result<(), String> {
        self.person.shared().look(|state| self.deed(state).map(drop))
    }

    /// Carries out the act without waiting for an answer.
    pub async fn done(self) -> Id {
        let person = self.person.clone();
        let mut why = String::new();
        let deed = person.shared().find(|state| match self.deed(state) {
            Ok(deed) => Some(deed),
            Err(reason) => {
                why = reason;
                None
            }
        });
        match deed.await {
            Some(deed) => person.shared().with(|state| state.interact(deed)),
            None => person.shared().fail(&format!("{} cannot do that: {why}", person.name())),
        }
    }

    async fn answered_when(self, enough: impl Fn(&Interaction) -> bool + Send) -> Answer {
        let shared = self.person.shared().clone();
        let who = self.person.name().to_owned();
        let id = self.done().await;
        let answered = |state: &State| {
            let interaction = &state.interactions[&id];
            enough(interaction).then(|| Answer::of(state, interaction))
        };
        shared.wait(&format!("an answer to {who}"), answered).await
    }

    fn deed(&self, state: &State) -> Result<Deed, String> {
        let person = self.person.id();
        let here = self.place.unwrap_or(state.people[&person].looks_at);
        if !state.sees(person, here) {
            return Err(format!("{} is not to be seen", state.place(here)));
        }
        match &self.what {
            What::Command { words, options, completing } => {
                command::deed(state, person, here, words, options, completing.as_deref())
            }
            What::Press { button, on } => press::press(state, person, button, on.as_ref()),
            What::Choose { options, from, on } => {
                press::choose(state, person, options, from.as_deref(), on.as_ref())
            }
            What::Submit { form, fields } => form::deed(person, form, fields),
        }
    }
}

impl IntoFuture for Act {
    type Output = Answer;
    type IntoFuture = Pin<Box<dyn Future<Output = Answer> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.answered_when(|interaction| interaction.settled))
    }
}
