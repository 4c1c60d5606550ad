//! For laying out the picture of a table: where what is drawn stands, how large it is, and what of
//! it has room. A game does so in its `board.rs`; how it looks, its `board.svg` says. Units are
//! those of the picture.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Error, Value as Json};

use rules::Seat;

/// How things are called in a picture, and how much room that takes.
pub trait Lettering {
    /// What an id is called in the game's words.
    fn name(&self, id: &str) -> String;

    /// What a seat is called: by its player's name, or else P1 and so on.
    fn seat(&self, seat: Seat) -> String;

    /// How wide a text is in letters of this size, rounded up.
    fn width(&self, text: &str, size: f64) -> f64;

    /// As much of a text as has room, with an ellipsis if that is not all.
    fn fit(&self, text: &str, size: f64, width: f64) -> String;

    /// The lines of a text, at most so many, the last as [`Self::fit`] gives it.
    fn wrap(&self, text: &str, size: f64, width: f64, lines: usize) -> Vec<String>;
}

/// A table whose picture is laid out: what the layout needs of its report, and the picture's words.
#[derive(Debug)]
pub struct Drawn<'a, R, W> {
    pub canvas: &'a Canvas<'a>,
    pub report: R,
    pub words: W,
}

/// What a picture is laid out for.
pub struct Canvas<'a> {
    /// Whether it is as wide as a phone, or else as a screen.
    pub narrow: bool,
    /// How the table stands, as [`report`](super::any::AnyContest::report) gives it.
    pub report: &'a Json,
    /// The words of the picture's own, from its template.
    pub words: &'a Json,
    pub letters: &'a dyn Lettering,
}

impl fmt::Debug for Canvas<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.either("Canvas(narrow)", "Canvas(wide)"))
    }
}

impl Canvas<'_> {
    /// Where everything stands, by a layout of what the report and the words hold.
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

    /// One or the other, by how wide it is.
    pub fn either<T>(&self, narrow: T, wide: T) -> T {
        if self.narrow { narrow } else { wide }
    }

    /// The largest size up to this one in which a text has room.
    pub fn size(&self, text: &str, size: f64, room: f64) -> f64 {
        let width = self.letters.width(text, size);
        if width <= room { size } else { (size * room / width).trunc() }
    }

    /// A text in the size in which it has room.
    pub fn line(&self, text: &str, size: f64, room: f64) -> Line {
        Line { y: 0.0, size: self.size(text, size, room), text: text.to_owned() }
    }

    /// A player's name in the size in which it has room, or else what of it has; none for a seat
    /// without one.
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

/// The smallest letters of a player's name.
const SMALLEST: f64 = 24.0;

/// A line of text.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub y: f64,
    pub size: f64,
    pub text: String,
}

impl Line {
    /// The same at this height.
    #[must_use]
    pub fn at(self, y: f64) -> Self {
        Self { y, ..self }
    }

    /// Lines of one size below each other.
    pub fn below(texts: Vec<String>, size: f64, y: f64, step: f64) -> Vec<Self> {
        let line = |(at, text)| Self { y: y + step * count(at), size, text };
        texts.into_iter().enumerate().map(line).collect()
    }
}

/// How many there are, as a number to measure with.
pub fn count(number: usize) -> f64 {
    u16::try_from(number).unwrap_or(u16::MAX).into()
}
