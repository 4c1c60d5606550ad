//! The press on a control and the revision of its draft, as texts short enough for the id of a control.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use rules::Declaration;
use tables::ids::WindowNumber;

/// A press on a control. Questions and options are numbered as in the interview of the draft from which the
/// panel was drawn; [`super::Revision`] identifies that draft. A press is a part of a declaration: it must
/// not be logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PanelAction {
    /// Shows a question.
    Look(u16),
    /// Gives a question the offered answer at this position; for several picks, adds one.
    Answer {
        question: u16,
        /// The position among the offered answers.
        option: u16,
    },
    /// Gives all answers of one entry in the menu of a question.
    Course {
        question: u16,
        /// The position among the offered courses.
        option: u16,
    },
    /// Shows the reserves.
    Reserves,
    /// Adds the answers of one menu entry to the reserves for the part of a question, after the others.
    Reserve {
        question: u16,
        /// The position among the offered courses.
        option: u16,
    },
    /// Removes the reserves for the part of a question.
    NoReserve(u16),
    /// Repeats the last declaration, as far as possible now.
    Same,
    /// Leaves out a question on purpose.
    LeaveOut(u16),
    /// Passes on every question without a standing order.
    PassRest,
    /// Removes the last pick.
    Undo(u16),
    /// Leaves a question as it is and shows the next one that waits.
    Next(u16),
    /// Removes the answer to a question.
    Back(u16),
    /// Clears the draft.
    Clear,
    /// Shows a page of the options of a question.
    Turn {
        question: u16,
        /// The page, from 0.
        page: u16,
    },
    /// Shows a page of the list of questions.
    Leaf {
        /// The question shown meanwhile; `None` for none.
        question: Option<u16>,
        /// The page, from 0.
        page: u16,
    },
    Write(Blank),
    /// Seals. With a fault, or without any answer, asks for one confirmation.
    Seal,
    /// Seals in spite of a warning.
    SealAnyway,
    /// Redraws the panel.
    Fresh,
}

/// The target of a form's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blank {
    /// The answer to a question.
    Question(u16),
    /// The whole declaration.
    Whole,
}

impl fmt::Display for PanelAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Look(question) => write!(f, "look.{question}"),
            Self::Answer { question, option } => write!(f, "answer.{question}.{option}"),
            Self::Course { question, option } => write!(f, "course.{question}.{option}"),
            Self::Reserves => f.write_str("reserves"),
            Self::Reserve { question, option } => write!(f, "reserve.{question}.{option}"),
            Self::NoReserve(question) => write!(f, "no-reserve.{question}"),
            Self::Same => f.write_str("same"),
            Self::LeaveOut(question) => write!(f, "leave.{question}"),
            Self::PassRest => f.write_str("pass-rest"),
            Self::Undo(question) => write!(f, "undo.{question}"),
            Self::Next(question) => write!(f, "next.{question}"),
            Self::Back(question) => write!(f, "back.{question}"),
            Self::Clear => f.write_str("clear"),
            Self::Turn { question, page } => write!(f, "turn.{question}.{page}"),
            Self::Leaf { question: Some(question), page } => write!(f, "leaf.{page}.{question}"),
            Self::Leaf { question: None, page } => write!(f, "leaf.{page}"),
            Self::Write(Blank::Question(question)) => write!(f, "write.{question}"),
            Self::Write(Blank::Whole) => f.write_str("write"),
            Self::Seal => f.write_str("seal"),
            Self::SealAnyway => f.write_str("seal-anyway"),
            Self::Fresh => f.write_str("fresh"),
        }
    }
}

/// The error for a text that is no press.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("no control of a panel does this")]
pub struct ParseActionError;

impl FromStr for PanelAction {
    type Err = ParseActionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split('.');
        let word = parts.next().unwrap_or_default();
        let numbers: Vec<u16> = parts.map(number).collect::<Option<_>>().ok_or(ParseActionError)?;
        Ok(match (word, numbers.as_slice()) {
            ("look", &[question]) => Self::Look(question),
            ("answer", &[question, option]) => Self::Answer { question, option },
            ("course", &[question, option]) => Self::Course { question, option },
            ("reserves", []) => Self::Reserves,
            ("reserve", &[question, option]) => Self::Reserve { question, option },
            ("no-reserve", &[question]) => Self::NoReserve(question),
            ("same", []) => Self::Same,
            ("leave", &[question]) => Self::LeaveOut(question),
            ("pass-rest", []) => Self::PassRest,
            ("undo", &[question]) => Self::Undo(question),
            ("next", &[question]) => Self::Next(question),
            ("back", &[question]) => Self::Back(question),
            ("clear", []) => Self::Clear,
            ("turn", &[question, page]) => Self::Turn { question, page },
            ("leaf", &[page]) => Self::Leaf { question: None, page },
            ("leaf", &[page, question]) => Self::Leaf { question: Some(question), page },
            ("write", &[question]) => Self::Write(Blank::Question(question)),
            ("write", []) => Self::Write(Blank::Whole),
            ("seal", []) => Self::Seal,
            ("seal-anyway", []) => Self::SealAnyway,
            ("fresh", []) => Self::Fresh,
            _ => return Err(ParseActionError),
        })
    }
}

/// Parses a number in exactly the form of [`fmt::Display`].
fn number(text: &str) -> Option<u16> {
    text.parse().ok().filter(|number: &u16| number.to_string() == text)
}

/// Returns a position in a list as the number in an action.
pub(super) fn place_number(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}

/// A short hash of a window and a draft in it, written as eight hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revision(u32);

impl Revision {
    /// Returns the revision of this draft in this window of a table.
    ///
    /// # Panics
    /// Never: a declaration is plain data.
    pub fn of(window: WindowNumber, draft: &Declaration) -> Self {
        let json = serde_json::to_vec(draft).expect("a declaration is plain data");
        let mut hash = Sha256::new();
        hash.update(window.get().to_be_bytes());
        hash.update(json);
        let [a, b, c, d, ..] = <[u8; 32]>::from(hash.finalize());
        Self(u32::from_be_bytes([a, b, c, d]))
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// The error for a text that is no revision.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a revision is eight hex digits")]
pub struct ParseRevisionError;

impl FromStr for Revision {
    type Err = ParseRevisionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let revision = u32::from_str_radix(text, 16).map(Self).ok();
        revision.filter(|revision| revision.to_string() == text).ok_or(ParseRevisionError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_reads_back_as_it_is_written() {
        let most = u16::MAX;
        for action in [
            PanelAction::Look(0),
            PanelAction::Answer { question: most, option: most },
            PanelAction::Course { question: most, option: most },
            PanelAction::Reserves,
            PanelAction::Reserve { question: most, option: most },
            PanelAction::NoReserve(most),
            PanelAction::Same,
            PanelAction::LeaveOut(1),
            PanelAction::PassRest,
            PanelAction::Undo(2),
            PanelAction::Next(3),
            PanelAction::Back(4),
            PanelAction::Clear,
            PanelAction::Turn { question: most, page: most },
            PanelAction::Leaf { question: None, page: 5 },
            PanelAction::Leaf { question: Some(most), page: most },
            PanelAction::Write(Blank::Question(6)),
            PanelAction::Write(Blank::Whole),
            PanelAction::Seal,
            PanelAction::SealAnyway,
            PanelAction::Fresh,
        ] {
            let text = action.to_string();
            assert_eq!(text.parse(), Ok(action), "{text}");
            assert!(text.len() <= 40 && text.is_ascii(), "{text}");
        }
        for text in ["", "look", "look.", "look.-1", "look.01", "look.+1", "answer.1", "seal.1"] {
            assert_eq!(text.parse::<PanelAction>(), Err(ParseActionError), "{text}");
        }
    }

    use rules::{Answer, Key, Value};

    #[test]
    fn another_window_or_another_draft_is_another_revision() {
        let mut draft = Declaration::default();
        let empty = Revision::of(WindowNumber::new(3), &draft);
        draft.set(Key::new("3", "set"), Answer::Given(Value::Choice("3A".into())));
        let drafted = Revision::of(WindowNumber::new(3), &draft);
        assert_ne!(empty, drafted);
        assert_ne!(drafted, Revision::of(WindowNumber::new(4), &draft));
        assert_eq!(drafted.to_string().parse(), Ok(drafted));
        for text in ["", "12", "0000000g", "+0000001", "000000001"] {
            assert_eq!(text.parse::<Revision>(), Err(ParseRevisionError), "{text}");
        }
    }
}
