//! Statistics of many games by post.

use std::collections::BTreeMap;

use crate::game::PostalGame;
use games::simulation::Distribution;
use rules::WindowKind;
use tables::CloseReason;
use tables::time::{MINUTE, Span};

/// A day and an hour, in minutes.
const DAY: f64 = 24.0 * HOUR;
const HOUR: f64 = 60.0;

/// Statistics of games with one share of orders.
#[derive(Clone, Debug, PartialEq)]
pub struct PostalStatistics {
    /// The number of games that did not end; they are left out of `days`.
    pub unfinished: usize,
    /// The mean number of windows of a game.
    pub windows: f64,
    /// The days from the deal to the announcement of the end; `None` if no game ended.
    pub days: Option<CalendarSpread>,
    /// Statistics by kind of window.
    pub kinds: BTreeMap<WindowKind, KindRow>,
}

/// Statistics of the windows of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct KindRow {
    /// The mean number of windows in a game.
    pub per_game: f64,
    /// The hours for which a window was open; `None` if there was none.
    pub hours: Option<CalendarSpread>,
    /// The share of windows that closed before their deadline.
    pub early: f64,
}

/// A distribution of durations, in days or hours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalendarSpread {
    pub median: f64,
    /// The 90th percentile.
    pub ninety: f64,
    pub mean: f64,
}

/// Counts of the windows of one kind.
#[derive(Default)]
struct CountedKind {
    minutes: Distribution,
    early: usize,
}

impl PostalStatistics {
    pub(crate) fn of(games: &[PostalGame]) -> Self {
        let mut kinds: BTreeMap<WindowKind, CountedKind> = BTreeMap::new();
        for window in games.iter().flat_map(|game| &game.windows) {
            let counted = kinds.entry(window.kind).or_default();
            counted.minutes.add(minutes(window.closed - window.opened));
            counted.early += usize::from(window.why == CloseReason::AllSealed);
        }
        let mut days = Distribution::default();
        games.iter().filter_map(|game| game.took).for_each(|took| days.add(minutes(took)));
        let count = |counted: &CountedKind| usize::try_from(counted.minutes.count()).unwrap_or(0);
        Self {
            unfinished: games.iter().filter(|game| game.took.is_none()).count(),
            windows: ratio(kinds.values().map(count).sum(), games.len()),
            days: CalendarSpread::of(&days, DAY),
            kinds: (kinds.iter())
                .map(|(kind, counted)| {
                    let per_game = ratio(count(counted), games.len());
                    let hours = CalendarSpread::of(&counted.minutes, HOUR);
                    let early = ratio(counted.early, count(counted));
                    (*kind, KindRow { per_game, hours, early })
                })
                .collect(),
        }
    }
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

#[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 here")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
