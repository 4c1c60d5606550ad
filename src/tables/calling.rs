//! A person's settings for all of their tables: their time zone, their quiet hours, and the way they are
//! called.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use strum::{EnumCount, IntoStaticStr};

use crate::pace::{read_quiet, read_zone};
use crate::time::Time;
use crate::vocabulary::{WordForms, all_said, found, quote, sound};
use crate::{PaceFault, Quiet};
use rules::data::{BuiltIn, DataFault, parse};

/// A person's settings for all of their tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PersonSettings {
    /// The time zone of the times shown to the person, `None` for that of each table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<Tz>,
    /// The hours in which the person is not called, `None` if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Quiet>,
    pub way: CallWay,
    pub moments: CallMoments,
}

/// The way a person is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(EnumCount, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum CallWay {
    /// A mention in the post of a window that opens, and a message before its deadline.
    #[default]
    Usual,
    /// A private message.
    Message,
    /// A mention in the thread of the table.
    Thread,
    /// The person is not called.
    Nothing,
}

/// The moments at which a person is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(EnumCount, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum CallMoments {
    /// Calls at the opening of a window, and before its deadline as often as the table's pace says.
    #[default]
    Usual,
    /// Calls at the opening of a window, and once before its deadline.
    Both,
    /// One call at the opening of a window.
    Opening,
    /// One call before a deadline.
    Deadline,
}

/// The reason for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallTo {
    /// The opening of a window.
    Opening,
    /// A deadline that comes near.
    Reminder {
        /// True if the reminder is the last one.
        is_last: bool,
    },
    /// The person is the last one awaited.
    LastAwaited,
}

impl PersonSettings {
    /// Returns the time zone of the times shown to the person, for a table in this zone.
    pub fn zone_at(&self, table: Tz) -> Tz {
        self.zone.unwrap_or(table)
    }

    /// True if the person is called for this reason.
    pub fn is_called(&self, to: CallTo) -> bool {
        let by_moments = match (self.moments, to) {
            (CallMoments::Usual, _)
            | (CallMoments::Both | CallMoments::Opening, CallTo::Opening) => true,
            (CallMoments::Both | CallMoments::Deadline, CallTo::Reminder { is_last }) => is_last,
            _ => false,
        };
        self.way != CallWay::Nothing && by_moments
    }

    /// Returns the time of a call due at this time, at a table in this zone: outside of the person's quiet
    /// hours, unless that is too late.
    pub fn called_at(&self, at: Time, too_late: Time, table: Tz) -> Time {
        let awake = self.quiet.map_or(at, |quiet| quiet.ends(self.zone_at(table), at));
        if awake < too_late { awake } else { at }
    }

    /// True if the post of a window with these times calls the person; if not, a letter does, provided that
    /// they are called at all.
    pub fn is_called_by_post(&self, opens: Time, closes: Time, table: Tz) -> bool {
        let is_way = matches!(self.way, CallWay::Usual | CallWay::Thread);
        is_way && self.is_called(CallTo::Opening) && self.called_at(opens, closes, table) == opens
    }

    /// True if the person is called in the thread of the table, if the table has one.
    pub fn is_called_in_thread(&self, to: CallTo) -> bool {
        match self.way {
            CallWay::Thread => true,
            CallWay::Usual => to == CallTo::Opening,
            CallWay::Message | CallWay::Nothing => false,
        }
    }
}

const FILE: &str = "data/desk/me.toml";
const TEXT: &str = include_str!("../../data/desk/me.toml");

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
    use chrono_tz::Tz::{Asia__Tokyo, UTC};

    use super::*;
    use crate::TimeOfDay;
    use crate::time::time;

    const H: i64 = 60 * 60 * 1000;

    fn quiet(from: u32, to: u32) -> Quiet {
        let at = |hour: u32| TimeOfDay::new(hour, 0).unwrap();
        Quiet { from: at(from), to: at(to) }
    }

    #[test]
    fn who_sets_nothing_is_called_as_their_table_has_it() {
        let usual = PersonSettings::default();
        for to in [
            CallTo::Opening,
            CallTo::Reminder { is_last: false },
            CallTo::Reminder { is_last: true },
            CallTo::LastAwaited,
        ] {
            assert!(usual.is_called(to), "{to:?}");
        }
        assert_eq!(usual.called_at(time(5), time(9), UTC), time(5));
        assert_eq!(usual.zone_at(Asia__Tokyo), Asia__Tokyo);
        assert_eq!(serde_json::to_string(&usual).unwrap(), r#"{"way":"usual","moments":"usual"}"#);
        assert_eq!(serde_json::from_str::<PersonSettings>("{}").unwrap(), usual);
    }

    /// A row for each choice: true if they are called at the opening, by a reminder before the last, by the
    /// last reminder, and as the last one awaited.
    #[test]
    fn they_are_called_when_they_wish() {
        let called = |way, moments| {
            let settings = PersonSettings { way, moments, ..PersonSettings::default() };
            let to = [
                CallTo::Opening,
                CallTo::Reminder { is_last: false },
                CallTo::Reminder { is_last: true },
                CallTo::LastAwaited,
            ];
            to.map(|to| settings.is_called(to))
        };
        let message = CallWay::Message;
        assert_eq!(called(message, CallMoments::Usual), [true; 4]);
        assert_eq!(called(message, CallMoments::Both), [true, false, true, false]);
        assert_eq!(called(message, CallMoments::Opening), [true, false, false, false]);
        assert_eq!(called(message, CallMoments::Deadline), [false, false, true, false]);
        for moments in [CallMoments::Usual, CallMoments::Both] {
            assert_eq!(called(CallWay::Nothing, moments), [false; 4]);
        }
    }

    #[test]
    fn quiet_hours_are_waited_for_unless_it_is_too_late_then() {
        let night = PersonSettings { quiet: Some(quiet(0, 7)), ..PersonSettings::default() };
        for (at, too_late, called) in [(3, 12, 7), (8, 12, 8), (3, 6, 3), (3, 7, 3)] {
            let called_at = night.called_at(time(at * H), time(too_late * H), UTC);
            assert_eq!(called_at, time(called * H), "{at} {too_late}");
        }
        // Midnight in Tokyo is 15:00 UTC.
        let there = PersonSettings { zone: Some(Asia__Tokyo), ..night };
        assert_eq!(there.called_at(time(3 * H), time(12 * H), UTC), time(3 * H));
        assert_eq!(there.called_at(time(16 * H), time(40 * H), UTC), time(22 * H));
    }

    #[test]
    fn a_post_calls_whom_no_letter_of_their_own_does() {
        let of =
            |way| PersonSettings { way, quiet: Some(quiet(0, 7)), ..PersonSettings::default() };
        for (way, opens, by_post) in [
            (CallWay::Usual, 8, true),
            (CallWay::Usual, 3, false),
            (CallWay::Thread, 8, true),
            (CallWay::Message, 8, false),
            (CallWay::Nothing, 8, false),
        ] {
            let (opens, closes) = (time(opens * H), time(20 * H));
            assert_eq!(of(way).is_called_by_post(opens, closes, UTC), by_post, "{way:?}");
        }
        let opening = CallTo::Opening;
        assert!(of(CallWay::Usual).is_called_in_thread(opening));
        assert!(!of(CallWay::Usual).is_called_in_thread(CallTo::LastAwaited));
        assert!(!of(CallWay::Message).is_called_in_thread(opening));
    }

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
