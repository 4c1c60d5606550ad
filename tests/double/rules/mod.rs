//! The rules of Discord for bodies that its specification lacks.
//!
//! The limits are those of Discord's reference for version 10 of the API.

mod commands;
mod components;
mod message;
mod modal;

use std::collections::BTreeMap;

use serde_json::Value;

use super::refusal::Broken;

pub(crate) use commands::{all_commands, command};
pub(crate) use message::{Purpose, message};
pub(crate) use modal::modal;

/// The violations found.
#[derive(Debug, Default)]
pub(crate) struct Findings(pub Vec<Broken>);

impl Findings {
    fn hold(&mut self, holds: bool, at: &str, what: &str) {
        if !holds {
            self.0.push(Broken { at: at.to_owned(), what: what.to_owned() });
        }
    }

    /// Checks that a text, if there is one, has a length in this range, in characters.
    fn length(&mut self, of: &Value, key: &str, at: &str, from: usize, to: usize) {
        let Some(text) = of.get(key).filter(|value| !value.is_null()) else { return };
        let length = text.as_str().map(|text| text.chars().count());
        let holds = length.is_some_and(|length| (from..=to).contains(&length));
        self.hold(holds, &within(at, key), &format!("Must be between {from} and {to} in length."));
    }

    /// Checks that there is a text with a length in this range, in characters.
    fn text(&mut self, of: &Value, key: &str, at: &str, from: usize, to: usize) {
        let there = of.get(key).is_some_and(|value| !value.is_null());
        self.hold(there, &within(at, key), "This field is required");
        self.length(of, key, at, from, to);
    }

    /// Checks that a list, if there is one, has a length in this range.
    fn count(&mut self, of: &Value, key: &str, at: &str, from: usize, to: usize) {
        let Some(list) = of.get(key).and_then(Value::as_array) else { return };
        let holds = (from..=to).contains(&list.len());
        self.hold(holds, &within(at, key), &format!("Must be between {from} and {to} in length."));
    }

    /// Checks that all words are different.
    fn unique(&mut self, words: &[&str], at: &str, what: &str) {
        let mut times = BTreeMap::<&str, usize>::new();
        for word in words {
            *times.entry(word).or_default() += 1;
        }
        for (word, _) in times.iter().filter(|(_, times)| **times > 1) {
            self.hold(false, at, &format!("{what}: {word}"));
        }
    }

    /// Checks that an object has only these fields.
    fn known(&mut self, of: &Value, at: &str, known: &[&str]) {
        for key in of.as_object().into_iter().flat_map(|object| object.keys()) {
            self.hold(known.contains(&key.as_str()), &within(at, key), "There is no such field.");
        }
    }
}

fn within(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

fn list<'a>(of: &'a Value, key: &str) -> &'a [Value] {
    of.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn word<'a>(of: &'a Value, key: &str) -> Option<&'a str> {
    of.get(key).and_then(Value::as_str)
}

fn characters(of: &Value, key: &str) -> usize {
    word(of, key).map_or(0, |text| text.chars().count())
}
