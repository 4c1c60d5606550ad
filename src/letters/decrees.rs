//! What a game master decides, in words.

use serde::Serialize;
use serde_json::{Value as Json, json};
use similar::{ChangeTag, TextDiff};

use super::views::Moment;
use super::{DESK, LetterFault, Letters, Reader, SeatProgress};
use crate::rules::Seat;

/// A decision of a game master's.
#[derive(Clone, Debug, Serialize)]
pub struct Decree<'a> {
    /// What it is, as it is kept.
    pub what: Json,
    /// The time it names, if it names one.
    pub time: Option<Moment>,
    /// Why, in their words; empty if they have not said it yet.
    pub reason: &'a str,
}

/// A line that would be another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedLine {
    /// `-` where it goes, `+` where it comes.
    pub sign: char,
    /// The line.
    pub text: String,
}

/// A decision that has been made.
#[derive(Clone, Debug, Serialize)]
pub struct DecreeOf<'a> {
    /// Its number at the table, from 1.
    pub number: i64,
    /// When it was made.
    pub at: Moment,
    /// Who made it.
    pub by: &'a str,
    /// What it is.
    pub decree: Decree<'a>,
    /// Whether the table was told.
    pub public: bool,
    /// The number, from 1, of the one that undid it.
    pub undone: Option<i64>,
}

/// How far everybody is, as a game master sees it.
#[derive(Clone, Debug, Serialize)]
pub struct Watched {
    /// Each seat.
    pub seats: Vec<SeatProgress>,
    /// When the window closes.
    pub closes: Option<Moment>,
    /// Whether what is sealed is seen.
    pub open: bool,
    /// What is sealed, as far as it is seen.
    pub sealed: Vec<SealedText>,
}

/// What somebody has sealed.
#[derive(Clone, Debug, Serialize)]
pub struct SealedText {
    /// Whose it is.
    pub seat: Seat,
    /// The text that reads as the same declaration.
    pub text: String,
}

/// The lines that differ between two texts, in order.
pub fn changed_lines(before: &str, after: &str) -> Vec<ChangedLine> {
    let diff = TextDiff::from_lines(before, after);
    let line = |change: similar::Change<&str>| {
        let sign = match change.tag() {
            ChangeTag::Equal => return None,
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        let text = change.value().trim_end().to_owned();
        (!text.is_empty()).then_some(ChangedLine { sign, text })
    };
    diff.iter_all_changes().filter_map(line).collect()
}

impl Letters {
    /// A game master has decided something.
    pub fn decided(&self, reader: &Reader, decree: &Decree<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "decided", decree)
    }

    /// What a decision would change, and what is to be thought of.
    pub fn rehearsed(
        &self,
        reader: &Reader,
        decree: &Decree<'_>,
        changes: &[ChangedLine],
        remarks: &Json,
    ) -> Result<String, LetterFault> {
        let said = json!({ "decree": decree, "changes": changes, "remarks": remarks });
        self.letter(DESK, reader, "rehearsed", said)
    }

    /// How far everybody is, for a game master alone.
    pub fn watched(&self, reader: &Reader, watched: &Watched) -> Result<String, LetterFault> {
        let Watched { seats, closes, open, sealed } = watched;
        let said = json!({
            "seats": seats,
            "hidden": false,
            "count": Json::Null,
            "closes": closes,
            "open": open,
            "sealed": sealed,
        });
        self.letter(DESK, reader, "watched", said)
    }

    /// What has been decided at a table.
    pub fn decrees(
        &self,
        reader: &Reader,
        decrees: &[DecreeOf<'_>],
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "decrees", json!({ "decrees": decrees }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_shown() {
        let line = |sign, text: &str| ChangedLine { sign, text: text.to_owned() };
        let changes = changed_lines("a\nb\n\nc\n", "a\nB\n\nc\nd\n");
        assert_eq!(changes, [line('-', "b"), line('+', "B"), line('+', "d")]);
        assert_eq!(changed_lines("a\n", "a\n"), []);
    }
}
