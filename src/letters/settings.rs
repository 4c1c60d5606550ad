//! Letters about the settings of a table; its pace as a sentence, and as the line that `Pace::read` parses.

use minijinja::value::Value;
use serde::Serialize;
use strum::IntoEnumIterator;

use crate::samples::paces;
use crate::template::letters::template_name;
use crate::template::typed::{as_typed, letters, sampled, sampled_from, sampled_variants};
use crate::template::views::LengthView;
use crate::template::{Draw, Sampled};
use crate::write::GameName;
use crate::{DESK, DISCORD, HostName, Letters, Moment, Reader, Result};
use games::any::{AnyGame, GameOption, Misfit};
use games::cards::sets;
use games::options_line::OptionsFault;
use rules::WindowKind;
use rules::text::Lang;
use tables::ids::TableCode;
use tables::time::Span;
use tables::{
    Announce, Dates, Every, ExceptedDays, KindPace, LastCall, OutageRule, Pace, PaceFault, Quiet,
    TableSetting, TableSettings, Tick, TimeOfDay, Weekdays,
};

/// The template of a game's options, with a macro for each value of each option.
pub(super) const OPTIONS: &str = "options";

/// The template of the names of paces, with a macro for each preset.
pub(super) const PRESETS: &str = "presets";

letters! {
    /// The letter about the settings of a table.
    LETTERS in DISCORD;

    /// The settings of a table.
    "settings" pub struct Settings<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        pub host: HostName,
        pub chairs: usize,
        /// The number of occupied chairs.
        pub taken: usize,
        /// The pace, in words.
        pub pace: &'a str,
        /// The pace from the next window on, in words; `None` if it does not change.
        pub next_pace: Option<String>,
        /// The absence policy, in words.
        pub absence: &'a str,
        /// The first deadlines of a game that begins now.
        pub closings: Vec<Moment>,
        /// The game's options, each with its clause.
        pub options: Vec<OptionLine>,
        /// The options as one line of input; empty if the game has none.
        pub line: String,
        /// The language of public letters: `ja` or `en`.
        pub language: &'static str = ["ja", "en"],
        /// True if the game hides who has sealed.
        pub hidden: bool,
        /// The settings that are on.
        pub settings: &'a TableSettings,
        /// The settings that the reader may change.
        pub editable: Editable,
    }
}

letters! {
    /// Letters about paces, and about options that cannot be set.
    DESK_LETTERS in DESK;

    /// A line that is no options of the game.
    "options_fault" pub struct OptionsMisread<'a> { pub fault: &'a OptionsFault }

    /// An option that does not allow the number of players.
    "misfit" pub struct OptionMisfit<'a> {
        /// The value of the option, in words.
        pub words: &'a str,
        /// The clause of the limit.
        pub clause: &'a str,
        pub least: usize,
        pub most: usize,
        /// The number of players.
        pub said: usize,
    }

    /// An option that counts only with another value of another option.
    "idle" pub struct OptionIdle<'a> {
        /// The value of the option, in words.
        pub words: &'a str,
        /// The clause of the option.
        pub clause: &'a str,
        /// The values of the other option, in words.
        pub with: &'a [String],
    }

    /// A pace. A setting with its default value is `None`.
    "pace" pub struct PaceInWords {
        every: EveryView,
        zone: &'static str,
        announce: Option<AnnounceView>,
        early: bool,
        cool_down: Option<LengthView>,
        least: Option<LengthView>,
        reminders: Option<Vec<LengthView>>,
        last_call: Option<LastCallView>,
        quiet: Option<Quiet>,
        except: Option<ExceptView>,
        outage: Option<OutageRule>,
        kinds: Vec<KindView>,
    }

    /// The reason why a line is not a pace.
    "pace_fault" struct PaceMisread<'a> { fault: &'a PaceFault }
}

sampled! {
    /// An option and its value.
    pub struct OptionLine {
        /// The value of the option, in words.
        pub words: String,
        /// The clause of the option.
        pub clause: &'static str,
    }
}

/// The settings that a reader may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Editable {
    Nothing,
    /// The absence policy only.
    Absence,
    Everything,
}

sampled_from! {
    OptionsFault: crate::samples::options_faults();
    TableSettings: TableSetting::iter()
        .flat_map(|of| [true, false].map(|on| TableSettings::default().with(of, on)))
        .collect::<Vec<_>>();
    EveryView: paces().iter().map(|pace| EveryView::new(&pace.every)).collect::<Vec<_>>();
    LengthView: [3_600, 90_061, 11, 0].map(|seconds| LengthView::new(Span::seconds(seconds)));
    Quiet: [Quiet { from: TimeOfDay::MIDNIGHT, to: TimeOfDay::MIDNIGHT }];
    ExceptView: paces().iter().filter_map(ExceptView::new).collect::<Vec<_>>();
    KindView: paces().iter().flat_map(KindView::all).collect::<Vec<_>>();
}

sampled_variants! { Editable { Everything, Absence, Nothing }
    PaceFault {
        Unknown { said, nearest }, Incomplete { said }, TimeOutOfRange { said }, OfNextDay { said },
        NoRhythm, Twice { said }, TooShort { said, least }, TooLong { said, most },
        ReminderTooLong { said, window }, UnknownZone { said, nearest }, NoSuchDay { said },
        NoQuietHours { said }, EndsBeforeItBegins { said }, CloseOrNot { said }, NoDayLeft { most },
    }
}

/// Returns the name of the macro for a value of an option.
pub(super) fn macro_of(key: &str, value: &str) -> String {
    format!("{key}_{value}").replace('-', "_")
}

impl Letters {
    /// Writes the value of an option in words.
    pub fn option(
        &self,
        reader: &Reader,
        game: &dyn AnyGame,
        key: &str,
        value: &str,
    ) -> Result<String> {
        let template = template_name(game.key(), reader.lang, OPTIONS);
        let text = if key == sets::OPTION {
            let set = game.set().or_else(|| game.sets()?.called(value));
            let name = set.map_or(value, |set| set.name(reader.lang));
            self.say(&template, reader, key, Value::from(name))?
        } else {
            self.say(&template, reader, &macro_of(key, value), Value::UNDEFINED)?
        };
        Ok(text.trim().to_owned())
    }

    /// Writes that an option does not allow the number of players.
    pub fn misfit(
        &self,
        reader: &Reader,
        game: &dyn AnyGame,
        (misfit, requested): (&Misfit, usize),
    ) -> Result<String> {
        let Misfit { key, value, clause, least, most } = *misfit;
        let words = &self.option(reader, game, key, value)?;
        self.write(reader, &OptionMisfit { words, clause, least, most, said: requested })
    }

    /// Writes that an option has no effect with the value of another.
    pub fn idle(
        &self,
        reader: &Reader,
        game: &dyn AnyGame,
        (option, value): (&GameOption, &str),
    ) -> Result<String> {
        let words = &self.option(reader, game, option.key, value)?;
        let (key, values) = option.with.unwrap_or((option.key, option.values));
        let with = values.iter().map(|value| self.option(reader, game, key, value));
        let with = &with.collect::<Result<Vec<_>>>()?;
        self.write(reader, &OptionIdle { words, clause: option.clause, with })
    }

    /// Writes the name of a pace preset.
    pub fn preset(&self, reader: &Reader, key: &str) -> Result<String> {
        let template = template_name(DISCORD, reader.lang, PRESETS);
        let text = self.say(&template, reader, key, Value::UNDEFINED)?;
        Ok(text.trim().to_owned())
    }

    /// Writes the name of a game.
    pub fn game_name(&self, game: &'static dyn AnyGame, lang: Lang) -> Result<String> {
        let reader = Reader::new(game, lang);
        self.write(&reader, &GameName {})
    }
}

impl Letters {
    /// Writes a pace as a sentence, without the defaults.
    pub fn pace(&self, reader: &Reader, pace: &Pace) -> Result<String> {
        Ok(self.write(reader, &PaceInWords::new(pace))?.trim().to_owned())
    }

    /// Writes a pace as one line of input, which [`Pace::read`] parses back to the same pace if all its
    /// durations are in whole seconds.
    pub fn pace_line(&self, reader: &Reader, pace: &Pace) -> Result<String> {
        self.write(reader, &PaceLine(PaceInWords::new(pace)))
    }

    /// Writes why a line could not be parsed as a pace, and what would be correct.
    pub fn pace_fault(&self, reader: &Reader, fault: &PaceFault) -> Result<String> {
        self.write(reader, &PaceMisread { fault })
    }
}

as_typed! {
    /// A pace as one line of input.
    LINES in DESK: "pace_line" struct PaceLine(PaceInWords);
}

impl Sampled for AnnounceView {
    fn sample(draw: &mut Draw<'_>) -> Self {
        let next_day = draw.one_of(&[None, Some("all"), Some("some")]);
        let at = Self { at: Some(TimeOfDay::MIDNIGHT), next_day, after: None };
        Option::sample(draw).map_or(at, Self::after)
    }
}

impl Sampled for LastCallView {
    fn sample(draw: &mut Draw<'_>) -> Self {
        Self { after: Option::sample(draw) }
    }
}

/// The pace of windows of one kind. A setting with its default value is `None`.
#[derive(Clone, Debug, Serialize)]
struct KindView {
    kind: WindowKind,
    length: LengthView,
    tick: Option<Tick>,
    least: Option<LengthView>,
}

/// The days without deadlines.
#[derive(Clone, Debug, Serialize)]
struct ExceptView {
    /// The days of the week, from 0, which is Monday.
    weekdays: Vec<u32>,
    /// The last year with known public holidays; `None` if holidays are not excepted.
    holidays: Option<i32>,
    /// The dates, as they are typed.
    dates: Vec<String>,
    /// True if the pace counts in days or times of day, and not in a period of hours.
    applies: bool,
}

/// A rhythm: exactly one of the three fields is set.
#[derive(Clone, Debug, Default, Serialize)]
struct EveryView {
    period: Option<LengthView>,
    days: Option<u32>,
    times: Option<TimesView>,
}

#[derive(Clone, Debug, Serialize)]
struct TimesView {
    /// `daily`, `weekdays`, `weekends`, or none of them.
    set: Option<&'static str>,
    /// The days of the week, from 0, which is Monday.
    days: Vec<u32>,
    times: Vec<TimeOfDay>,
}

/// The time after which the last call is made; `None` if it is never made.
#[derive(Clone, Debug, Serialize)]
struct LastCallView {
    after: Option<LengthView>,
}

/// The time of day of the announcement, or its delay after the close: the other is `None`.
#[derive(Clone, Debug, Serialize)]
struct AnnounceView {
    at: Option<TimeOfDay>,
    /// `all` or `some` if the announcement falls on the next day for all or some of the closing times; `None`
    /// if for none.
    next_day: Option<&'static str>,
    after: Option<LengthView>,
}

impl AnnounceView {
    fn at(time: TimeOfDay, every: &Every) -> Self {
        let times = match every {
            Every::Times { times, .. } => &times[..],
            Every::Period(_) | Every::Days(_) => &[],
        };
        let past = times.iter().filter(|deadline| time < **deadline).count();
        let next_day = match past {
            0 => None,
            past if past == times.len() => Some("all"),
            _ => Some("some"),
        };
        Self { at: Some(time), next_day, after: None }
    }

    fn after(after: LengthView) -> Self {
        Self { at: None, next_day: None, after: Some(after) }
    }
}

impl PaceInWords {
    /// Returns the letter of a pace.
    pub fn new(pace: &Pace) -> Self {
        let supposed = Pace::new(pace.every.clone(), pace.zone);
        let length = |span: Span, supposed: Span| (span != supposed).then(|| LengthView::new(span));
        let reminders = (pace.reminders != supposed.reminders)
            .then(|| pace.reminders.iter().map(|before| LengthView::new(*before)).collect());
        Self {
            every: EveryView::new(&pace.every),
            zone: pace.zone.name(),
            announce: match pace.announce {
                Announce::AtOnce => None,
                Announce::At(time) => Some(AnnounceView::at(time, &pace.every)),
                Announce::After(after) => Some(AnnounceView::after(LengthView::new(after))),
            },
            early: pace.early,
            cool_down: length(pace.cool_down, supposed.cool_down),
            least: length(pace.least, supposed.least),
            reminders,
            last_call: match pace.last_call {
                LastCall::Supposed => None,
                LastCall::After(after) => {
                    Some(LastCallView { after: Some(LengthView::new(after)) })
                }
                LastCall::Never => Some(LastCallView { after: None }),
            },
            quiet: pace.quiet,
            except: ExceptView::new(pace),
            outage: (pace.outage != supposed.outage).then_some(pace.outage),
            kinds: KindView::all(pace),
        }
    }
}

impl ExceptView {
    fn new(pace: &Pace) -> Option<Self> {
        let ExceptedDays { holidays, weekdays, dates } = &pace.except;
        (!pace.except.is_none()).then(|| Self {
            weekdays: weekdays.map(numbers).unwrap_or_default(),
            holidays: holidays.then(ExceptedDays::holidays_known_until),
            dates: dates.iter().map(Dates::to_string).collect(),
            applies: !matches!(pace.every, Every::Period(_)),
        })
    }
}

impl KindView {
    fn all(pace: &Pace) -> Vec<Self> {
        pace.kinds.iter().map(|(kind, pace)| Self::new(*kind, pace)).collect()
    }

    fn new(kind: WindowKind, pace: &KindPace) -> Self {
        let supposed = KindPace::supposed(kind, pace.length);
        Self {
            kind,
            length: LengthView::new(pace.length),
            tick: (pace.tick != supposed.tick).then(|| pace.tick.clone()),
            least: (pace.least != supposed.least).then(|| LengthView::new(pace.least)),
        }
    }
}

impl EveryView {
    fn new(every: &Every) -> Self {
        match every {
            Every::Period(period) => {
                Self { period: Some(LengthView::new(*period)), ..Self::default() }
            }
            Every::Days(days) => Self { days: Some(*days), ..Self::default() },
            Every::Times { times, days } => {
                let set = match *days {
                    Weekdays::DAILY => Some("daily"),
                    Weekdays::WEEKDAYS => Some("weekdays"),
                    Weekdays::WEEKENDS => Some("weekends"),
                    _ => None,
                };
                let times = TimesView { set, days: numbers(*days), times: times.clone() };
                Self { times: Some(times), ..Self::default() }
            }
        }
    }
}

/// Returns the days of the week as numbers, from 0, which is Monday.
fn numbers(days: Weekdays) -> Vec<u32> {
    days.days().map(|day| day.num_days_from_monday()).collect()
}
