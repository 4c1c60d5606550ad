//! The picture of a table as SVG text, and its scores as an HTML table.
//!
//! All values are made harmless and escaped, whoever wrote them; only the output of macros keeps its mark-up.

use minijinja::value::{Serde, Value};
use minijinja::{Error, ErrorKind, context};
use serde::Serialize;
use serde_json::Value as Json;
use unicode_width::UnicodeWidthStr;

use crate::template::letters::{Medium, PICTURE, SCORES};
use crate::template::reader::harmless;
use crate::{Letters, Reader, Result};
use games::any::AnyGame;
use games::canvas::{Canvas, Lettering};
use rules::Seat;

/// The room for a picture; templates see it as `narrow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureRoom {
    /// The width of a screen.
    Wide,
    /// The width of a phone, without a limit on the height.
    Narrow,
}

/// The measures of the font of a picture, from which the game lays it out. The template gets the layout by
/// `laid_out(words)`, with its own words.
pub trait Typeface: Send + Sync + 'static {
    /// Returns the width of a text at this font size, in units of the picture.
    fn width(&self, text: &str, size: f64) -> f64;

    /// Returns the text in letters that can be drawn.
    fn drawable(&self, text: &str) -> String;
}

/// A typeface without a font, whose full-width letters are as wide as high: for inspecting the text of a
/// picture without drawing it.
#[derive(Clone, Copy, Debug)]
pub struct Widths;

impl Typeface for Widths {
    fn width(&self, text: &str, size: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a line of text")]
        let columns = text.width() as f64;
        columns * size / 2.0
    }

    fn drawable(&self, text: &str) -> String {
        text.to_owned()
    }
}

impl Letters {
    /// Writes the picture of the position as SVG, limited to what the reader may know.
    pub fn picture(
        &self,
        reader: &Reader,
        report: &Json,
        room: PictureRoom,
        typeface: impl Typeface,
    ) -> Result<String> {
        let env = self.for_reader(reader, Medium::Markup);
        let narrow = room == PictureRoom::Narrow;
        let hand = PictureLettering { reader: reader.clone(), typeface };
        let table = report.clone();
        let laid_out = Value::from_function(move |words: Value| {
            laid_out(&hand, hand.reader.game, &table, narrow, &words)
        });
        let template = format!("{}{PICTURE}", reader.game.key());
        let context = context! { report => Value::from(Serde(report)), narrow, laid_out };
        let drawn = env.get_template(&template).and_then(|template| template.render(context));
        drawn.map_err(|error| self.fault_in(&template, &error))
    }
}

impl Letters {
    /// Writes the final scores as an HTML table; empty for a game without individual scores.
    pub fn score_table(&self, reader: &Reader, report: &Json) -> Result<String> {
        let env = self.for_reader(reader, Medium::Markup);
        let template = format!("{}{SCORES}", reader.game.key());
        let context = Value::from(Serde(Scored { report }));
        let written = env.get_template(&template).and_then(|template| template.render(context));
        let written = written.map_err(|error| self.fault_in(&template, &error))?;
        Ok(written.trim().to_owned())
    }
}

/// The fields of a score table's template.
#[derive(Serialize)]
struct Scored<'a> {
    report: &'a Json,
}

/// The names and the typeface of a picture for its reader.
struct PictureLettering<T> {
    reader: Reader,
    typeface: T,
}

impl<T: Typeface> Lettering for PictureLettering<T> {
    fn name(&self, id: &str) -> String {
        self.reader.name(id)
    }

    fn seat(&self, seat: Seat) -> String {
        self.reader.seat(seat)
    }

    fn width(&self, text: &str, size: f64) -> f64 {
        self.typeface.width(text, size).ceil()
    }

    fn fit(&self, text: &str, size: f64, width: f64) -> String {
        fit(&self.typeface, text, size, width)
    }

    fn wrap(&self, text: &str, size: f64, width: f64, lines: usize) -> Vec<String> {
        wrap(&self.typeface, text, size, width, lines)
    }
}

/// Returns the layout of the picture in a reader's game.
fn laid_out(
    letters: &dyn Lettering,
    game: &'static dyn AnyGame,
    report: &Json,
    narrow: bool,
    words: &Value,
) -> Result<Value, Error> {
    let fault = |error| Error::new(ErrorKind::InvalidOperation, "laid_out").with_source(error);
    let words = &serde_json::to_value(words).map_err(fault)?;
    let board = game.board(&Canvas { narrow, report, words, letters });
    Ok(Value::from(Serde(board.map_err(fault)?)))
}

/// The mark at the end of a shortened text.
const ELLIPSIS: char = '…';

fn fit(typeface: &dyn Typeface, text: &str, size: f64, width: f64) -> String {
    let text = typeface.drawable(harmless(text).trim());
    if typeface.width(&text, size) <= width {
        return text;
    }
    let mut rest = text;
    while rest.pop().is_some() {
        let cut = format!("{}{ELLIPSIS}", rest.trim_end());
        if typeface.width(&cut, size) <= width {
            return cut;
        }
    }
    rest
}

/// Breaks a text into lines, after a space or a comma if there is one.
fn wrap(typeface: &dyn Typeface, text: &str, size: f64, width: f64, most: usize) -> Vec<String> {
    let text = typeface.drawable(harmless(text).trim());
    let (mut lines, mut rest) = (Vec::new(), text.as_str());
    while lines.len() + 1 < most && typeface.width(rest, size) > width {
        let (mut end, mut gap) = (0, 0);
        for (at, letter) in rest.char_indices() {
            let next = at + letter.len_utf8();
            if end > 0 && typeface.width(rest[..next].trim_end(), size) > width {
                break;
            }
            end = next;
            if matches!(letter, ' ' | '\u{3000}' | '、') {
                gap = next;
            }
        }
        let (line, left) = rest.split_at(if gap > 0 { gap } else { end });
        lines.push(line.trim_end().to_owned());
        rest = left.trim_start();
    }
    if !rest.is_empty() {
        lines.push(fit(typeface, rest, size, width));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{fit, wrap};
    use crate::Widths;

    #[test]
    fn a_text_is_broken_where_there_is_a_gap() {
        let wrap = |text, width| wrap(&Widths, text, 20.0, width, 2);
        assert_eq!(wrap("ab cd", 50.0), ["ab cd"]);
        assert_eq!(wrap("ab cd", 40.0), ["ab", "cd"]);
        assert_eq!(wrap("役者、音楽家", 100.0), ["役者、", "音楽家"]);
        assert_eq!(wrap("夜明けの役者", 80.0), ["夜明けの", "役者"]);
        assert_eq!(wrap("ab cd ef gh", 40.0), ["ab", "cd…"]);
        assert_eq!(wrap("", 40.0), Vec::<String>::new());
    }

    #[test]
    fn what_has_no_room_ends_in_an_ellipsis() {
        let fit = |text, width| fit(&Widths, text, 20.0, width);
        assert_eq!(fit("abcd", 40.0), "abcd");
        assert_eq!(fit("abcde", 40.0), "abc…");
        assert_eq!(fit("夜明けの役者", 100.0), "夜明けの…");
        assert_eq!(fit("\u{202e}\u{200b}a<b", 60.0), "a＜b");
        assert_eq!(fit("abc", 5.0), "");
    }
}
