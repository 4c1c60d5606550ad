//! The curves of a page: a number of each player over the steps of the game.

use serde::Serialize;
use serde_json::Value as Json;

use crate::Retold;
use rules::{Seat, Viewer};

/// The places of a player's number in a report that a curve shows, where the game has one of them.
const MEASURES: [&str; 3] = ["/hp", "/stamina", "/worth/total"];

/// A player's number after each step; `null` before there is one.
#[derive(Debug, Serialize)]
pub(super) struct Curve {
    seat: &'static str,
    values: Vec<Json>,
}

/// Returns a curve for each player; none if the game tells no number of them while it goes on.
pub(super) fn curves(retold: &Retold) -> Vec<Curve> {
    let reports: Vec<Option<Json>> =
        retold.steps.iter().map(|step| step.seen_by(Viewer::All).report).collect();
    let value = |report: &Option<Json>, seat: Seat| {
        let player = report.as_ref().map(|report| &report["players"][seat.index()]);
        let mut numbers = MEASURES.iter().filter_map(|measure| player?.pointer(measure));
        numbers.find(|number| number.is_number()).cloned().unwrap_or_default()
    };
    let curve = |seat: Seat| Curve {
        seat: seat.name(),
        values: reports.iter().map(|report| value(report, seat)).collect(),
    };
    let mut curves: Vec<Curve> = Seat::all(retold.chairs).map(curve).collect();
    curves.retain(|curve| curve.values.iter().any(Json::is_number));
    curves
}
