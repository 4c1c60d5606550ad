//! Strategies for paces of every kind.

use chrono::{Datelike as _, Days, NaiveDate};
use chrono_tz::Tz;
use proptest::prelude::*;
use tables::time::{DAY, HOUR, SECOND, Span};
use tables::{
    Announce, CalendarDate, Dates, Every, ExceptedDays, OutageRule, Pace, Quiet, TimeOfDay,
    Weekdays,
};

const ZONES: [Tz; 7] = [
    Tz::Asia__Tokyo,
    Tz::Europe__Berlin,
    Tz::America__New_York,
    Tz::Australia__Lord_Howe,
    Tz::Pacific__Apia,
    Tz::Africa__Casablanca,
    Tz::UTC,
];

fn time() -> impl Strategy<Value = TimeOfDay> {
    (0..24_u32, 0..60_u32).prop_map(|(hour, minute)| TimeOfDay::new(hour, minute).unwrap())
}

fn days() -> impl Strategy<Value = Weekdays> {
    let days: Vec<chrono::Weekday> = Weekdays::DAILY.days().collect();
    proptest::sample::subsequence(days, 1..=7)
        .prop_map(|days| days.into_iter().map(Weekdays::one).reduce(Weekdays::with).unwrap())
}

fn every() -> impl Strategy<Value = Every> {
    prop_oneof![
        (10..60 * (DAY / SECOND)).prop_map(|seconds| Every::Period(seconds * SECOND)),
        (1..=60_u32).prop_map(Every::Days),
        (proptest::collection::btree_set(time(), 1..4), days())
            .prop_map(|(times, days)| Every::Times { times: times.into_iter().collect(), days }),
    ]
}

/// Returns periods of days in the years of the tested instants, with or without a year.
fn dates() -> impl Strategy<Value = Dates> {
    (0..20 * 365_u64, 0..20_u64, any::<bool>()).prop_map(|(from, more, with_year)| {
        let from = NaiveDate::from_ymd_opt(2010, 1, 1).unwrap() + Days::new(from);
        let [from, to] = [from, from + Days::new(more)].map(|day| CalendarDate {
            year: with_year.then_some(day.year()),
            month: day.month(),
            day: day.day(),
        });
        Dates { from, to }
    })
}

fn except() -> impl Strategy<Value = ExceptedDays> {
    let dates = proptest::collection::vec(dates(), 0..3).prop_map(|mut dates| {
        dates.dedup();
        dates
    });
    (any::<bool>(), dates).prop_map(|(holidays, dates)| ExceptedDays {
        holidays,
        dates,
        weekdays: None,
    })
}

/// Returns any pace that a line can express.
pub fn pace() -> impl Strategy<Value = Pace> {
    let seconds = |most: Span| (0..=most / SECOND).prop_map(|seconds| seconds * SECOND);
    let announce = prop_oneof![
        Just(Announce::AtOnce),
        time().prop_map(Announce::At),
        seconds(DAY).prop_map(Announce::After),
    ];
    let quiet = proptest::option::of((time(), time()));
    let outage =
        prop_oneof![Just(OutageRule::Late), Just(OutageRule::Extend), Just(OutageRule::Wait)];
    let least = prop_oneof![Just(None), seconds(3 * DAY).prop_map(Some)];
    let reminders = proptest::option::of(proptest::collection::btree_set(0..100_i64, 0..4));
    (
        (every(), proptest::sample::select(&ZONES[..])),
        (announce, any::<bool>(), prop_oneof![Just(Span::ZERO), seconds(HOUR)]),
        (least, reminders, quiet, outage),
        prop_oneof![Just(ExceptedDays::default()), except()],
    )
        .prop_map(|((every, zone), (announce, early, cool_down), said, except)| {
            let (least, reminders, quiet, outage) = said;
            let quiet = quiet.filter(|(from, to)| from != to);
            let mut pace = Pace::new(every, zone);
            pace = Pace { announce, early, cool_down, except, outage, ..pace };
            pace.quiet = quiet.map(|(from, to)| Quiet { from, to });
            if matches!(pace.every, Every::Days(_)) && pace.except.holidays {
                pace.except.weekdays = Some(Weekdays::WEEKENDS);
            }
            pace.least = least.unwrap_or(pace.least);
            if let Some(percent) = reminders {
                let window = match pace.every {
                    Every::Period(period) => period,
                    _ => DAY,
                };
                let before = |percent: i64| window / SECOND * percent / 100 * SECOND;
                pace.reminders = percent.into_iter().rev().map(before).collect();
                pace.reminders.dedup();
            }
            pace
        })
        .prop_filter("a day must be left", Pace::leaves_days)
}
