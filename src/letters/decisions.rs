//! Letters about the decisions of game masters, and about votes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use similar::{Algorithm, ChangeTag, capture_diff_slices};

use crate::template::typed::{letters, sampled, sampled_from};
use crate::template::{Draw, Sampled};
use crate::{DESK, Letters, Moment, Reader, Result, ShownDecision, WindowProgress};
use rules::Seat;
use rules::text::Lang;
use tables::time::{HOUR, Span};

/// The changes that a decision would make, as lines in each language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes(pub BTreeMap<Lang, Vec<ChangedLine>>);

impl Changes {
    /// Returns the changes in a language.
    pub fn of(&self, lang: Lang) -> &[ChangedLine] {
        self.0.get(&lang).map_or(&[], Vec::as_slice)
    }

    /// True if nothing would change.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(Vec::is_empty)
    }
}

/// The first characters of headings in letters.
const HEADINGS: [char; 3] = ['◆', '●', '▼'];

/// Returns the lines that differ between two texts, in order, each below its heading.
pub fn changed_lines(before: &str, after: &str) -> Vec<ChangedLine> {
    // Trimmed ends: the last line of a text may have no newline.
    let before: Vec<&str> = before.lines().map(str::trim_end).collect();
    let after: Vec<&str> = after.lines().map(str::trim_end).collect();
    let steps = capture_diff_slices(Algorithm::Myers, &before, &after);
    let mut heading = None;
    let mut changed = Vec::new();
    for change in steps.iter().flat_map(|step| step.iter_changes(&before, &after)) {
        let text = change.value().to_owned();
        let sign = match change.tag() {
            ChangeTag::Equal if text.starts_with(HEADINGS) => {
                heading = Some(ChangedLine { sign: ' ', text });
                continue;
            }
            // An empty line ends the lines of a heading.
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

/// Adds the lines of `others` to `changes`, except those that `changes` has under the same heading.
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

/// Returns each changed line with its heading; the heading is empty for a line without one.
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
    /// Writes a decision in force as one line, for the game masters of its table.
    pub fn stands(&self, reader: &Reader, decision: &ShownDecision<'_>) -> Result<String> {
        Ok(self.write(reader, &StandingDecision { decision })?.trim().to_owned())
    }

    /// Writes the state of the open window for a game master: the progress of each seat, and the declarations
    /// if the game master may see them.
    pub fn bench(
        &self,
        reader: &Reader,
        standing: &WindowProgress,
        declared: Option<&[DeclaredLine]>,
    ) -> Result<String> {
        let (hidden, openly) = (declared.is_none(), standing.openly);
        let declared = self.write(reader, &DeclaredSoFar { declared, hidden, openly })?;
        Ok(format!("{}\n{declared}", self.write(reader, standing)?))
    }
}

letters! {
    /// Letters about the decisions of game masters.
    LETTERS in DESK;

    /// A decision just made: its number, from 1, or `None` if unknown; `alone` is true if only the seats
    /// concerned are notified.
    "decided" pub struct Decided<'a> {
        pub number: Option<u32>,
        pub alone: bool,
        pub decision: &'a ShownDecision<'a>,
    }

    /// A decision in force.
    "stands" struct StandingDecision<'a> { decision: &'a ShownDecision<'a> }

    /// A decision after a dry run that is not made.
    "dropped" pub struct DroppedDecision {}

    /// A decision made, with its number from 1; `before` is true if an earlier press made it. On Discord the
    /// decision is shown above the button that made it.
    "made" pub struct MadeDecision<'a> {
        pub number: u32,
        pub before: bool,
        pub is_final: bool,
        pub decision: &'a ShownDecision<'a>,
    }

    /// A person who was appointed or dismissed as game master.
    "appointed" pub struct AppointedGm<'a> { pub who: &'a str, pub may: bool }

    /// The declarations in the open window.
    "bench" struct DeclaredSoFar<'a> {
        declared: Option<&'a [DeclaredLine]>,
        hidden: bool,
        openly: bool,
    }

    /// The heading of a result previewed before it is announced.
    "preview_heading" pub struct PreviewHeading { pub is_open: bool }

    /// The decisions that a game master can make.
    "deciding" pub struct Deciding {}

    /// The decisions made at a table.
    "decisions" pub struct DecisionLog<'a> { pub decisions: &'a [LoggedDecision<'a>] }

    /// A vote.
    "vote" pub struct Ballots<'a> {
        /// The seat of the proposer; `None` if they no longer sit at the table.
        pub by: Option<Seat>,
        /// The name of the player whose seat the vote is about; `None` if unknown.
        pub about: Option<&'a str> = [None, Some("kaede")],
        /// The proposed decision.
        pub decision: ShownDecision<'a> => proposal,
        pub closes: Moment,
        /// The state of the count.
        pub tally: VoteTally,
        /// True if one vote besides the proposer's is enough, as the players decide at the table.
        pub second: bool,
        /// The word for the outcome; `None` while the vote is open.
        pub outcome: Option<&'a str> = OUTCOMES,
    }

    /// A counted ballot.
    "voice" pub struct Voice<'a> {
        pub agrees: bool,
        pub tally: VoteTally,
        pub outcome: Option<&'a str> = OUTCOMES,
    }

    /// The question to a reader whose vote alone ends the game.
    "own_voice" pub struct OwnVoiceAlone {}

    /// The decisions that a table can make by a vote.
    "voting" pub struct Voting {}

    /// A decision of a game master who plays, put to the vote.
    "second" pub struct PutToTheVote {}

    /// A request above the remaining allowance of a limited action.
    "spent" pub struct TooMuch { pub spent: Spent }
}

sampled! {
    /// A changed line.
    #[derive(PartialEq, Eq, Deserialize)]
    pub struct ChangedLine {
        /// `−` for a removed line, `+` for an added line, a space for the heading of the lines below.
        pub sign: char,
        /// The text of the line.
        pub text: String,
    }

    /// The declaration of a seat in an open window.
    pub struct DeclaredLine {
        pub seat: Seat,
        /// The declaration as text, line by line.
        pub lines: Vec<String>,
    }

    /// A decision in the log of a table.
    pub struct LoggedDecision<'a> {
        /// The number of the decision at the table, from 1.
        pub number: u32,
        pub at: Moment,
        /// The person who decided, as shown in the letter; empty if the table decided by a vote.
        pub by: &'a str,
        /// True if the table decided by a vote.
        pub voted: bool,
        pub decision: ShownDecision<'a>,
        /// True if the whole table was notified.
        pub public: bool,
        /// The seats notified, if the table was not.
        pub alone: &'a [Seat],
        /// The number, from 1, of the decision that undid this one; `None` if none did.
        pub undone: Option<u32>,
        /// The changes shown before the decision was made.
        pub shown: &'a [ChangedLine],
        /// True if the reader is a game master, who may see the declarations in the decision.
        pub whole: bool,
    }

    /// The state of a vote's count.
    #[derive(Copy, PartialEq, Eq)]
    pub struct VoteTally {
        pub yes: usize,
        pub no: usize,
        /// The number of votes needed to pass.
        pub needed: usize,
    }
}

sampled_from! { char: ['-', '+', ' '];
    Spent: [Span::ZERO, HOUR].map(|left| [Spent::Extension { left }, Spent::Pause { left }]).concat();
}

/// A limited action on demand, and the amount left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum Spent {
    /// A deadline extension.
    Extension {
        /// The time left.
        left: Span,
    },
    /// A pause.
    Pause {
        /// The time left.
        left: Span,
    },
}

/// The words for the outcomes of a vote; `None` while it is open.
const OUTCOMES: [Option<&str>; 5] =
    [None, Some("passed"), Some("rejected"), Some("expired"), Some("overtaken")];

/// Returns a sample decision that can be proposed, with a reason or without.
fn proposal<'a>(draw: &mut Draw<'_>) -> ShownDecision<'a> {
    const PROPOSED: [&str; 5] = ["extend", "pause", "resume", "house", "end"];
    let mut all = draw.stock.decisions.clone();
    all.retain(|decision| PROPOSED.contains(&decision.what["does"].as_str().unwrap_or_default()));
    let decision = draw.one_of(&all);
    if bool::sample(draw) { ShownDecision { reason: "", ..decision } } else { decision }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a line in both texts under the same heading is shown once.
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
