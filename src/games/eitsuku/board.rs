//! The picture of the table, laid out.

use serde::{Deserialize, Serialize};
use serde_json::{Error, Value as Json};

use crate::canvas::{Canvas, Drawn, Line, count};
use rules::Seat;

/// The left and right edge of the lists in a panel.
const LISTS: (f64, f64) = (134.0, 588.0);

/// The font size of the lists.
const LISTED: f64 = 25.0;

/// The fields of a report that the layout needs.
#[derive(Deserialize)]
struct Report {
    order: Vec<Seat>,
    players: Vec<PlayerView>,
    scores: Option<Vec<ScoreView>>,
    /// Missing in a report stored by an older program.
    #[serde(default)]
    dealing: bool,
}

#[derive(Deserialize)]
struct PlayerView {
    seat: Seat,
    hand: HandView,
    slots: Vec<Slot>,
    laid: Vec<LaidView>,
    film: Option<FilmView>,
}

#[derive(Deserialize)]
struct HandView {
    roles: Vec<String>,
    roles_down: usize,
    events: Vec<String>,
    events_down: usize,
}

#[derive(Deserialize)]
struct Slot {
    slot: String,
    placed: Option<PlacedView>,
}

#[derive(Deserialize)]
struct PlacedView {
    role: String,
    award: u8,
    promoter: Option<Seat>,
}

#[derive(Deserialize)]
struct LaidView {
    card: String,
    slot: Option<String>,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct FilmView {
    title: Option<String>,
    turn: u8,
}

#[derive(Deserialize)]
struct ScoreView {
    seat: Seat,
    rank: u8,
    film: bool,
    total: i64,
}

/// The picture's own words.
#[derive(Deserialize)]
struct Words {
    title: String,
    turn: String,
    promoter: String,
    untitled: String,
    open: String,
    close: String,
    comma: String,
    rank: [String; 3],
}

/// The picture, laid out.
#[derive(Serialize)]
struct Board {
    width: f64,
    height: f64,
    /// The positions of the title, and of the progress of the game after it.
    heading: [Spot; 2],
    /// E1.6: `None` until the order is thrown.
    order: Option<Order>,
    panels: Vec<PlayerPanel>,
    supply: Spot,
    decks: Spot,
    /// The height of the supply and of the decks.
    middle: f64,
    /// The names of the decks, in their order.
    piles: Vec<Line>,
}

#[derive(Clone, Copy, Serialize)]
struct Spot {
    x: f64,
    y: f64,
}

#[derive(Serialize)]
struct Order {
    word: Spot,
    seats: Vec<Ordered>,
}

#[derive(Serialize)]
struct Ordered {
    seat: Seat,
    x: f64,
    y: f64,
    /// The distance from the seat to its arrow; `None` for the last seat.
    arrow: Option<f64>,
}

/// The panel of a seat.
#[derive(Serialize)]
struct PlayerPanel {
    x: f64,
    y: f64,
    height: f64,
    name: Option<Line>,
    score: Option<String>,
    slots: Vec<SlotPlace>,
    events: Vec<EventPlace>,
    hand: f64,
    roles_held: usize,
    events_held: usize,
    held: Vec<Line>,
    film: FilmPlace,
}

#[derive(Serialize)]
struct SlotPlace {
    x: f64,
    name: Line,
    number: Option<NumberPlace>,
    /// The height of an award in the slot.
    award: f64,
    promoter: Option<Line>,
}

#[derive(Serialize)]
struct NumberPlace {
    x: f64,
    line: Line,
}

#[derive(Serialize)]
struct EventPlace {
    x: f64,
    y: f64,
    width: f64,
    text: String,
}

#[derive(Serialize)]
struct FilmPlace {
    y: f64,
    title: Vec<Line>,
    when: Option<String>,
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
        let (panels, bottom) = self.panels();
        let (columns, players) = (self.canvas.either(1, 2), self.report.players.len());
        let odd = columns == 2 && players % 2 == 1;
        let last = panels.last().map_or((bottom, 0.0), |panel| (panel.y, panel.height));
        // The supply and the decks lie below, or beside the last panel of an odd number.
        let (free, middle) =
            if odd { (last.0, ((last.1 - 20.0) / 2.0).floor()) } else { (bottom, 140.0) };
        let below = if odd || self.canvas.narrow { free + middle + 20.0 } else { free };
        let (side, beside) = (self.side(), 648.0);
        Board {
            width: self.across(),
            height: bottom + self.canvas.either(320.0, if odd { 12.0 } else { 172.0 }),
            heading: self.heading(),
            order: (!self.report.dealing).then(|| self.order()),
            panels,
            supply: Spot { x: if odd { beside } else { side }, y: free },
            decks: Spot { x: self.canvas.either(side, beside), y: below },
            middle,
            piles: self.piles(),
        }
    }

    fn side(&self) -> f64 {
        self.canvas.either(10.0, 32.0)
    }

    fn across(&self) -> f64 {
        self.canvas.either(620.0, 1280.0)
    }

    fn heading(&self) -> [Spot; 2] {
        let (title, side) = (self.canvas.letters.width(&self.words.title, 40.0), self.side());
        let [y, behind] = self.canvas.either([56.0, 55.0], [68.0, 66.0]);
        [Spot { x: side + 8.0, y }, Spot { x: side + 40.0 + title, y: behind }]
    }

    fn order(&self) -> Order {
        let step = self.canvas.either(76.0, 84.0);
        let seats = &self.report.order;
        let first = self.across() - self.side() - 8.0 - step * count(seats.len()) + step - 40.0;
        let [word, y] = self.canvas.either([122.0, 114.0], [64.0, 56.0]);
        let ordered = |(at, seat): (usize, &Seat)| Ordered {
            seat: *seat,
            x: first + count(at) * step,
            y,
            arrow: (at + 1 < seats.len()).then_some(step / 2.0 - 6.0),
        };
        let seats = seats.iter().enumerate().map(ordered).collect();
        Order { word: Spot { x: first - 40.0, y: word }, seats }
    }

    /// The panels, and the height at which the last ends. Panels side by side have the same height.
    fn panels(&self) -> (Vec<PlayerPanel>, f64) {
        let mut bottom = self.canvas.either(162.0, 112.0);
        let mut panels = Vec::new();
        for row in self.report.players.chunks(self.canvas.either(1, 2)) {
            let laid: Vec<_> = row.iter().map(|player| self.events(player)).collect();
            let held: Vec<_> = row.iter().map(|player| self.held(player)).collect();
            let rows = laid.iter().map(|(_, rows)| *rows).fold(1.0, f64::max);
            let lines = count(held.iter().map(Vec::len).max().unwrap_or(0));
            let gap = if lines > 0.0 { 4.0 } else { 0.0 };
            let height = 338.0 + 46.0 * rows + 33.0 * lines + gap;
            for (at, ((player, (events, _)), held)) in row.iter().zip(laid).zip(held).enumerate() {
                let corner = Spot { x: self.side() + count(at) * 616.0, y: bottom };
                panels.push(self.panel(player, corner, height, 236.0 + 46.0 * rows, events, held));
            }
            bottom += height + 20.0;
        }
        (panels, bottom)
    }

    fn panel(
        &self,
        player: &PlayerView,
        corner: Spot,
        height: f64,
        hand: f64,
        events: Vec<EventPlace>,
        held: Vec<String>,
    ) -> PlayerPanel {
        let score = self.score(player.seat);
        let taken = score.as_deref().map_or(0.0, |score| self.canvas.letters.width(score, 29.0));
        let slots = player.slots.iter().enumerate();
        PlayerPanel {
            x: corner.x,
            y: corner.y,
            height,
            name: self.canvas.player(player.seat, 34.0, 480.0 - taken),
            score,
            slots: slots.map(|(at, slot)| self.slot(slot, 13.0 + count(at) * 116.0)).collect(),
            events,
            hand,
            roles_held: player.hand.roles.len() + player.hand.roles_down,
            events_held: player.hand.events.len() + player.hand.events_down,
            held: Line::below(held, LISTED, hand + 47.0, 33.0),
            film: self.film(player.film.as_ref(), height - 46.0),
        }
    }

    fn score(&self, seat: Seat) -> Option<String> {
        let scores = self.report.scores.iter().flatten();
        let score = scores.filter(|score| score.film).find(|score| score.seat == seat)?;
        let [rank, total, points] = &self.words.rank;
        Some(format!("{rank}{}{total}{}{points}", score.rank, score.total))
    }

    fn slot(&self, slot: &Slot, x: f64) -> SlotPlace {
        let placed = slot.placed.as_ref();
        let promoter = placed.and_then(|placed| placed.promoter);
        let (low, size, award) =
            if promoter.is_some() { (81.0, 44.0, 49.0) } else { (97.0, 58.0, 62.0) };
        let number = placed.map(|placed| NumberPlace {
            x: if placed.award > 0 { 38.0 } else { 55.0 },
            line: Line { y: low, size, text: placed.role.chars().last().into_iter().collect() },
        });
        let by = |seat: Seat| format!("{} {}", self.words.promoter, seat.name());
        SlotPlace {
            x,
            name: self.canvas.line(&self.canvas.letters.name(&slot.slot), 26.0, 100.0),
            number,
            award,
            promoter: promoter.map(|seat| self.canvas.line(&by(seat), 24.0, 102.0)),
        }
    }

    /// The known cards of a hand, in as many lines as they take, at most nine.
    fn held(&self, player: &PlayerView) -> Vec<String> {
        let cards = player.hand.roles.iter().chain(&player.hand.events);
        let counted = tally(cards.map(|card| self.canvas.letters.name(card)));
        let counted: Vec<String> = counted.into_iter().map(|(name, times)| name + &times).collect();
        self.canvas.letters.wrap(&counted.join(&self.words.comma), LISTED, 444.0, 9)
    }

    /// The events on the field, identical ones merged, and the number of rows.
    fn events(&self, player: &PlayerView) -> (Vec<EventPlace>, f64) {
        let letters = self.canvas.letters;
        let (start, end) = LISTS;
        let (mut x, mut y) = (start, 0.0);
        let laid = tally(player.laid.iter().map(|laid| self.laid(laid)));
        let events = laid.into_iter().map(|(words, times)| {
            let text = self.event(&words, &times);
            let width = letters.width(&text, LISTED) + 22.0;
            if x + width > end && x > start {
                (x, y) = (start, y + 46.0);
            }
            let event = EventPlace { x, y, width, text };
            x += width + 8.0;
            event
        });
        let events: Vec<EventPlace> = events.collect();
        (events, y / 46.0 + 1.0)
    }

    fn laid(&self, laid: &LaidView) -> String {
        let name = self.canvas.letters.name(&laid.card);
        match laid.slot.as_ref().or(laid.kind.as_ref()) {
            Some(on) => format!("{name} ({})", self.canvas.letters.name(on)),
            None => name,
        }
    }

    /// The text of an event, without its slot or kind if that does not fit.
    fn event(&self, words: &str, times: &str) -> String {
        let letters = self.canvas.letters;
        let whole = format!("{words}{times}");
        let short = || format!("{}{times}", words.split(" (").next().unwrap_or_default());
        let text = if letters.width(&whole, LISTED) > 430.0 { short() } else { whole };
        letters.fit(&text, LISTED, 430.0)
    }

    fn film(&self, film: Option<&FilmView>, y: f64) -> FilmPlace {
        let Some(film) = film else { return FilmPlace { y, title: Vec::new(), when: None } };
        let (letters, words) = (self.canvas.letters, &self.words);
        let when = format!("{} {}", words.turn, film.turn);
        let named = film.title.as_ref().filter(|title| !title.is_empty());
        let title = format!("{}{}{}", words.open, named.unwrap_or(&words.untitled), words.close);
        let room = 404.0 - letters.width(&when, 24.0);
        let size = if letters.width(&title, 28.0) <= room { 28.0 } else { 22.0 };
        let lines = letters.wrap(&title, size, room, 2);
        let top = if lines.len() == 1 { 10.0 } else { -5.0 };
        FilmPlace { y, title: Line::below(lines, size, top, 27.0), when: Some(when) }
    }

    fn piles(&self) -> Vec<Line> {
        let decks = ["actor", "writer", "composer", "director", "event"];
        let pile = |deck| self.canvas.line(&self.canvas.letters.name(deck), 25.0, 110.0);
        decks.into_iter().map(pile).collect()
    }
}

/// The distinct texts, each with its count (`×2`) if it occurs more than once.
fn tally(all: impl Iterator<Item = String>) -> Vec<(String, String)> {
    let all: Vec<String> = all.collect();
    let mut counted: Vec<(String, String)> = Vec::new();
    for one in &all {
        let number = all.iter().filter(|other| *other == one).count();
        let times = if number > 1 { format!("×{number}") } else { String::new() };
        if counted.iter().all(|(known, _)| known != one) {
            counted.push((one.clone(), times));
        }
    }
    counted
}
