//! Helpers to lay out the picture of a table: positions, sizes, and the texts that fit. A game lays out its
//! picture in its `board.rs`; the appearance is defined in its `board.svg`. Units are those of the picture.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Error, Value as Json};

use rules::Seat;

/// The names in a picture, and the widths of texts.
pub trait Lettering {
    /// Returns the name of an id in the game's words.
    fn name(&self, id: &str) -> String;

    /// Returns the name of a seat: its player's name, or P1 and so on.
    fn seat(&self, seat: Seat) -> String;

    /// Returns the width of a text at this font size, rounded up.
    fn width(&self, text: &str, size: f64) -> f64;

    /// Cuts a text to this width, with an ellipsis if it is cut.
    fn fit(&self, text: &str, size: f64, width: f64) -> String;

    /// Wraps a text into at most this many lines, the last cut as by [`Self::fit`].
    fn wrap(&self, text: &str, size: f64, width: f64, lines: usize) -> Vec<String>;
}

/// A table to lay out: the parts of its report that the layout needs, and the picture's words.
#[derive(Debug)]
pub struct Drawn<'a, R, W> {
    pub canvas: &'a Canvas<'a>,
    pub report: R,
    pub words: W,
}

/// The input of a layout.
pub struct Canvas<'a> {
    /// True if the picture is as wide as a phone, otherwise as a screen.
    pub narrow: bool,
    /// The state of the table, as [`report`](super::any::AnyContest::report) returns it.
    pub report: &'a Json,
    /// The picture's own words, from its template.
    pub words: &'a Json,
    pub letters: &'a dyn Lettering,
}

impl fmt::Debug for Canvas<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.either("Canvas(narrow)", "Canvas(wide)"))
    }
}

impl Canvas<'_> {
    /// Runs a layout over the parsed report and words.
    ///
    /// # Errors
    /// If the report or the words lack something.
    pub fn lay_out<R: DeserializeOwned, W: DeserializeOwned, B: Serialize>(
        &self,
        layout: impl FnOnce(&Drawn<'_, R, W>) -> B,
    ) -> Result<Json, Error> {
        let (report, words) = (R::deserialize(self.report)?, W::deserialize(self.words)?);
        serde_json::to_value(layout(&Drawn { canvas: self, report, words }))
    }

    /// Returns one of two values, by the width of the picture.
    pub fn either<T>(&self, narrow: T, wide: T) -> T {
        if self.narrow { narrow } else { wide }
    }

    /// The largest size, at most `size`, at which a text fits.
    pub fn size(&self, text: &str, size: f64, room: f64) -> f64 {
        let width = self.letters.width(text, size);
        if width <= room { size } else { (size * room / width).trunc() }
    }

    /// A text at the largest size at which it fits.
    pub fn line(&self, text: &str, size: f64, room: f64) -> Line {
        Line { y: 0.0, size: self.size(text, size, room), text: text.to_owned() }
    }

    /// `None` for a seat without a player's name; otherwise the name at the largest size at which it fits,
    /// cut if the smallest is too large.
    pub fn player(&self, seat: Seat, size: f64, room: f64) -> Option<Line> {
        let name = self.letters.seat(seat);
        let size = self.size(&name, size, room).max(SMALLEST);
        (name != seat.name()).then(|| Line {
            y: 0.0,
            size,
            text: self.letters.fit(&name, size, room),
        })
    }
}

/// A picture of sides, one below the other, with a row for each of their players.
#[derive(Debug, Serialize)]
pub struct SideBoard<I, R> {
    width: f64,
    height: f64,
    /// The width and height of a row.
    row: [f64; 2],
    sides: Vec<SidePlace<I, R>>,
}

/// A side: the height of its name, and the rows of its members.
#[derive(Debug, Serialize)]
struct SidePlace<I, R> {
    id: I,
    y: f64,
    rows: Vec<R>,
}

/// A row of such a picture: a player, the player's card, and lines of text, `None` for an empty one.
#[derive(Debug, Serialize)]
pub struct PlayerRow {
    seat: Seat,
    y: f64,
    name: Option<Line>,
    card: Option<Line>,
    lines: [Option<Line>; 3],
}

impl Canvas<'_> {
    /// Lays out sides with rows of this height.
    pub fn sides<I, M, R>(
        &self,
        high: f64,
        sides: impl IntoIterator<Item = (I, Vec<M>)>,
        row: impl Fn(M, f64) -> R,
    ) -> SideBoard<I, R> {
        let mut y = self.either(110.0, 92.0);
        let mut places = Vec::new();
        for (id, members) in sides {
            let top = y + 50.0;
            let member = |(at, member)| row(member, top + high * count(at));
            let rows: Vec<R> = members.into_iter().enumerate().map(member).collect();
            places.push(SidePlace { id, y: y + 34.0, rows });
            y = top + high * count(places[places.len() - 1].rows.len()) + 8.0;
        }
        let (width, row) = (self.either(620.0, 1080.0), self.either(600.0, 1016.0));
        SideBoard { width, height: y + 8.0, row: [row, high - 8.0], sides: places }
    }

    /// Lays out a row, with the room for the name and the card. Each line has its room and its height.
    pub fn player_row(
        &self,
        (seat, y): (Seat, f64),
        card: Option<&String>,
        room: f64,
        lines: [(String, f64, f64); 3],
    ) -> PlayerRow {
        const SIZE: f64 = 25.0;
        let card = card.map(|card| self.line(&self.letters.name(card), 29.0, room));
        let line = |(text, room, y): (String, f64, f64)| {
            let text = self.letters.fit(&text, SIZE, room);
            (!text.is_empty()).then_some(Line { y, size: SIZE, text })
        };
        PlayerRow {
            seat,
            y,
            name: self.player(seat, 31.0, room).map(|name| name.at(36.0)),
            card: card.map(|card| card.at(self.either(74.0, 36.0))),
            lines: lines.map(line),
        }
    }

    /// Returns the names of cards, side by side.
    pub fn names<'c>(&self, cards: impl IntoIterator<Item = &'c String>) -> String {
        let names = cards.into_iter().map(|card| self.letters.name(card));
        names.collect::<Vec<_>>().join(" / ")
    }
}

/// The smallest font size of a player's name.
const SMALLEST: f64 = 24.0;

/// A line of text.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub y: f64,
    pub size: f64,
    pub text: String,
}

impl Line {
    /// The line, moved to this height.
    #[must_use]
    pub fn at(self, y: f64) -> Self {
        Self { y, ..self }
    }

    /// Lines of one size, one below the other.
    pub fn below(texts: Vec<String>, size: f64, y: f64, step: f64) -> Vec<Self> {
        let line = |(at, text)| Self { y: y + step * count(at), size, text };
        texts.into_iter().enumerate().map(line).collect()
    }
}

/// Converts a count to a number to measure with.
pub fn count(number: usize) -> f64 {
    u16::try_from(number).unwrap_or(u16::MAX).into()
}
