//! What hangs on a control: which table, which window, which draft, and what is wanted.

use std::fmt;
use std::str::FromStr;

use crate::panel::{Action, Blank, Revision};

/// A control of ours. A press on one says everything there is to know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// Of a table's post.
    Table {
        /// The table.
        code: String,
        /// What is wanted.
        wish: Wish,
    },
    /// Of a declaration panel.
    Panel {
        /// From what it was drawn.
        draft: Drafted,
        /// What is wanted.
        action: Action,
    },
    /// A menu of a declaration panel; what is wanted is the entry that is picked.
    Menu {
        /// From what it was drawn.
        draft: Drafted,
        /// In which row it stands.
        row: usize,
    },
    /// A form to type into, opened from a declaration panel.
    Form {
        /// From what it was drawn.
        draft: Drafted,
        /// What is typed.
        blank: Blank,
    },
    /// Of the question whether somebody is to be forgotten.
    Erase,
}

/// From what a panel was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Drafted {
    /// The table.
    pub(super) code: String,
    /// The window.
    pub(super) window: i64,
    /// The draft.
    pub(super) revision: Revision,
}

macro_rules! wishes {
    ($($wish:ident => $word:literal,)*) => {
        /// What can be wanted of a table by one press.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Wish { $($wish,)* }

        impl Wish {
            /// The word for it, also in templates.
            pub(super) const fn word(self) -> &'static str {
                match self { $(Self::$wish => $word,)* }
            }

            fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$wish),)* _ => None }
            }
        }
    };
}

wishes! {
    Join => "join",
    Leave => "leave",
    Start => "start",
    Declare => "declare",
    Hand => "hand",
    Show => "show",
    Why => "why",
    Again => "again",
}

impl fmt::Display for Drafted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.code, self.window, self.revision)
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { code, wish } => write!(f, "table:{code}:{}", wish.word()),
            Self::Panel { draft, action } => write!(f, "panel:{draft}:{action}"),
            Self::Menu { draft, row } => write!(f, "menu:{draft}:{row}"),
            Self::Erase => f.write_str("erase"),
            Self::Form { draft, blank } => write!(f, "form:{draft}:{}", Action::Write(*blank)),
        }
    }
}

/// A text that hangs on no control of ours.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("no control of ours says this")]
pub(super) struct NoControl;

impl FromStr for Control {
    type Err = NoControl;

    fn from_str(text: &str) -> Result<Self, NoControl> {
        let parts: Vec<&str> = text.split(':').collect();
        let drafted = |code: &str, window: &str, revision: &str| {
            let window = window.parse().map_err(|_| NoControl)?;
            let revision = revision.parse().map_err(|_| NoControl)?;
            Ok(Drafted { code: code.to_owned(), window, revision })
        };
        match parts[..] {
            ["erase"] => Ok(Self::Erase),
            ["table", code, wish] => {
                let wish = Wish::of(wish).ok_or(NoControl)?;
                Ok(Self::Table { code: code.to_owned(), wish })
            }
            ["panel", code, window, revision, action] => {
                let action = action.parse().map_err(|_| NoControl)?;
                Ok(Self::Panel { draft: drafted(code, window, revision)?, action })
            }
            ["menu", code, window, revision, row] => {
                let row = row.parse().map_err(|_| NoControl)?;
                Ok(Self::Menu { draft: drafted(code, window, revision)?, row })
            }
            ["form", code, window, revision, action] => match action.parse() {
                Ok(Action::Write(blank)) => {
                    Ok(Self::Form { draft: drafted(code, window, revision)?, blank })
                }
                _ => Err(NoControl),
            },
            _ => Err(NoControl),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Declaration;

    #[test]
    fn a_control_reads_back_as_it_is_written_and_is_short() {
        let revision = Revision::of(12, &Declaration::default());
        let draft = Drafted { code: "ABCDE".to_owned(), window: i64::MAX, revision };
        let most = Action::Answer { question: u16::MAX, option: u16::MAX };
        for control in [
            Control::Erase,
            Control::Table { code: "ABCDE".to_owned(), wish: Wish::Again },
            Control::Panel { draft: draft.clone(), action: most },
            Control::Menu { draft: draft.clone(), row: 4 },
            Control::Form { draft: draft.clone(), blank: Blank::Question(u16::MAX) },
            Control::Form { draft, blank: Blank::Whole },
        ] {
            let text = control.to_string();
            assert_eq!(text.parse(), Ok(control), "{text}");
            assert!(text.len() <= 100, "{text}");
        }
        for text in
            ["", "table:ABCDE", "table:ABCDE:dance", "panel:A:1:0:seal", "form:A:1:00000000:seal"]
        {
            assert_eq!(text.parse::<Control>(), Err(NoControl), "{text}");
        }
    }
}
