//! What many games by post come to.

use std::collections::BTreeMap;

use serde::Serialize;

use games::simulation::{Distribution, Share};
use rules::WindowKind;
use tables::CloseReason;
use tables::time::{MINUTE, Span, Time};

/// A day and an hour, in minutes.
const DAY: f64 = 24.0 * HOUR;
const HOUR: f64 = 60.0;

/// How a game by post went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PostalGame {
    /// From the deal to the announcement of its end; none if it came to no end.
    pub(super) took: Option<Span>,
    pub(super) windows: Vec<ModelWindow>,
}

/// A window of such a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ModelWindow {
    pub(super) kind: WindowKind,
    pub(super) opened: Time,
    pub(super) closed: Time,
    pub(super) why: CloseReason,
}

/// What was counted over games in which the same share of people had left orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PostalStatistics {
    unfinished: u64,
    minutes: Distribution,
    windows: u64,
    kinds: BTreeMap<WindowKind, CountedKind>,
}

/// What was counted of the windows of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CountedKind {
    minutes: Distribution,
    early: u64,
}

impl PostalStatistics {
    pub(super) fn add(&mut self, game: &PostalGame) {
        match game.took {
            Some(took) => self.minutes.add(minutes(took)),
            None => self.unfinished += 1,
        }
        for window in &game.windows {
            let counted = self.kinds.entry(window.kind).or_default();
            counted.minutes.add(minutes(window.closed - window.opened));
            counted.early += u64::from(window.why == CloseReason::AllSealed);
            self.windows += 1;
        }
    }

    /// Takes over what was counted over other games.
    pub(super) fn merge(&mut self, other: Self) {
        self.unfinished += other.unfinished;
        self.windows += other.windows;
        self.minutes.merge(other.minutes);
        for (kind, counted) in other.kinds {
            let known = self.kinds.entry(kind).or_default();
            known.minutes.merge(counted.minutes);
            known.early += counted.early;
        }
    }

    /// What it comes to, where this share of the people had left orders.
    pub(super) fn row(&self, orders: u8) -> CalendarRow {
        let games = self.minutes.count() + self.unfinished;
        let kinds = self.kinds.iter().map(|(kind, counted)| KindRow {
            kind: *kind,
            per_game: ratio(counted.minutes.count(), games),
            hours: CalendarSpread::of(&counted.minutes, HOUR),
            early: Share::of(real(counted.early), counted.minutes.count()).value,
        });
        CalendarRow {
            orders,
            games,
            unfinished: self.unfinished,
            windows: ratio(self.windows, games),
            days: CalendarSpread::of(&self.minutes, DAY),
            kinds: kinds.collect(),
        }
    }
}

/// What games come to in which this share of people had left orders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CalendarRow {
    /// The share, in percent.
    pub orders: u8,
    pub games: u64,
    /// How many came to no end; they count among no days.
    pub unfinished: u64,
    /// How many windows a game had.
    pub windows: f64,
    /// How many days a game took, from the deal to the announcement of its end.
    pub days: Option<CalendarSpread>,
    /// By kind of window.
    pub kinds: Vec<KindRow>,
}

/// What the windows of a kind come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct KindRow {
    pub kind: WindowKind,
    /// How many a game had.
    pub per_game: f64,
    /// How many hours one was open.
    pub hours: Option<CalendarSpread>,
    /// The share of those that closed before their deadline.
    pub early: f64,
}

/// How long something took, in days or hours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct CalendarSpread {
    pub median: f64,
    /// Nine in ten took no longer.
    pub ninety: f64,
    pub mean: f64,
}

impl CalendarSpread {
    fn of(minutes: &Distribution, unit: f64) -> Option<Self> {
        let mean = minutes.spread()?.mean / unit;
        let [median, ninety] = [0.5, 0.9].map(|share| minutes.quantile(share) / unit);
        Some(Self { median, ninety, mean })
    }
}

fn minutes(span: Span) -> i64 {
    span.milliseconds() / MINUTE.milliseconds()
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { real(part) / real(whole) }
}

#[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 here")]
fn real(count: u64) -> f64 {
    count as f64
}
