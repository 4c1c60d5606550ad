//! What a game master decides, in words.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, TextDiff};

use crate::decision::ShownDecision;
use crate::table::WindowProgress;
use crate::template::letters::{DESK, LetterFault, Letters};
use crate::template::reader::Reader;
use crate::template::typed::{letters, sampled, sampled_from};
use crate::template::views::Moment;
use rules::Seat;
use rules::text::Lang;

/// What a decision would change, as it was shown, in the words of each language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes(pub BTreeMap<Lang, Vec<ChangedLine>>);

impl Changes {
    /// In a language.
    pub fn of(&self, lang: Lang) -> &[ChangedLine] {
        self.0.get(&lang).map_or(&[], Vec::as_slice)
    }

    /// True if nothing would change.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(Vec::is_empty)
    }
}

/// What the headings of letters begin with, by which a line is found.
const HEADINGS: [char; 3] = ['◆', '●', '▼'];

/// The lines that differ between two texts, in order, each below the heading it stands under.
pub fn changed_lines(before: &str, after: &str) -> Vec<ChangedLine> {
    // Line by line without their ends: the last line of a text may have none.
    let before: Vec<&str> = before.lines().map(str::trim_end).collect();
    let after: Vec<&str> = after.lines().map(str::trim_end).collect();
    let diff = TextDiff::from_slices(&before, &after);
    let mut heading = None;
    let mut changed = Vec::new();
    for change in diff.iter_all_changes() {
        let text = change.value().to_owned();
        let sign = match change.tag() {
            ChangeTag::Equal if text.starts_with(HEADINGS) => {
                heading = Some(ChangedLine { sign: ' ', text });
                continue;
            }
            // What stands below an empty line stands under no heading.
            ChangeTag::Equal if text.is_empty() => {
                heading = None;
                continue;
            }
            ChangeTag::Equal => continue,
            // A hyphen at the beginning of a line is a bullet on Discord.
            ChangeTag::Delete => '−',
            ChangeTag::Insert => '+',
        };
        if !text.is_empty() {
            changed.extend(heading.take());
            changed.push(ChangedLine { sign, text });
        }
    }
    changed
}

/// These lines, and those others that do not stand among them under the same heading.
pub fn changes_beside(mut changes: Vec<ChangedLine>, others: &[ChangedLine]) -> Vec<ChangedLine> {
    let known: Vec<(String, ChangedLine)> = under_headings(&changes);
    let mut heading = String::new();
    for (of, line) in under_headings(others) {
        if known.iter().any(|(under, other)| *under == of && *other == line) {
            continue;
        }
        if of != heading && !of.is_empty() {
            changes.push(ChangedLine { sign: ' ', text: of.clone() });
        }
        heading = of;
        changes.push(line);
    }
    changes
}

/// Each line that differs, with the heading it stands under; that is empty under none.
fn under_headings(changes: &[ChangedLine]) -> Vec<(String, ChangedLine)> {
    let mut heading = String::new();
    let mut under = Vec::new();
    for line in changes {
        if line.sign == ' ' {
            heading.clone_from(&line.text);
        } else {
            under.push((heading.clone(), line.clone()));
        }
    }
    under
}

impl Letters {
    /// A decision that stands, in one line, for the game masters of its table.
    pub fn stands(
        &self,
        reader: &Reader,
        decision: &ShownDecision<'_>,
    ) -> Result<String, LetterFault> {
        Ok(self.write(reader, &StandingDecision { decision })?.trim().to_owned())
    }

    /// What a game master may know of the open window: how far each seat is, and what is declared
    /// where they see it.
    pub fn bench(
        &self,
        reader: &Reader,
        standing: &WindowProgress,
        declared: Option<&[DeclaredLine]>,
    ) -> Result<String, LetterFault> {
        let (hidden, openly) = (declared.is_none(), standing.openly);
        let declared = self.write(reader, &DeclaredSoFar { declared, hidden, openly })?;
        Ok(format!("{}\n{declared}", self.write(reader, standing)?))
    }
}

letters! {
    /// Letters about what game masters decide.
    LETTERS in DESK;

    /// A game master has decided something: its number, from 1, if it is known, and whether only
    /// those are told whom it is about.
    "decided" pub struct Decided<'a> {
        pub number: Option<u32>,
        pub alone: bool,
        pub decision: &'a ShownDecision<'a>,
    }

    /// A decision that stands.
    "stands" struct StandingDecision<'a> { decision: &'a ShownDecision<'a> }

    /// A decision that was rehearsed is not made.
    "dropped" pub struct DroppedDecision {}

    /// A decision has been made, with its number from 1: perhaps before, as pressed twice it counts
    /// once. On Discord what it is stands above the button that made it.
    "made" pub struct MadeDecision<'a> {
        pub number: u32,
        pub before: bool,
        pub is_final: bool,
        pub decision: &'a ShownDecision<'a>,
    }

    /// Somebody may decide beside the host, or no more.
    "appointed" pub struct AppointedGm<'a> { pub who: &'a str, pub may: bool }

    /// What is declared in the open window.
    "bench" struct DeclaredSoFar<'a> {
        declared: Option<&'a [DeclaredLine]>,
        hidden: bool,
        openly: bool,
    }

    /// What stands above a result that is looked at before it is announced.
    "preview_heading" pub struct PreviewHeading { pub is_open: bool }

    /// What a game master can decide.
    "deciding" pub struct Deciding {}

    /// What has been decided at a table.
    "decisions" pub struct DecisionLog<'a> { pub decisions: &'a [LoggedDecision<'a>] }
}

sampled! {
    /// A line that would be another.
    #[derive(PartialEq, Eq, Deserialize)]
    pub struct ChangedLine {
        /// `−` where it goes, `+` where it comes; a space for the heading that others stand under.
        pub sign: char,
        /// The line, as letters have it.
        pub text: String,
    }

    /// What a seat has declared in a window that is open.
    pub struct DeclaredLine {
        pub seat: Seat,
        /// In the words of declarations, line by line.
        pub lines: Vec<String>,
    }

    /// A decision that has been made.
    pub struct LoggedDecision<'a> {
        /// Its number at the table, from 1.
        pub number: u32,
        /// When it was made.
        pub at: Moment,
        /// Who made it, as it stands in the letter; nobody where the table did.
        pub by: &'a str,
        /// True if the table did, by a vote.
        pub voted: bool,
        pub decision: ShownDecision<'a>,
        /// True if the table was told.
        pub public: bool,
        /// Who was, where the table was not.
        pub alone: &'a [Seat],
        /// The number, from 1, of the one that undid it.
        pub undone: Option<u32>,
        /// What it would change, as it was shown before it was made.
        pub shown: &'a [ChangedLine],
        /// True if its reader is a game master, who may know what was declared by it.
        pub whole: bool,
    }
}

sampled_from! { char: ['-', '+', ' ']; }

#[cfg(test)]
mod tests {
    use crate::decisions::*;

    /// What stands in two texts under the same heading is shown once.
    #[test]
    fn what_changes_in_two_texts_is_shown_once() {
        let changes = changed_lines("▼P1\na\n▼P2\nb\n", "▼P1\nA\n▼P2\nb\n");
        let others = changed_lines("●x\nc\n▼P1\na\n▼P2\na\n", "●x\nC\n▼P1\nA\n▼P2\nA\n");
        let shown = changes_beside(changes, &others);
        let shown: Vec<String> =
            shown.iter().map(|line| format!("{}{}", line.sign, line.text)).collect();
        let once = [" ▼P1", "−a", "+A", " ●x", "−c", "+C", " ▼P2", "−a", "+A"];
        assert_eq!(shown, once);
    }

    #[test]
    fn only_what_differs_is_shown() {
        let line = |sign, text: &str| ChangedLine { sign, text: text.to_owned() };
        let changes = changed_lines("a\nb\n\nc\n", "a\nB\n\nc\nd\n");
        assert_eq!(changes, [line('−', "b"), line('+', "B"), line('+', "d")]);
        assert_eq!(changed_lines("a\n", "a\n"), []);
        assert_eq!(changed_lines("a\nb\n", "a"), [line('−', "b")]);
        let below = changed_lines("▼P1\na\n▼P2\nb\nc\n", "▼P1\na\n▼P2\nB\nC\n");
        assert_eq!(below.iter().map(|line| line.sign).collect::<String>(), " −−++");
        assert_eq!(below[0].text, "▼P2");
        assert_eq!(changed_lines("●a\n\nb\n", "●a\n\nc\n"), [line('−', "b"), line('+', "c")]);
    }
}
