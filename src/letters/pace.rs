//! The pace of a table in words: as a sentence, and as the line that `Pace::read` parses.

use chrono_tz::Tz;
use serde::Serialize;

use crate::template::letters::{DESK, LetterFault, Letters};
use crate::template::reader::Reader;
use crate::template::typed::{Draw, Sampled, as_typed, letters, sampled_from, sampled_variants};
use rules::WindowKind;
use tables::time::Span;
use tables::{
    Announce, CalendarDate, Dates, Every, ExceptedDays, KindPace, LastCall, OutageRule, Pace,
    PaceFault, Quiet, Tick, TimeOfDay, Weekdays,
};

impl Letters {
    /// Writes a pace as a sentence, without the defaults.
    pub fn pace(&self, reader: &Reader, pace: &Pace) -> Result<String, LetterFault> {
        Ok(self.write(reader, &PaceInWords::new(pace))?.trim().to_owned())
    }

    /// Writes a pace as one line of input, which [`Pace::read`] parses back to the same pace if all its
    /// durations are in whole seconds.
    pub fn pace_line(&self, reader: &Reader, pace: &Pace) -> Result<String, LetterFault> {
        self.write(reader, &PaceLine(PaceInWords::new(pace)))
    }

    /// Writes why a line could not be parsed as a pace, and what would be correct.
    pub fn pace_fault(&self, reader: &Reader, fault: &PaceFault) -> Result<String, LetterFault> {
        self.write(reader, &PaceMisread { fault })
    }
}

letters! {
    /// Letters about paces.
    LETTERS in DESK;

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

as_typed! {
    /// A pace as one line of input.
    LINES in DESK: "pace_line" struct PaceLine(PaceInWords);
}

sampled_from! {
    EveryView: samples().iter().map(|pace| EveryView::new(&pace.every)).collect::<Vec<_>>();
    LengthView: [3_600, 90_061, 11, 0].map(|seconds| LengthView::new(Span::seconds(seconds)));
    Quiet: [Quiet { from: TimeOfDay::MIDNIGHT, to: TimeOfDay::MIDNIGHT }];
    ExceptView: samples().iter().filter_map(ExceptView::new).collect::<Vec<_>>();
    KindView: samples().iter().flat_map(KindView::all).collect::<Vec<_>>();
}

sampled_variants! {
    PaceFault {
        Unknown { said, nearest }, Incomplete { said }, TimeOutOfRange { said }, OfNextDay { said },
        NoRhythm, Twice { said }, TooShort { said, least }, TooLong { said, most },
        ReminderTooLong { said, window }, UnknownZone { said, nearest }, NoSuchDay { said },
        NoQuietHours { said }, EndsBeforeItBegins { said }, CloseOrNot { said }, NoDayLeft { most },
    }
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

/// A length of time in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LengthView {
    hours: i64,
    minutes: i64,
    seconds: i64,
}

impl LengthView {
    pub(super) fn new(span: Span) -> Self {
        let seconds = span / Span::seconds(1);
        Self { hours: seconds / 3600, minutes: seconds / 60 % 60, seconds: seconds % 60 }
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

/// Returns a pace of every rhythm, each with defaults and with all settings changed.
pub fn samples() -> Vec<Pace> {
    let time = |hour, minute| TimeOfDay::new(hour, minute).unwrap_or(TimeOfDay::MIDNIGHT);
    let times = |times: &[TimeOfDay], days| Every::Times { times: times.to_vec(), days };
    let rhythms = [
        times(&[time(21, 0)], Weekdays::DAILY),
        times(&[time(0, 5), time(12, 0)], Weekdays::WEEKDAYS),
        times(&[time(9, 30)], Weekdays::WEEKENDS),
        times(&[time(21, 0)], Weekdays::TWICE),
        Every::Days(1),
        Every::Days(3),
        Every::Period(Span::hours(2)),
        Every::Period(Span::seconds(90_061)),
        Every::Period(Span::seconds(11)),
    ];
    let announced = [
        Announce::AtOnce,
        Announce::At(time(22, 0)),
        Announce::After(Span::minutes(30)),
        Announce::After(Span::ZERO),
    ];
    let outages = [OutageRule::Late, OutageRule::Extend, OutageRule::Wait];
    let mut paces: Vec<Pace> =
        rhythms.iter().map(|every| Pace::new(every.clone(), Tz::Asia__Tokyo)).collect();
    let reminders = [Vec::new(), vec![Span::seconds(2)], vec![Span::seconds(3), Span::seconds(2)]];
    let kinds = [
        (WindowKind::Reaction, Span::hours(8), Span::minutes(45), Tick::Hourly),
        (WindowKind::Choice, Span::hours(6), Span::ZERO, Tick::Any),
        (
            WindowKind::Setup,
            Span::hours(48),
            Span::ZERO,
            Tick::Times(vec![time(9, 0), time(21, 0)]),
        ),
    ];
    let kinds = kinds.map(|(kind, length, least, tick)| (kind, KindPace { length, least, tick }));
    let date = |year, month, day| CalendarDate { year, month, day };
    let dates = [
        Dates { from: date(None, 12, 29), to: date(None, 1, 3) },
        Dates { from: date(None, 8, 13), to: date(None, 8, 13) },
        Dates { from: date(Some(2027), 2, 14), to: date(Some(2027), 2, 20) },
    ];
    let calls = [LastCall::After(Span::minutes(90)), LastCall::Never, LastCall::Supposed];
    for (at, every) in rhythms.into_iter().enumerate() {
        paces.push(Pace {
            announce: announced[at % announced.len()],
            early: at % 2 == 0,
            cool_down: Span::minutes(10),
            least: Span::hours(8),
            reminders: reminders[at % reminders.len()].clone(),
            last_call: calls[at % calls.len()],
            quiet: Some(Quiet { from: time(23, 0), to: time(7, 0) }),
            except: ExceptedDays {
                holidays: at % 3 > 0,
                weekdays: matches!(every, Every::Days(_)).then_some(Weekdays::WEEKENDS),
                dates: dates[at % 4..].to_vec(),
            },
            outage: outages[at % outages.len()],
            kinds: kinds[..=at % kinds.len()].iter().cloned().collect(),
            ..Pace::new(every, Tz::America__New_York)
        });
    }
    paces
}
