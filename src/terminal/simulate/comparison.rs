//! `shimekiri simulate --compare`: the same plan with one option at two values.

use serde::Serialize;
use smol_str::SmolStr;

use games::simulation::{Estimate, Plan, Share, Side, Summary};

/// The output of `--compare --json`, which is the same for the same arguments.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ComparisonDocument {
    /// The game's key.
    pub(super) game: &'static str,
    /// The plan with the first value.
    pub(super) plan: Plan,
    /// The number of games with each value.
    pub(super) games: u64,
    /// The compared option.
    pub(super) option: String,
    /// The two values.
    pub(super) values: [String; 2],
    /// The number of games that came to no end.
    pub(super) unfinished: usize,
    pub(super) rows: Vec<ComparedRow>,
}

/// A measure with both values, and the second less the first.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ComparedRow {
    /// `windows`, `score` or `wins`.
    pub(super) measure: &'static str,
    /// The seat or the policy; `None` for a measure of whole games.
    pub(super) of: Option<SmolStr>,
    /// `None` if it has no value.
    pub(super) first: Option<Estimate>,
    /// `None` if it has no value.
    pub(super) second: Option<Estimate>,
    /// `None` unless both values are known.
    pub(super) difference: Option<Estimate>,
}

impl ComparedRow {
    fn new(measure: &'static str, of: Option<&SmolStr>, both: [Option<Estimate>; 2]) -> Self {
        let [first, second] = both;
        let difference = first.zip(second).map(|(first, second)| second.less(first));
        Self { measure, of: of.cloned(), first, second, difference }
    }
}

/// Compares two summaries.
pub(super) fn compare(first: &Summary, second: &Summary) -> Vec<ComparedRow> {
    let all = [first, second];
    let ended = |of: &Summary| of.games - of.unfinished.len() as u64;
    let windows = all.map(|of| of.windows.as_ref().map(|spread| spread.interval(ended(of))));
    let mut rows = vec![ComparedRow::new("windows", None, windows)];
    let seats = first.seats.iter().zip(&second.seats);
    let policies = first.policies.iter().zip(&second.policies);
    // The only policy of all seats has every win.
    let policies = policies.filter(|_| first.policies.len() > 1);
    for (first, second) in seats.chain(policies) {
        let sides = [first, second];
        let score = |side: &Side| {
            side.scores.as_ref().map(|spread| spread.interval(side.chairs - side.unscored))
        };
        rows.push(ComparedRow::new("score", Some(&first.name), sides.map(score)));
        let wins = sides.map(|Side { share: Share { value, low, high }, .. }| {
            Some(Estimate { value: *value, low: *low, high: *high })
        });
        rows.push(ComparedRow::new("wins", Some(&first.name), wins));
    }
    rows
}
