//! Letters: everything the house says, made by templates from events, rulings and views.
//!
//! Templates lie in `templates/<game>/<lang>/` and, for what is the same in every game, in
//! `templates/desk/<lang>/`, for what happens at a table in `templates/table/<lang>/`, and for the
//! declaration panel in `templates/panel/<lang>/`. They hold no rules and see no state; this module
//! puts no sentence together. Players' own words are harmless wherever a template shows them: what is not made by
//! a filter or a macro is tamed when it is written.
//!
//! Every template sees `game`, `lang`, whether it is read as `plain` text, in a terminal, whether
//! the post of its table is `posted` below it and `pictured`; and these filters:
//!
//! | filter | of | gives |
//! | --- | --- | --- |
//! | `name` | an id | its name in the game's words; of a seat its player's |
//! | `names` | ids | their names in a row, with what they stand for where a name does not say it; what is none, and so hidden, is left out |
//! | `seat` | a seat | its player's name, or else P1 and so on |
//! | `chair` | a seat | P1 and so on |
//! | `label` | a question's key | what the question is called |
//! | `numbered` | a question's key | the same, and the how-manieth it is from the second on |
//! | `part` | a question's key | what the part is called to which it belongs |
//! | `value` | an answer | the answer as a declaration writes it, such as 大×1 中×2 |
//! | `meaning` | an answer | what it stands for, where its name does not say it, such as of 3A |
//! | `typed` | a text | the same, with what is typed between marks of quotation where nothing draws it otherwise |
//! | `kind` | an event, outcome, reason | the macro that tells it |
//! | `when` | a time, or a [`Moment`] | the words of `desk/<lang>/times.md` for it |
//! | `until` | a time | the same where it ends a stretch of days |
//! | `ping`, `channel` | an id of Discord's | a mention of a person, a link to a channel |
//! | `duration` | milliseconds | the words of `desk/<lang>/times.md` for it |
//!
//! A game's `board.svg`, which draws its table, also sees those of [`Typeface`]; its `scores.html`
//! is the table of its scores, for the page.

mod absence;
mod calls;
mod checking;
pub mod decrees;
mod mine;
mod pace;
mod panel;
mod receipts;
mod refused;
mod rulebook;
mod rules;
mod settings;
mod table;
mod template;
#[cfg(test)]
mod test_pace;
mod thrown;
mod verified;
mod votes;
mod write;

pub use crate::letters::absence::open_questions;
pub use crate::letters::decrees::{
    ChangedLine, Changes, DeclaredLine, Decree, DecreeOf, Move, changed_lines, changes_beside,
};
pub use crate::letters::mine::{OwnTable, WatchedTable};
pub use crate::letters::panel::{Caption, DraftView, PANEL, PanelQuestion};
pub use crate::letters::receipts::{Given, OwnReceipt};
pub use crate::letters::refused::Refused;
pub use crate::letters::rules::{ChapterLink, Named, RulesShown};
pub use crate::letters::settings::{Editable, OptionLine, Settings};
pub use crate::letters::table::{
    Behind, ClosePreview, EndPreview, FormingTable, Goodbye, MixedIn, SealProgress, SealedCount,
    SeatProgress, WindowProgress,
};
pub(crate) use crate::letters::template::harmless::plain;
pub(crate) use crate::letters::template::letters::bare_environment;
pub use crate::letters::template::letters::{DESK, DISCORD, LetterFault, Letters, Sample, TABLE};
pub use crate::letters::template::picture::{PictureRoom, Typeface, Widths};
pub use crate::letters::template::reader::{Beside, Reader};
pub use crate::letters::template::views::Moment;
pub use crate::letters::verified::{MixedValue, PlayedAgain, PostedHead, TouchedWindow};
pub use crate::letters::votes::{Ballots, Spent, VoteTally};
pub use crate::letters::write::{
    ClosingTimes, Echo, UnreadPiece, WindowName, WindowOpening, WindowResult,
};
pub use checking::samples;
