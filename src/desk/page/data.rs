//! What a page shows, each line of it once, and how it calls who sits there.

use std::collections::BTreeMap;

use serde::Serialize;

use super::lines::NumberedLines;
use crate::Retold;
use letters::plain;
use rules::Seat;

/// What the page's script shows.
#[derive(Debug, Default, Serialize)]
pub(super) struct Data {
    /// The lines of everything, each once.
    pub(super) lines: NumberedLines,
    /// The pictures, each once, by the numbers of their lines.
    boards: Vec<Vec<usize>>,
    /// The sheets in each language by step and viewer, by the numbers of their lines.
    pub(super) sheets: BTreeMap<&'static str, Vec<Vec<Vec<usize>>>>,
}

impl Data {
    /// Keeps a picture, and gives its number.
    pub(super) fn picture(&mut self, svg: &str) -> usize {
        let lines = self.lines.add(svg);
        let known = self.boards.iter().position(|board| *board == lines);
        known.unwrap_or_else(|| {
            self.boards.push(lines);
            self.boards.len() - 1
        })
    }

    /// As it stands in the page, where nothing in it can end the element it stands in.
    pub(super) fn embedded(&self) -> String {
        let json = serde_json::to_string(self).expect("lines and numbers");
        json.replace('<', "\\u003c")
    }
}

/// A seat, and the name of who sits there, if they have one.
pub(super) fn called(retold: &Retold, seat: Seat) -> String {
    format!("{seat} {}", name(retold, seat)).trim_end().to_owned()
}

pub(super) fn name(retold: &Retold, seat: Seat) -> String {
    let name = retold.names.get(seat.index()).map(|name| plain(name));
    name.unwrap_or_default().trim().to_owned()
}
