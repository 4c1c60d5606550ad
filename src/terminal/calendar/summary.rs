//! Statistics of many games by post.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::simulate::playing::real;
use games::simulation::{Distribution, Share};
use rules::WindowKind;
use tables::CloseReason;
use tables::time::{MINUTE, Span, Time};

/// A day and an hour, in minutes.
const DAY: f64 = 24.0 * HOUR;
const HOUR: f64 = 60.0;

/// The course of a game by post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PostalGame {
    /// The time from the deal to the announcement of the end; `None` if the game did not end.
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

/// Counts over games with one share of orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PostalStatistics {
    unfinished: u64,
    minutes: Distribution,
    windows: u64,
    kinds: BTreeMap<WindowKind, CountedKind>,
}

/// Counts of the windows of one kind.
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

    /// Adds the counts over other games.
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

    /// Returns the statistics for a share of orders, in percent.
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

/// Statistics of games with one share of orders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CalendarRow {
    /// The share of people with orders, in percent.
    pub orders: u8,
    pub games: u64,
    /// The number of games that did not end; they are left out of `days`.
    pub unfinished: u64,
    /// The mean number of windows of a game.
    pub windows: f64,
    /// The days from the deal to the announcement of the end; `None` if no game ended.
    pub days: Option<CalendarSpread>,
    /// Statistics by kind of window.
    pub kinds: Vec<KindRow>,
}

/// Statistics of the windows of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct KindRow {
    pub kind: WindowKind,
    /// The mean number of windows in a game.
    pub per_game: f64,
    /// The hours for which a window was open; `None` if there was none.
    pub hours: Option<CalendarSpread>,
    /// The share of windows that closed before their deadline.
    pub early: f64,
}

/// A distribution of durations, in days or hours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct CalendarSpread {
    pub median: f64,
    /// The 90th percentile.
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
