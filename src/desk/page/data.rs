//! The data of a page, each line stored once, and the names of seats.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value as Json;

use super::curve::{Curve, curves};
use super::lines::NumberedLines;
use super::record;
use crate::Retold;
use letters::plain;
use rules::Seat;

/// The data for the page's script.
#[derive(Debug, Serialize)]
pub(super) struct Data {
    /// The distinct lines.
    pub(super) lines: NumberedLines,
    /// The distinct pictures, each a list of line numbers.
    boards: Vec<Vec<usize>>,
    /// The sheets in each language by step and viewer, as line numbers.
    pub(super) sheets: BTreeMap<&'static str, Vec<Vec<Vec<usize>>>>,
    /// The result in each language, as line numbers.
    pub(super) results: BTreeMap<&'static str, Vec<usize>>,
    curves: Vec<Curve>,
    record: Json,
}

impl Data {
    /// Returns data without sheets and results.
    pub(super) fn new(retold: &Retold) -> Self {
        Self {
            lines: NumberedLines::default(),
            boards: Vec::new(),
            sheets: BTreeMap::new(),
            results: BTreeMap::new(),
            curves: curves(retold),
            record: record::of_file(&retold.file),
        }
    }

    /// Stores a picture once, and returns its number.
    pub(super) fn picture(&mut self, svg: &str) -> usize {
        let lines = self.lines.add(svg);
        let known = self.boards.iter().position(|board| *board == lines);
        known.unwrap_or_else(|| {
            self.boards.push(lines);
            self.boards.len() - 1
        })
    }

    /// Returns the JSON for embedding in the page, where no `<` can end its element, and no mark for the
    /// direction of writing changes how its source reads.
    pub(super) fn embedded(&self) -> String {
        let json = serde_json::to_string(self).expect("lines and numbers");
        let is_plain = |letter: char| !matches!(letter, '<' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        json.chars().fold(String::with_capacity(json.len()), |mut text, letter| {
            if is_plain(letter) {
                text.push(letter);
            } else {
                let _ = write!(text, "\\u{:04x}", u32::from(letter));
            }
            text
        })
    }
}

/// Returns the seat and the name of its player, if any.
pub(super) fn called(retold: &Retold, seat: Seat) -> String {
    format!("{seat} {}", name(retold, seat)).trim_end().to_owned()
}

pub(super) fn name(retold: &Retold, seat: Seat) -> String {
    let name = retold.names.get(seat.index()).map(|name| plain(name));
    name.unwrap_or_default().trim().to_owned()
}
