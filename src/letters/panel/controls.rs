//! What a panel is made of, and how much of it there can be.

use std::fmt;

use super::action::{Blank, PanelAction};

/// How much fits, in UTF-16 units where it is words: as Discord has it.
pub mod limits {
    /// Rows of a panel.
    pub const ROWS: usize = 5;
    /// Buttons in a row.
    pub const BUTTONS: usize = 5;
    /// Entries of a menu.
    pub const ENTRIES: usize = 25;
    /// The text of a panel.
    pub const TEXT: usize = 4000;
    /// The label of a button.
    pub const BUTTON: usize = 80;
    /// The label or the description of an entry, and the placeholder of a field.
    pub const ENTRY: usize = 100;
    /// The placeholder of a menu.
    pub const MENU: usize = 150;
    /// The title of a modal, and the label of a field.
    pub const TITLE: usize = 45;
    /// What is typed into a field.
    pub const FIELD: usize = 4000;
    /// Fields of a modal.
    pub const FIELDS: usize = 5;
}

/// What a person presses to declare: rows of buttons and menus.
#[derive(Clone, PartialEq, Eq)]
pub struct Panel {
    /// What stands above the controls.
    pub text: String,
    pub rows: Vec<ControlRow>,
}

impl Panel {
    /// Everything that can be pressed, in order. No two are the same.
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
    /// Everything that can be pressed in it, in order.
    pub fn actions(&self) -> impl Iterator<Item = PanelAction> {
        let (buttons, entries) = match self {
            Self::Buttons(buttons) => (buttons.as_slice(), &[][..]),
            Self::Menu(menu) => (&[][..], menu.entries.as_slice()),
        };
        let pressed = buttons.iter().map(|button| button.action);
        pressed.chain(entries.iter().map(|entry| entry.action))
    }
}

/// A button of a panel, and what a press does.
#[derive(Clone, PartialEq, Eq)]
pub struct Button {
    /// What it does.
    pub action: PanelAction,
    /// What stands on it.
    pub label: String,
    /// How it looks.
    pub style: Style,
}

/// How a button looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    /// What is to be done next.
    Main,
    /// What is said already.
    Chosen,
    /// What is to be thought over.
    Grave,
}

/// A menu of which one entry is picked.
#[derive(Clone, PartialEq, Eq)]
pub struct Menu {
    /// What stands on it.
    pub placeholder: String,
    /// One to twenty-five.
    pub entries: Vec<MenuEntry>,
}

/// An entry of a menu.
#[derive(Clone, PartialEq, Eq)]
pub struct MenuEntry {
    /// What it does.
    pub action: PanelAction,
    /// What it is called.
    pub label: String,
    /// What is to be said about it.
    pub description: Option<String>,
    /// True if it is the one that counts now. At most one of a menu is.
    pub chosen: bool,
}

/// A form to type into.
#[derive(Clone, PartialEq, Eq)]
pub struct Modal {
    /// What it is about: what comes back is handed to [`super::submit()`] with it.
    pub blank: Blank,
    /// What stands above it.
    pub title: String,
    /// One to five.
    pub fields: Vec<Field>,
}

/// A field of a modal.
#[derive(Clone, PartialEq, Eq)]
pub struct Field {
    /// What it is called.
    pub label: String,
    /// What can be typed.
    pub placeholder: String,
    /// What stands in it already.
    pub value: String,
    /// At least so many characters.
    pub min: usize,
    /// At most so many characters.
    pub max: usize,
    /// True if it may run over several lines.
    pub lines: bool,
    /// True if it may not stay empty.
    pub required: bool,
}

/// Nothing of what is said in a panel is ever printed.
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

/// How long a text is where it is shown.
pub(super) fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// A text that is no longer than this: what is too long ends in an ellipsis.
pub fn shortened(text: String, most: usize) -> String {
    if length(&text) <= most {
        return text;
    }
    let mut kept = beginning(&text, most - 1).to_owned();
    kept.push('…');
    kept
}

/// As much of the beginning of a text as is no longer than this.
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

    #[test]
    fn what_is_too_long_ends_in_an_ellipsis() {
        assert_eq!(shortened("役者5".to_owned(), 3), "役者5");
        assert_eq!(shortened("役者大賞".to_owned(), 3), "役者…");
        // One character of two units is not torn.
        assert_eq!(shortened("🎬🎬🎬".to_owned(), 4), "🎬…");
        assert_eq!(length(&shortened("🎬🎬🎬".to_owned(), 5)), 5);
    }
}
