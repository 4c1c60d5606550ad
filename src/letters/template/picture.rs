//! The picture of a table, as the text of an SVG file.
//!
//! Everything that is put into it is harmless and escaped, whoever wrote it; only a macro's own
//! marks stay what they are.

use std::sync::Arc;

use minijinja::Error;
use minijinja::value::{Serde, Value};
use serde_json::{Value as Json, json};
use unicode_width::UnicodeWidthStr;

use crate::letters::template::filters;
use crate::letters::template::harmless::harmless;
use crate::letters::template::letters::{LetterFault, Letters};
use crate::letters::template::reader::Reader;

/// The template of a game's picture, behind the game's one word.
pub(in crate::letters) const PICTURE: &str = "/board.svg";

/// What a picture knows of the letters it is drawn in. Its template sees it as two filters:
///
/// | filter | of | gives |
/// | --- | --- | --- |
/// | `fit(size, width)` | a text | as much of it as has room, with an ellipsis if that is not all |
/// | `wide(size)` | a text | how many units wide it is |
pub trait Typeface: Send + Sync + 'static {
    /// How wide a text is, in units of the picture, in letters of this size.
    fn width(&self, text: &str, size: f64) -> f64;

    /// The text in letters that can be drawn.
    fn drawable(&self, text: &str) -> String;
}

/// A typeface without a font, in which a full-width letter is as wide as it is high: for looking
/// at the text of a picture without drawing it.
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
    /// The picture of where everybody stands, as a reader may know it.
    pub fn picture(
        &self,
        reader: &Reader,
        report: &Json,
        typeface: impl Typeface,
    ) -> Result<String, LetterFault> {
        let mut env = self.env.clone();
        filters::add(&mut env, reader, Value::from);
        let typeface = Arc::new(typeface);
        let face = Arc::clone(&typeface);
        env.add_filter("fit", move |text: &str, size: f64, width: f64| {
            Ok::<_, Error>(Value::from(fit(&*face, text, size, width)))
        });
        env.add_filter("wide", move |text: &str, size: f64| typeface.width(text, size).ceil());
        let template = format!("{}{PICTURE}", reader.game);
        let context = Value::from(Serde(json!({ "report": report })));
        let drawn = env.get_template(&template).and_then(|template| template.render(context));
        drawn.map_err(|error| self.fault_in(&template, &error))
    }
}

/// What is said where the rest has no room.
const ELLIPSIS: char = '…';

fn fit(typeface: &dyn Typeface, text: &str, size: f64, width: f64) -> String {
    let text = typeface.drawable(harmless(text).trim());
    if typeface.width(&text, size) <= width {
        return text;
    }
    let mut kept = text;
    while kept.pop().is_some() {
        let cut = format!("{}{ELLIPSIS}", kept.trim_end());
        if typeface.width(&cut, size) <= width {
            return cut;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use crate::letters::template::picture::{Widths, fit};

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
