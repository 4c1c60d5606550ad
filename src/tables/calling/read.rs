//! The parser of a person's settings, such as `zone Europe/Berlin` or `calls thread`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::EnumCount;

use super::settings::{CallMoments, CallWay, PersonSettings};
use crate::pace::{PaceFault, read_quiet, read_zone};
use crate::vocabulary::{WordForms, all_said, found, quote, sound};
use rules::data::{BuiltIn, DataFault, parse};

const FILE: &str = "data/desk/me.toml";
const TEXT: &str = include_str!("../../../data/desk/me.toml");

/// A setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub enum SettingsTopic {
    Zone,
    Quiet,
    Calls,
}

/// A value of the calls setting; some values unset any setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
enum SettingsWord {
    Usual,
    Message,
    Thread,
    Nothing,
    Both,
    Opening,
    Deadline,
}

/// The reason why a text is not a setting. It quotes the input as typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SettingsFault {
    /// The text names no setting.
    Unknown { said: String },
    /// The text is neither a way nor a moment of a call.
    NoCall { said: String },
    /// The text is not a span of hours.
    NoHours { said: String },
    /// The text is neither a zone nor a span of hours.
    #[serde(skip)]
    Pace(PaceFault),
}

impl PersonSettings {
    /// Returns the settings with the changes of a line.
    ///
    /// # Errors
    /// If the line has an unknown word, or one that does not fit.
    pub fn read(self, text: &str) -> Result<Self, SettingsFault> {
        let unknown = || SettingsFault::Unknown { said: quote(text) };
        let (topic, input) = found(&WORDS.topic, text).ok_or_else(unknown)?;
        // A setting alone is a question about its value.
        if input.trim().is_empty() { Ok(self) } else { self.set(topic, input) }
    }

    /// Returns the settings with a new value of one setting.
    ///
    /// # Errors
    /// If the value does not fit.
    pub fn set(self, topic: SettingsTopic, input: &str) -> Result<Self, SettingsFault> {
        let is_none = says_none(input);
        match topic {
            SettingsTopic::Zone if is_none => Ok(Self { zone: None, ..self }),
            SettingsTopic::Zone => {
                let zone = read_zone(input).map_err(SettingsFault::Pace)?;
                Ok(Self { zone: Some(zone), ..self })
            }
            SettingsTopic::Quiet if is_none => Ok(Self { quiet: None, ..self }),
            SettingsTopic::Quiet => {
                let quiet = read_quiet(input).map_err(|fault| match fault {
                    PaceFault::NoQuietHours { .. } => SettingsFault::Pace(fault),
                    _ => SettingsFault::NoHours { said: quote(input) },
                })?;
                Ok(Self { quiet: Some(quiet), ..self })
            }
            SettingsTopic::Calls => self.set_calls(input),
        }
    }

    fn set_calls(mut self, input: &str) -> Result<Self, SettingsFault> {
        let between = |c: char| c.is_whitespace() || matches!(c, ',' | '、' | '，');
        let mut rest = input.trim_matches(between);
        let no_call = || SettingsFault::NoCall { said: quote(input) };
        if rest.is_empty() {
            return Err(no_call());
        }
        while !rest.is_empty() {
            let (word, behind) = found(&WORDS.word, rest).ok_or_else(no_call)?;
            rest = behind.trim_start_matches(between);
            match word {
                SettingsWord::Usual => {
                    (self.way, self.moments) = (CallWay::Usual, CallMoments::Usual);
                }
                SettingsWord::Message => self.way = CallWay::Message,
                SettingsWord::Thread => self.way = CallWay::Thread,
                SettingsWord::Nothing => self.way = CallWay::Nothing,
                SettingsWord::Both => self.moments = CallMoments::Both,
                SettingsWord::Opening => self.moments = CallMoments::Opening,
                SettingsWord::Deadline => self.moments = CallMoments::Deadline,
            }
        }
        Ok(self)
    }
}

/// True if a text unsets a setting.
fn says_none(input: &str) -> bool {
    matches!(found(&WORDS.word, input), Some((SettingsWord::Nothing | SettingsWord::Usual, "")))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsWords {
    topic: BTreeMap<SettingsTopic, WordForms>,
    word: BTreeMap<SettingsWord, WordForms>,
}

static WORDS: BuiltIn<SettingsWords> = BuiltIn::new(|| read_words(FILE, TEXT));

fn read_words(file_name: &str, text: &str) -> Result<SettingsWords, DataFault> {
    let words: SettingsWords = parse(file_name, text)?;
    let at = (file_name, text);
    all_said(at, "[topic]", &words.topic)?;
    all_said(at, "[word]", &words.word)?;
    sound(at, words.topic.values())?;
    sound(at, words.word.values())?;
    Ok(words)
}

/// Returns every fault in these words.
pub fn check() -> Vec<DataFault> {
    WORDS.fault().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::*;

    #[test]
    fn the_words_are_sound() {
        assert_eq!(check(), []);
        let twice = TEXT.replace("\"thread\"", "\"message\"");
        assert!(read_words(FILE, &twice).unwrap_err().what.contains("two places"));
    }

    #[test]
    fn each_setting_is_read_in_both_languages() {
        let none = PersonSettings::default();
        let zone = |zone| PersonSettings { zone: Some(zone), ..none };
        let way = |way| PersonSettings { way, ..none };
        for (en, ja, read) in [
            ("zone Europe/Berlin", "時間帯 Europe/Berlin", zone(Tz::Europe__Berlin)),
            ("calls message", "呼び出し メッセージ", way(CallWay::Message)),
            ("calls thread", "呼び出し　スレッド", way(CallWay::Thread)),
            ("calls nothing", "呼び出し なし", way(CallWay::Nothing)),
            (
                "calls message, once before the deadline",
                "呼び出し メッセージ、締め切り前に1回",
                PersonSettings { moments: CallMoments::Deadline, ..way(CallWay::Message) },
            ),
            (
                "calls opening",
                "呼び出し 開始時",
                PersonSettings { moments: CallMoments::Opening, ..none },
            ),
        ] {
            assert_eq!(none.read(en), Ok(read), "{en}");
            assert_eq!(none.read(ja), Ok(read), "{ja}");
        }
        let quiet = none.read("quiet 23:00-7:00").unwrap();
        assert_eq!(none.read("夜休み 23:00〜7:00").unwrap(), quiet);
        assert!(quiet.quiet.is_some());
        assert_eq!(quiet.read("quiet none"), Ok(none));
        assert_eq!(zone(Tz::Asia__Tokyo).read("zone none"), Ok(none));
        let called = PersonSettings { moments: CallMoments::Both, ..way(CallWay::Thread) };
        assert_eq!(called.read("calls usual"), Ok(none));
    }

    #[test]
    fn what_means_nothing_changes_nothing() {
        let none = PersonSettings::default();
        let quoted = || "shout".to_owned();
        assert_eq!(none.read("shout"), Err(SettingsFault::Unknown { said: quoted() }));
        assert_eq!(none.read("calls shout"), Err(SettingsFault::NoCall { said: quoted() }));
        for text in ["zone Europe/Berln", "zone London", "zone 3 days", "quiet 7:00-7:00"] {
            assert!(matches!(none.read(text), Err(SettingsFault::Pace(_))), "{text}");
        }
        for text in ["quiet 3 days", "quiet shout", "夜休み 23時"] {
            assert!(matches!(none.read(text), Err(SettingsFault::NoHours { .. })), "{text}");
        }
        // A setting alone is a question about its value.
        let set = none.read("quiet 23:00-7:00").unwrap();
        for text in ["quiet", "zone", "calls", "夜休み", "時間帯"] {
            assert_eq!(set.read(text), Ok(set), "{text}");
        }
    }
}
