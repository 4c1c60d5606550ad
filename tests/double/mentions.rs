//! The mentions in a message, and the users notified.

use std::collections::BTreeSet;

use serde_json::Value;

use super::state::{Id, State, said};

impl State {
    /// Notifies the users mentioned in the text, as far as `allowed_mentions` permits.
    pub fn ping(&mut self, id: Id, body: &Value) {
        let message = &self.messages[&id];
        let (channel, text) = (message.channel, message.content.clone());
        let allowed = body.get("allowed_mentions").filter(|allowed| !allowed.is_null());
        let private_to = message.private_to;
        let lists = |key: &str, word: &str| {
            let list = allowed.and_then(|one| one[key].as_array());
            list.is_some_and(|list| list.iter().any(|one| one.as_str() == Some(word)))
        };
        let named = self.mentioned(&text).into_iter().filter(|person| {
            allowed.is_none() || lists("parse", "users") || lists("users", &said(*person))
        });
        let mut reached: Vec<Id> = named.collect();
        let all = text.contains("@everyone") || text.contains("@here");
        let may = self.permissions_in(self.application, channel).mention_everyone();
        if all && may && (allowed.is_none() || lists("parse", "everyone")) {
            reached = self.audience(channel);
        }
        reached.retain(|person| match (private_to, self.channels[&channel].recipient) {
            (Some(one), _) | (None, Some(one)) => one == *person,
            (None, None) => self.permissions_in(*person, channel).view_channel(),
        });
        if let Some(thread) = self.channels.get_mut(&channel).and_then(|one| one.thread.as_mut())
            && private_to.is_none()
        {
            thread.members.extend(&reached);
        }
        self.messages.get_mut(&id).unwrap().pings = reached;
    }

    /// Returns the users mentioned in a text, in the order of their ids.
    pub fn mentioned(&self, text: &str) -> Vec<Id> {
        let names = text.split("<@").skip(1).filter_map(|rest| rest.split_once('>'));
        let ids = names.filter_map(|(id, _)| id.trim_start_matches('!').parse().ok());
        let known = ids.filter(|id| self.people.contains_key(id));
        known.collect::<BTreeSet<Id>>().into_iter().collect()
    }
}
