//! The words of a pace, from `data/desk/pace.toml`.

use std::collections::BTreeMap;

use chrono::Weekday;
use chrono_tz::{TZ_VARIANTS, Tz};
use serde::Deserialize;
use strum::EnumCount;

use crate::Weekdays;
use crate::pace::SaidTime;
use crate::time::{DAY, HOUR, MINUTE, SECOND, Span};
use crate::vocabulary::{Vocabulary, WordForms, all_said, nearest};
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::fold;

const FILE: &str = "data/desk/pace.toml";
const TEXT: &str = include_str!("../../../data/desk/pace.toml");

/// The minimum length in characters of a word that may be a mistyped zone.
const LIKE_A_ZONE: usize = 5;

/// A part of the day, which defines the hours named in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DayPart {
    Am,
    Pm,
    Morning,
    Afternoon,
    Evening,
    Night,
    LateNight,
    Noon,
    Midnight,
}

impl DayPart {
    /// Returns the hour that a number names in this part of a day, counted from the day's midnight: the small
    /// hours of a night are those of the next day. `None` if no clock shows that hour then.
    pub(super) fn hour(self, number: u32) -> Option<u32> {
        let (afternoon, night) = (number.saturating_add(12), number.saturating_add(24));
        Some(match (self, number) {
            (Self::Am, 12) => 0,
            (Self::Pm | Self::Afternoon | Self::Noon, 12) => 12,
            (Self::Night | Self::LateNight | Self::Midnight, 0 | 12) => 24,
            (Self::Night, 1..=4) | (Self::LateNight, 1..=5) => night,
            (Self::Pm, 0..=11)
            | (Self::Afternoon, 1..=5)
            | (Self::Evening, 1..=11)
            | (Self::Night, 5..=11)
            | (Self::LateNight, 6..=11) => afternoon,
            (Self::Am | Self::Morning, 0..=11)
            | (Self::Afternoon, 13..=17)
            | (Self::Evening, 13..=23)
            | (Self::Night, 13..)
            | (Self::LateNight, 18..) => number,
            _ => return None,
        })
    }
}

/// The meaning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PaceWord {
    Daily,
    Nightly,
    Weekdays,
    Weekends,
    TwiceAWeek,
    OnceAWeek,
    Weekly,
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
    Fast,
    Live,
    Every,
    AtATime,
    Deadline,
    Announce,
    Early,
    CoolDown,
    Least,
    Remind,
    LastCall,
    Quiet,
    Except,
    Excluding,
    Holidays,
    Outage,
    Setup,
    Reaction,
    Choice,
    Hourly,
    AnyTime,
    AtOnce,
    Before,
    After,
    To,
    No,
    None,
    Yes,
    Extend,
    Late,
    Wait,
    OClock,
    Half,
    Am,
    Pm,
    Morning,
    Afternoon,
    Evening,
    Night,
    LateNight,
    Noon,
    Midnight,
    Today,
    Tomorrow,
}

impl PaceWord {
    /// Returns the day of the week that the word names.
    pub(super) fn weekday(self) -> Option<Weekday> {
        Some(match self {
            Self::Mon => Weekday::Mon,
            Self::Tue => Weekday::Tue,
            Self::Wed => Weekday::Wed,
            Self::Thu => Weekday::Thu,
            Self::Fri => Weekday::Fri,
            Self::Sat => Weekday::Sat,
            Self::Sun => Weekday::Sun,
            _ => return None,
        })
    }

    /// Returns the days of the week that the word means.
    pub(super) fn days(self) -> Option<Weekdays> {
        match self {
            Self::Daily | Self::Nightly => Some(Weekdays::DAILY),
            Self::Weekdays => Some(Weekdays::WEEKDAYS),
            Self::Weekends => Some(Weekdays::WEEKENDS),
            _ => self.weekday().map(Weekdays::one),
        }
    }

    /// Returns the part of the day that the word names.
    pub(super) fn day_part(self) -> Option<DayPart> {
        Some(match self {
            Self::Am => DayPart::Am,
            Self::Pm => DayPart::Pm,
            Self::Morning => DayPart::Morning,
            Self::Afternoon => DayPart::Afternoon,
            Self::Evening => DayPart::Evening,
            Self::Night | Self::Nightly => DayPart::Night,
            Self::LateNight => DayPart::LateNight,
            Self::Noon => DayPart::Noon,
            Self::Midnight => DayPart::Midnight,
            _ => return None,
        })
    }

    /// Returns the time of day that the word names alone.
    pub(super) fn time(self) -> Option<SaidTime> {
        match self {
            Self::Noon | Self::Midnight => SaidTime::new(self.day_part()?.hour(12)?, 0),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Unit {
    Week,
    Day,
    Hour,
    Minute,
    Second,
}

impl Unit {
    /// Returns the length of the unit, with 24 hours a day.
    pub(super) fn span(self) -> Span {
        match self {
            Self::Week => DAY * 7,
            Self::Day => DAY,
            Self::Hour => HOUR,
            Self::Minute => MINUTE,
            Self::Second => SECOND,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PaceWordFile {
    word: BTreeMap<PaceWord, WordForms>,
    unit: BTreeMap<Unit, WordForms>,
    zone: BTreeMap<String, WordForms>,
    noise: WordForms,
}

/// The meaning of a word in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PaceMeaning {
    Word(PaceWord),
    Zone(Tz),
    Noise,
}

/// The words that are built in.
pub(super) static WORDS: BuiltIn<PaceWords> = BuiltIn::new(|| PaceWords::parse(FILE, TEXT));

/// All words of a pace.
#[derive(Debug)]
pub(crate) struct PaceWords {
    pub(super) words: Vocabulary<PaceMeaning>,
    pub(super) units: Vocabulary<Unit>,
}

impl PaceWords {
    fn parse(file_name: &str, text: &str) -> Result<Self, DataFault> {
        let file: PaceWordFile = parse(file_name, text)?;
        let at = (file_name, text);
        all_said(at, "[word]", &file.word)?;
        all_said(at, "[unit]", &file.unit)?;
        let words = file.word.iter().map(|(word, forms)| (PaceMeaning::Word(*word), forms));
        let mut zones = Vec::new();
        for (name, forms) in &file.zone {
            let unknown = || DataFault::at_key(file_name, text, &format!("{name:?}"), "no zone");
            zones.push((PaceMeaning::Zone(zone(name).ok_or_else(unknown)?), forms));
        }
        let all = words.chain(zones).chain([(PaceMeaning::Noise, &file.noise)]);
        let words = Vocabulary::new(at, all)?;
        let units = file.unit.iter().map(|(unit, forms)| (*unit, forms));
        Ok(Self { words, units: Vocabulary::new(at, units)? })
    }

    /// Returns the words for the treatment of outages, in the script of the input.
    pub(super) fn of_outage(&self, input: &str) -> Vec<String> {
        let shortest = |word: PaceWord| {
            let words = self.words.0.iter().filter(|entry| entry.means == PaceMeaning::Word(word));
            let words = words.filter(|entry| entry.written.is_ascii() == input.is_ascii());
            words.map(|entry| &entry.written).min_by_key(|written| written.len())
        };
        [PaceWord::Extend, PaceWord::Late, PaceWord::Wait]
            .into_iter()
            .filter_map(shortest)
            .cloned()
            .collect()
    }

    /// Returns the most similar words and zones, best first. No zone is similar to a short word.
    pub(super) fn nearest(&self, input: &str) -> Vec<String> {
        let words = self.words.0.iter().filter(|entry| entry.means != PaceMeaning::Noise);
        let words = words.map(|entry| (fold(&entry.written), entry.written.as_str()));
        let zones = zones_by_city().filter(|_| input.chars().count() >= LIKE_A_ZONE);
        nearest(input, words.chain(zones))
    }
}

/// Returns the zone with this name, ignoring case.
pub(super) fn zone(name: &str) -> Option<Tz> {
    TZ_VARIANTS.into_iter().find(|zone| zone.name().eq_ignore_ascii_case(name))
}

/// Returns every fault in the words of a pace.
pub fn check() -> Vec<DataFault> {
    WORDS.fault().into_iter().collect()
}

/// Returns zones by the last part of their name alone.
pub(super) fn zones_by_city<'a>() -> impl Iterator<Item = (String, &'a str)> {
    TZ_VARIANTS.iter().filter_map(|zone| {
        let (_, city) = zone.name().rsplit_once('/')?;
        Some((city.to_lowercase(), zone.name()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sound() {
        assert_eq!(check(), []);
    }

    #[test]
    fn a_fault_has_its_line() {
        let twice = TEXT.replace("\"daily\"", "\"late\"");
        let fault = PaceWords::parse(FILE, &twice).unwrap_err();
        assert!(fault.what.contains("two places"), "{fault}");
        let unknown = TEXT.replace("fast = ", "fats = ");
        let line = TEXT.lines().position(|line| line.starts_with("fast")).unwrap() + 1;
        assert_eq!(PaceWords::parse(FILE, &unknown).unwrap_err().line, line);
        let missing: String =
            TEXT.split_inclusive('\n').filter(|line| !line.starts_with("am =")).collect();
        let fault = PaceWords::parse(FILE, &missing).unwrap_err();
        assert!(fault.what.starts_with(&(PaceWord::COUNT - 1).to_string()), "{fault}");
    }
}
