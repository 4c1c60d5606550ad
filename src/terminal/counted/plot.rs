//! A chart of games: the scores and the shares of wins, or the ends of the games if all players win or lose
//! together.

use serde_json::{Value as Json, json};
use unicode_width::UnicodeWidthChar;

use super::{name, title};
use crate::TerminalText;
use crate::simulate::playing::real;
use games::simulation::{Group, Share, SimulationTally, Spread};
use rules::text::Lang;

/// The maximum width of a name beside the chart, in columns.
const NAME: usize = 13;

/// A share of the wins.
pub(crate) struct WinShare {
    pub(crate) name: String,
    /// True if the line is a policy, and false for a seat.
    pub(crate) plays: bool,
    pub(crate) share: Share,
    /// The share by chance alone; `None` if that has no meaning.
    pub(crate) expected: Option<f64>,
    /// The share as text.
    pub(crate) label: String,
}

/// The group of tallies that count each game once, by its end.
const GAMES: &str = "games";

/// Returns the title and a line for each end of the games; `None` if the game does not count ends.
fn ends(game: &str, tallies: &[Group], games: u64, lang: Lang) -> Option<(String, Vec<WinShare>)> {
    let group = tallies.iter().find(|group| group.group == GAMES)?;
    let line = |member: &SimulationTally| {
        let name = name(&member.id, game, lang);
        let label = format!("{name}: {}/{games}", member.total);
        WinShare { name, plays: false, share: member.share, expected: None, label }
    };
    Some((title(group.group, game, lang), group.members.iter().map(line).collect()))
}

/// The measures of the chart, in its own units.
mod layout {
    pub(super) const WIDTH: f64 = 800.0;
    pub(super) const LEFT: f64 = 140.0;
    pub(super) const RIGHT: f64 = 760.0;
    pub(super) const SCORES_TOP: f64 = 124.0;
    pub(super) const SCORES_BOTTOM: f64 = 346.0;
    pub(super) const SHARES_TOP: f64 = 466.0;
    pub(super) const ROW: f64 = 30.0;
    pub(super) const FOOT: f64 = 96.0;
    /// The maximum width of a bar.
    pub(super) const BAR: f64 = 72.0;
}

/// Draws the chart of a game: `scores` is the distribution of the scores, `says` writes a text of the verb by its
/// name, and there is a line for each seat and policy, from the top, or for each end if `shared`, the number of
/// games, is not `None`.
pub(crate) fn chart(
    text: &TerminalText,
    says: impl Fn(&str) -> String,
    scores: Option<&Spread>,
    shared: Option<(&str, &[Group], u64)>,
    sides: impl FnOnce() -> Vec<WinShare>,
) -> String {
    use layout::{FOOT, LEFT, RIGHT, ROW, SCORES_BOTTOM, SCORES_TOP, SHARES_TOP, WIDTH};
    let ends = shared.and_then(|(game, tallies, games)| ends(game, tallies, games, text.lang));
    let (shares_of, lines) = match ends {
        Some((title, lines)) => (Some(title), lines),
        None => (None, sides()),
    };
    let (bars, across, up) = scores.map(score_bars).unwrap_or_default();
    let highest = lines.iter().map(|line| line.share.high.max(line.expected.unwrap_or(0.0)));
    let (step, most) = scale(highest.fold(0.0, f64::max), 8.0);
    let most = most.min(1.0);
    let x = |share: f64| round(LEFT + (RIGHT - LEFT) * share / most);
    let row = |(at, line): (usize, WinShare)| {
        json!({
            "y": SHARES_TOP + ROW * (real(at as u64) + 0.5),
            "name": short(&line.name),
            "policy": line.plays,
            "value": x(line.share.value),
            "low": x(line.share.low),
            "high": x(line.share.high),
            "expected": line.expected.map(x),
            "label": line.label,
        })
    };
    let rows: Vec<Json> = lines.into_iter().enumerate().map(row).collect();
    let bottom = SHARES_TOP + ROW * real(rows.len() as u64);
    let percent = |share: f64| tick(x(share), &format!("{:.0} %", share * 100.0));
    let marks: Vec<Json> = steps(step, most).map(percent).collect();
    let plot = json!({
        "lang": text.lang.code(),
        "width": WIDTH,
        "height": bottom + FOOT,
        "left": LEFT,
        "right": RIGHT,
        "title": says("plot_title"),
        "subtitle": says("plot_subtitle"),
        "scores": { "top": SCORES_TOP, "bottom": SCORES_BOTTOM, "across": across, "up": up },
        "bars": bars,
        "shares": { "top": SHARES_TOP, "bottom": bottom, "across": marks },
        "shares_of": shares_of,
        "rows": rows,
        "plays": says("plot_plays"),
    });
    text.draw("plot.svg", &plot)
}

fn tick(at: f64, label: &str) -> Json {
    json!({ "at": at, "label": label })
}

/// Returns a name shortened to fit beside the chart.
fn short(name: &str) -> String {
    let mut columns = 0;
    let fits = |c: &char| {
        columns += c.width().unwrap_or_default();
        columns <= NAME
    };
    let fitting: String = name.chars().take_while(fits).collect();
    if fitting.len() == name.len() { fitting } else { format!("{fitting}…") }
}

/// Returns the bars of a histogram, and the ticks of both axes.
fn score_bars(scores: &Spread) -> (Vec<Json>, Vec<Json>, Vec<Json>) {
    use layout::{BAR, LEFT, RIGHT, SCORES_BOTTOM, SCORES_TOP};
    let bins = &scores.histogram;
    let most = bins.iter().map(|bin| real(bin.count)).fold(0.0, f64::max);
    // Counts are whole numbers.
    let (step, most) = scale(most.max(5.0), 5.0);
    let y = |count: f64| round(SCORES_BOTTOM - (SCORES_BOTTOM - SCORES_TOP) * count / most);
    let width = (RIGHT - LEFT) / real(bins.len() as u64);
    let mut edge = LEFT;
    let mut across = Vec::new();
    let mut bars = Vec::new();
    for bin in bins {
        let top = y(real(bin.count));
        let range = if bin.from == bin.to {
            bin.to.to_string()
        } else {
            format!("{}–{}", bin.from, bin.to)
        };
        let bar = (width - 2.0).min(BAR);
        bars.push(json!({
            "x": round(edge + (width - bar) / 2.0),
            "y": top,
            "width": round(bar),
            "height": round(SCORES_BOTTOM - top),
            "label": format!("{range}: {}", bin.count),
        }));
        // The tick of a wide bin is at its left edge.
        let inset = if bin.from == bin.to { width / 2.0 } else { 0.0 };
        across.push(tick(round(edge + inset), &bin.from.to_string()));
        edge += width;
    }
    let up = steps(step, most).map(|count| tick(y(count), &format!("{count:.0}")));
    (bars, across, up.collect())
}

/// Returns a round step of which at most `count` reach a value, and the first multiple that reaches it.
fn scale(value: f64, count: f64) -> (f64, f64) {
    let rough = (value / count).max(f64::MIN_POSITIVE);
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let step = step.into_iter().find(|step| *step >= rough).unwrap_or(rough);
    (step, (value / step).ceil().max(1.0) * step)
}

/// Returns the multiples of a step from 0 to a value.
fn steps(step: f64, most: f64) -> impl Iterator<Item = f64> {
    (0..64_u32)
        .map(move |n| f64::from(n) * step)
        .take_while(move |value| *value <= most * 1.000_001)
}

/// Rounds to a tenth of a unit, which is fine enough and short.
fn round(place: f64) -> f64 {
    (place * 10.0).round() / 10.0
}
