//! The picture of the table, laid out.

use serde::{Deserialize, Serialize};
use serde_json::{Error, Value as Json};

use super::cards::{Card, Category, Life};
use crate::canvas::{Canvas, Drawn, Line};
use rules::Seat;

/// The font size of card names, if they fit.
const LETTERS: f64 = 26.0;
/// The height of a row of labels, with the gap after it.
const STEP: f64 = 50.0;

/// The fields of a report that the layout needs.
#[derive(Deserialize)]
struct Report {
    active: Seat,
    over: bool,
    stage: StageView,
    field: Vec<Card>,
    players: Vec<Player>,
}

#[derive(Deserialize)]
struct StageView {
    kind: String,
}

#[derive(Deserialize)]
struct Player {
    seat: Seat,
    hand: Vec<Option<Card>>,
    front: Vec<Card>,
    lost: Option<Life>,
    revealed: bool,
    points: u8,
}

/// The picture's own words.
#[derive(Deserialize)]
struct Words {
    front: String,
    dead: String,
    /// The words before and after the points.
    points: [String; 2],
}

/// The picture, laid out.
#[derive(Serialize)]
struct Board {
    width: f64,
    height: f64,
    /// The width of a row.
    row: f64,
    field: Vec<CardLabel>,
    rows: Vec<PlayerRow>,
}

/// The label of a card, or of several identical ones.
#[derive(Serialize)]
struct CardLabel {
    x: f64,
    width: f64,
    line: Line,
    /// The length of the text, in whatever font a browser shows it.
    length: f64,
    /// The top of the label; its text line is below.
    y: f64,
    category: Category,
}

/// The row of a player.
#[derive(Serialize)]
struct PlayerRow {
    y: f64,
    height: f64,
    is_active: bool,
    name: Option<Line>,
    /// The words for dead, revealed, or the points of the set.
    state: Option<Line>,
    cards: usize,
    /// The visible cards of the hand, and those in front.
    labels: Vec<CardLabel>,
}

type Table<'a> = Drawn<'a, Report, Words>;

/// Lays out the picture.
///
/// # Errors
/// If the report or the words lack something.
pub(super) fn board(canvas: &Canvas<'_>) -> Result<Json, Error> {
    canvas.lay_out(|table: &Table<'_>| table.board())
}

impl Table<'_> {
    fn board(&self) -> Board {
        let side = self.canvas.either(16.0, 38.0);
        let width = self.canvas.either(620.0, 1080.0);
        let top = self.canvas.either(146.0, 122.0);
        let (field, high) = self.labels(&self.report.field, "", [side, top], width - side);
        let mut y = top + high + 8.0;
        let mut rows = Vec::new();
        for player in &self.report.players {
            let row = self.row(player, y);
            y += row.height + 8.0;
            rows.push(row);
        }
        Board { width, height: y + self.canvas.either(2.0, 12.0), row: self.wide(), field, rows }
    }

    /// The width of a row.
    fn wide(&self) -> f64 {
        self.canvas.either(600.0, 1016.0)
    }

    fn row(&self, player: &Player, y: f64) -> PlayerRow {
        let seen: Vec<Card> = player.hand.iter().flatten().copied().collect();
        let (first, room) = self.canvas.either((16.0, 584.0), (430.0, 1000.0));
        let level = self.canvas.either(84.0, 18.0);
        let (mut labels, in_hand) = self.labels(&seen, "", [first, level], room);
        let (fronts, before) =
            self.labels(&player.front, &self.words.front, [first, level + in_hand], room);
        labels.extend(fronts);
        let high = in_hand + before;
        let least = self.canvas.either(84.0, 78.0);
        let height = self.canvas.either(least + high, (28.0 + high).max(least));
        let state = self.state(player);
        let level = if state.is_some() { 38.0 } else { 50.0 };
        let name = self.canvas.player(player.seat, 33.0, self.canvas.either(390.0, 250.0));
        PlayerRow {
            y,
            height,
            is_active: player.seat == self.report.active && self.has_turns(),
            name: name.map(|name| name.at(level)),
            state: state.map(|state| state.at(70.0)),
            cards: player.hand.len(),
            labels,
        }
    }

    /// True if a player has the turn: the first player is asked for before the turns (P1.3).
    fn has_turns(&self) -> bool {
        !self.report.over && self.report.stage.kind != "opening"
    }

    /// The other public facts about a player.
    fn state(&self, player: &Player) -> Option<Line> {
        let letters = self.canvas.letters;
        let mut facts = Vec::new();
        if let Some(life) = player.lost {
            facts.push(format!("{}{}", self.words.dead, letters.name(life.word())));
        } else if player.revealed {
            facts.push(letters.name(Life::Black.word()));
        }
        if player.points > 0 {
            let [before, behind] = &self.words.points;
            facts.push(format!("{before}{}{behind}", player.points));
        }
        let facts = facts.join(" / ");
        (!facts.is_empty())
            .then(|| self.canvas.line(&facts, 26.0, self.canvas.either(390.0, 250.0)))
    }

    /// The labels of cards between a corner and the right edge, identical neighbours merged, and their total
    /// height. Each label begins with `before`.
    fn labels(
        &self,
        cards: &[Card],
        before: &str,
        [left, top]: [f64; 2],
        right: f64,
    ) -> (Vec<CardLabel>, f64) {
        let mut labels: Vec<CardLabel> = Vec::new();
        let (mut x, mut y) = (left, top);
        for alike in cards.chunk_by(|card, other| card == other) {
            let name = self.canvas.letters.name(alike[0].word());
            let text = match alike.len() {
                1 => format!("{before}{name}"),
                copies => format!("{before}{name}×{copies}"),
            };
            let line = self.canvas.line(&text, LETTERS, right - left - 24.0);
            let length = self.canvas.letters.width(&text, line.size);
            let width = length + 24.0;
            if x > left && x + width > right {
                (x, y) = (left, y + STEP);
            }
            let line = line.at(y + 30.0);
            let category = alike[0].printed().category;
            labels.push(CardLabel { x, width, line, length, y, category });
            x += width + 8.0;
        }
        let rows = labels.last().map_or(0.0, |last| (last.y - top) / STEP + 1.0);
        (labels, rows * STEP)
    }
}
