//! The controls of a panel, and their limits.

use std::fmt;

use super::action::{Blank, PanelAction};

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
    /// The target of the input, which goes to [`super::submit()`] with the input.
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

    #[test]
    fn what_is_too_long_ends_in_an_ellipsis() {
        assert_eq!(shortened("役者5".to_owned(), 3), "役者5");
        assert_eq!(shortened("役者大賞".to_owned(), 3), "役者…");
        // A character of two units is not split.
        assert_eq!(shortened("🎬🎬🎬".to_owned(), 4), "🎬…");
        assert_eq!(length(&shortened("🎬🎬🎬".to_owned(), 5)), 5);
    }
}
