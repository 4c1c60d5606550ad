//! What a press says, in a text that is short enough to hang on a control.

use std::fmt;
use std::str::FromStr;

use crate::discord::controls::UnknownControl;
use crate::rules::{Answer, Declaration, Key, Value};

/// Answers that were given by presses: each is one of several options, as `key=option`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::discord) struct PressedAnswers(pub(in crate::discord) Declaration);

impl fmt::Display for PressedAnswers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for (key, answer) in self.0.iter() {
            // Nothing else can be pressed.
            let Answer::Given(Value::Choice(option)) = answer else { continue };
            write!(f, "{comma}{key}={option}")?;
            comma = ",";
        }
        Ok(())
    }
}

impl FromStr for PressedAnswers {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        let mut said = Declaration::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (key, option) = part.split_once('=').ok_or(UnknownControl)?;
            let key: Key = key.parse().map_err(|_| UnknownControl)?;
            said.set(key, Answer::Given(Value::Choice(option.into())));
        }
        Ok(Self(said))
    }
}
