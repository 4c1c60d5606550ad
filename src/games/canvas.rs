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
