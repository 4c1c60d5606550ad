//! Declared answers in a text short enough for a control's id.

use std::fmt;
use std::str::FromStr;

use crate::controls::UnknownControl;
use rules::{Answer, Declaration, Key, Value};

/// Answers given by presses: one option as `key=option`, several as `key=one+other+`, a number as `key=#3`, a
/// question that is left out as `key=-`. A key of the same part as the one before it is written without the
/// part: `act.on=P2,cards=gun+`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PressedAnswers(pub(crate) Declaration);

impl fmt::Display for PressedAnswers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before: Option<Key> = None;
        for (key, answer) in self.0.iter() {
            let Some(answer) = pressed(answer) else { continue };
            match before.replace(key.whole()) {
                None => write!(f, "{key}={answer}")?,
                Some(part) if part == key.whole() => write!(f, ",{}={answer}", key.name)?,
                Some(_) if key.name.is_empty() => write!(f, ",{key}.={answer}")?,
                Some(_) => write!(f, ",{key}={answer}")?,
            }
        }
        Ok(())
    }
}

/// Returns an answer as written after its key; `None` if no press can give it.
fn pressed(answer: &Answer) -> Option<String> {
    match answer {
        Answer::LeftOut => Some(LEFT_OUT.to_string()),
        Answer::Given(Value::Choice(option)) => Some(option.to_string()),
        Answer::Given(Value::Number(number)) => Some(format!("{NUMBER}{number}")),
        Answer::Given(Value::Picks(picks)) if picks.is_empty() => Some(PICK.to_owned()),
        Answer::Given(Value::Picks(picks)) => {
            Some(picks.iter().flat_map(|pick| [pick.as_str(), PICK]).collect())
        }
        _ => None,
    }
}

/// The value of a question that is left out.
const LEFT_OUT: char = '-';

/// The mark after each of several options.
const PICK: &str = "+";

/// The mark before a number.
const NUMBER: char = '#';

impl FromStr for PressedAnswers {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        let mut declared = Declaration::default();
        let mut part: Option<Key> = None;
        for answer in text.split(',').filter(|answer| !answer.is_empty()) {
            let (name, value) = answer.split_once('=').ok_or(UnknownControl)?;
            let key = match &part {
                Some(part) if !name.contains(['.', NUMBER]) => {
                    Key { name: name.into(), ..part.clone() }
                }
                _ => name.parse().map_err(|_| UnknownControl)?,
            };
            let answer = if let Some(number) = value.strip_prefix(NUMBER) {
                Answer::Given(Value::Number(number.parse().map_err(|_| UnknownControl)?))
            } else if value.ends_with(PICK) {
                let picks = value.split(PICK).filter(|pick| !pick.is_empty());
                Answer::Given(Value::Picks(picks.map(Into::into).collect()))
            } else if value.chars().eq([LEFT_OUT]) {
                Answer::LeftOut
            } else {
                Answer::Given(Value::Choice(value.into()))
            };
            part = Some(key.whole());
            declared.set(key, answer);
        }
        Ok(Self(declared))
    }
}

#[cfg(test)]
mod tests {
    use crate::controls::pressed_answers::*;

    #[test]
    fn whatever_is_pressed_reads_back_as_it_is_written() {
        for text in [
            "",
            "act.do=propose,user=P2",
            "act.cards=gun+fake-money+gun+,do=trade,on=P2,wants=#2",
            "act.cards=+,decoy=-,do=accept",
            "act=x,turn#2.card=spy,on=P3",
            "act.do=x,other.=y,way=z",
        ] {
            let answers: PressedAnswers = text.parse().unwrap();
            assert_eq!(answers.to_string(), text);
        }
        for text in ["act", "act.do=#x", "=x"] {
            assert_eq!(text.parse::<PressedAnswers>(), Err(UnknownControl), "{text}");
        }
    }
}
