//! `shimekiri simulate --csv`: one row for each measured quantity.

use csv::Writer;
use serde::Serialize;

use super::comparison::ComparisonDocument;
use super::playing::SimulationDocument;
use games::simulation::{Side, Spread, UseOutcome};

/// A row: a measured quantity of a thing in a table, with its 95 % confidence interval if it has one.
#[derive(Serialize)]
struct ValueRow<'a> {
    table: &'a str,
    name: &'a str,
    measure: &'a str,
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

/// The rows so far.
struct Rows(Writer<Vec<u8>>);

impl Rows {
    fn add(&mut self, of: [&str; 3], value: f64, limits: Option<(f64, f64)>) -> csv::Result<()> {
        let [table, name, measure] = of;
        let (low, high) = limits.unzip();
        self.0.serialize(ValueRow { table, name, measure, value, low, high })
    }

    fn add_spread(
        &mut self,
        of: [&str; 2],
        measure: &str,
        spread: Option<&Spread>,
    ) -> csv::Result<()> {
        spread.map_or(Ok(()), |spread| self.add([of[0], of[1], measure], spread.mean, None))
    }

    fn add_side(&mut self, table: &str, side: &Side) -> csv::Result<()> {
        let limits = Some((side.share.low, side.share.high));
        self.add([table, &side.name, "wins"], side.share.value, limits)?;
        self.add_spread([table, &side.name], "score", side.scores.as_ref())
    }

    fn add_outcome(
        &mut self,
        of: [&str; 2],
        measures: [&str; 2],
        outcome: &UseOutcome,
    ) -> csv::Result<()> {
        let (wins, [table, name]) = (outcome.wins, of);
        self.add([table, name, measures[0]], wins.value, Some((wins.low, wins.high)))?;
        outcome.score.map_or(Ok(()), |score| {
            self.add([table, name, measures[1]], score.value, Some((score.low, score.high)))
        })
    }

    fn text(self) -> csv::Result<String> {
        let bytes = self.0.into_inner().map_err(csv::IntoInnerError::into_error)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Returns the statistics of a simulation as rows.
pub(super) fn of_simulation(document: &SimulationDocument) -> csv::Result<String> {
    let (found, mut rows) = (&document.statistics, Rows(Writer::from_writer(Vec::new())));
    rows.add_spread(["game", document.game], "windows", found.windows.as_ref())?;
    rows.add_spread(["game", document.game], "score", found.scores.as_ref())?;
    for side in &found.seats {
        rows.add_side("seat", side)?;
    }
    for side in &found.policies {
        rows.add_side("policy", side)?;
    }
    for (group, member) in
        found.tallies.iter().flat_map(|of| of.members.iter().map(|member| (of.group, member)))
    {
        rows.add([group, &member.id, "per game"], member.per_game, None)?;
        let limits = Some((member.share.low, member.share.high));
        rows.add([group, &member.id, "share"], member.share.value, limits)?;
    }
    for item in &found.worth {
        let of = [item.group, &*item.id];
        rows.add_outcome(of, ["wins with", "score with"], &item.with)?;
        rows.add_outcome(of, ["wins without", "score without"], &item.without)?;
    }
    rows.text()
}

/// Returns a comparison as rows.
pub(super) fn of_comparison(document: &ComparisonDocument) -> csv::Result<String> {
    let mut rows = Rows(Writer::from_writer(Vec::new()));
    let names = document.values.each_ref().map(|value| format!("{}={value}", document.option));
    for row in &document.rows {
        let table = row.of.as_deref().unwrap_or("game");
        for (name, value) in names.iter().zip([row.first, row.second]) {
            if let Some(mean) = value {
                rows.add([table, name, row.measure], mean.value, Some((mean.low, mean.high)))?;
            }
        }
        if let Some(less) = row.difference {
            rows.add([table, "difference", row.measure], less.value, Some((less.low, less.high)))?;
        }
    }
    rows.text()
}
