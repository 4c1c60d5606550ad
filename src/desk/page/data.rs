//! The data of a page, each line stored once, and the names of seats.

use std::collections::BTreeMap;

use serde::Serialize;

use super::lines::NumberedLines;
use crate::Retold;
use letters::plain;
use rules::Seat;

/// The data for the page's script.
#[derive(Debug, Default, Serialize)]
pub(super) struct Data {
    /// The distinct lines.
    pub(super) lines: NumberedLines,
    /// The distinct pictures, each a list of line numbers.
    boards: Vec<Vec<usize>>,
    /// The sheets in each language by step and viewer, as line numbers.
    pub(super) sheets: BTreeMap<&'static str, Vec<Vec<Vec<usize>>>>,
}

impl Data {
    /// Stores a picture once, and returns its number.
    pub(super) fn picture(&mut self, svg: &str) -> usize {
        let lines = self.lines.add(svg);
        let known = self.boards.iter().position(|board| *board == lines);
        known.unwrap_or_else(|| {
            self.boards.push(lines);
            self.boards.len() - 1
        })
    }

    /// Returns the JSON for embedding in the page, where no `<` can end its element.
    pub(super) fn embedded(&self) -> String {
        let json = serde_json::to_string(self).expect("lines and numbers");
        json.replace('<', "\\u003c")
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
