//! The controls of a panel, the press on one and the revision of its draft, as texts short enough for the id of
//! a control.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use rules::Declaration;
use tables::ids::WindowNumber;
use tables::text_form;

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
    /// Shows a page of the list of questions, counted from 0.
    Leaf(u16),
    /// Shows a page of the list of questions beside a question.
    LeafBeside {
        question: u16,
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

/// The error for a text that is not a press.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("no control of a panel does this")]
pub struct ParseActionError;

text_form!(PanelAction, '.', ParseActionError, {
    "look" => Look { 0 },
    "answer" => Answer { question, option },
    "course" => Course { question, option },
    "reserves" => Reserves {},
    "reserve" => Reserve { question, option },
    "no-reserve" => NoReserve { 0 },
    "same" => Same {},
    "leave" => LeaveOut { 0 },
    "pass-rest" => PassRest {},
    "undo" => Undo { 0 },
    "next" => Next { 0 },
    "back" => Back { 0 },
    "clear" => Clear {},
    "turn" => Turn { question, page },
    "leaf" => Leaf { 0 },
    "leaf-beside" => LeafBeside { question, page },
    "write" => Write { 0 },
    "seal" => Seal {},
    "seal-anyway" => SealAnyway {},
    "fresh" => Fresh {},
});

text_form!(Blank, '.', ParseActionError, {
    "question" => Question { 0 },
    "whole" => Whole {},
});

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

/// The error for a text that is not a revision.
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

/// The limits of Discord; those of texts are in UTF-16 units.
pub mod limits {
    /// The maximum number of rows of a panel.
    pub const ROWS: usize = 5;
    /// The maximum number of buttons in a row.
    pub const BUTTONS: usize = 5;
    /// The maximum number of entries of a menu.
    pub const ENTRIES: usize = 25;
    /// The maximum length of a panel's text.
    pub const TEXT: usize = 4000;
    /// The maximum length of a button's label.
    pub const BUTTON: usize = 80;
    /// The maximum length of an entry's label or description, and of a field's placeholder.
    pub const ENTRY: usize = 100;
    /// The maximum length of a menu's placeholder.
    pub const MENU: usize = 150;
    /// The maximum length of a modal's title, and of a field's label.
    pub const TITLE: usize = 45;
    /// The maximum length of a field's input.
    pub const FIELD: usize = 4000;
    /// The maximum number of fields of a modal.
    pub const FIELDS: usize = 5;
}

/// The declaration panel: a text above rows of buttons and menus.
#[derive(Clone, PartialEq, Eq)]
pub struct Panel {
    /// The text above the controls.
    pub text: String,
    pub rows: Vec<ControlRow>,
}

impl Panel {
    /// Returns every action of the panel, in order. No two are equal.
    pub fn actions(&self) -> impl Iterator<Item = PanelAction> {
        self.rows.iter().flat_map(ControlRow::actions)
    }
}

/// A row of controls.
#[derive(Clone, PartialEq, Eq)]
pub enum ControlRow {
    /// One to five buttons.
    Buttons(Vec<Button>),
    /// A menu fills a row.
    Menu(Menu),
}

impl ControlRow {
    /// Returns every action of the row, in order.
    pub fn actions(&self) -> impl Iterator<Item = PanelAction> {
        let (buttons, entries) = match self {
            Self::Buttons(buttons) => (buttons.as_slice(), &[][..]),
            Self::Menu(menu) => (&[][..], menu.entries.as_slice()),
        };
        let pressed = buttons.iter().map(|button| button.action);
        pressed.chain(entries.iter().map(|entry| entry.action))
    }
}

/// A button of a panel.
#[derive(Clone, PartialEq, Eq)]
pub struct Button {
    pub action: PanelAction,
    pub label: String,
    pub style: Style,
}

/// The style of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    /// The recommended next step.
    Main,
    /// An answer already given.
    Chosen,
    /// A step that needs care.
    Grave,
}

/// A menu of which one entry is picked.
#[derive(Clone, PartialEq, Eq)]
pub struct Menu {
    /// The text on the closed menu.
    pub placeholder: String,
    /// The entries: one to twenty-five.
    pub entries: Vec<MenuEntry>,
}

/// An entry of a menu.
#[derive(Clone, PartialEq, Eq)]
pub struct MenuEntry {
    pub action: PanelAction,
    pub label: String,
    /// The text below the label; `None` without one.
    pub description: Option<String>,
    /// True if the entry is the current one. At most one entry of a menu is.
    pub chosen: bool,
}

/// A form to type into.
#[derive(Clone, PartialEq, Eq)]
pub struct Modal {
    /// The target of the input, which goes to [`crate::panel::modal()`] with the input.
    pub blank: Blank,
    pub title: String,
    /// The fields: one to five.
    pub fields: Vec<Field>,
}

/// A field of a modal.
#[derive(Clone, PartialEq, Eq)]
pub struct Field {
    pub label: String,
    /// The hint on what can be typed.
    pub placeholder: String,
    /// The text already in the field.
    pub value: String,
    /// The minimum length, in characters.
    pub min: usize,
    /// The maximum length, in characters.
    pub max: usize,
    /// True if the text may have several lines.
    pub lines: bool,
    /// True if the field may not stay empty.
    pub required: bool,
}

/// Implements `Debug` without the contents: declarations must never be printed.
macro_rules! silent {
    ($($type:ident)*) => {
        $(impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($type))
            }
        })*
    };
}

silent! { Panel ControlRow Button Menu MenuEntry Modal Field }

/// Returns the length of a text in UTF-16 units, as Discord counts.
pub(super) fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Shortens a text to at most this length in UTF-16 units, with an ellipsis at the end.
pub fn shortened(text: String, most: usize) -> String {
    if length(&text) <= most {
        return text;
    }
    let mut short = beginning(&text, most - 1).to_owned();
    short.push('…');
    short
}

/// Returns the longest beginning of a text of at most this length in UTF-16 units.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    let mut long = 0;
    let end = text.char_indices().find(|(_, c)| {
        long += c.len_utf16();
        long > most
    });
    end.map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Answer, Key, Value};

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
            PanelAction::Leaf(5),
            PanelAction::LeafBeside { question: most, page: most },
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

    #[test]
    fn what_is_too_long_ends_in_an_ellipsis() {
        assert_eq!(shortened("役者5".to_owned(), 3), "役者5");
        assert_eq!(shortened("役者大賞".to_owned(), 3), "役者…");
        // A character of two units is not split.
        assert_eq!(shortened("🎬🎬🎬".to_owned(), 4), "🎬…");
        assert_eq!(length(&shortened("🎬🎬🎬".to_owned(), 5)), 5);
    }
}
