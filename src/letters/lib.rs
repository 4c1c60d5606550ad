//! Letters: everything the house says, made by templates from events, rulings and views.
//!
//! Templates lie in `templates/<game>/` and, for what is the same in every game, in
//! `templates/desk/`, for what happens at a table in `templates/table/`, and for the declaration
//! panel in `templates/panel/`. A letter's course stands there once, and beside it the words of each
//! language (`template/sources.rs`). They hold no rules and see no state; this module puts no
//! sentence together. What a template sees are the fields of a type ([`TypedLetter`]). Players' own
//! words are harmless wherever a template shows them: what is not made by a filter or a macro is
//! tamed when it is written.
//!
//! Every template sees `game`, `lang`, whether it is read as `plain` text, in a terminal, whether
//! the post of its table is `posted` below it and `pictured`; and these filters:
//!
//! | filter | of | gives |
//! | --- | --- | --- |
//! | `name` | an id | its name in the game's words; of a seat its player's |
//! | `names` | ids | their names in a row, with what they stand for where a name does not say it; what is none, and so hidden, is left out |
//! | `about` | an id | what it stands for, or what the card does, on one line |
//! | `seat` | a seat | its player's name, or else P1 and so on |
//! | `chair` | a seat | P1 and so on |
//! | `seats`, `chairs` | seats | the same of each, in a row |
//! | `counted` | a number, of what | the number with the English word, in its plural if need be |
//! | `label` | a question's key | what the question is called |
//! | `numbered` | a question's key | the same, and the how-manieth it is from the second on |
//! | `part` | a question's key | what the part is called to which it belongs |
//! | `value` | an answer | the answer as a declaration writes it, such as 大×1 中×2 |
//! | `meaning` | an answer | what it stands for, where its name does not say it, such as of 3A |
//! | `typed` | a text | the same, with what is typed between marks of quotation where nothing draws it otherwise |
//! | `kind` | an event, outcome, reason | the macro that tells it |
//! | `when` | a time, or a [`Moment`] | the words of `desk/times.md` for it |
//! | `until` | a time | the same where it ends a stretch of days |
//! | `ping`, `channel` | an id of Discord's | a mention of a person, a link to a channel |
//! | `duration` | milliseconds | the words of `desk/times.md` for it |
//!
//! A game's `board.svg`, which draws its table, is given where everything stands (`laid_out`); its `scores.html`
//! is the table of its scores, for the page.

mod absence;
mod calls;
mod captions;
mod checking;
mod decision;
mod decisions;
pub mod discord;
mod mine;
mod pace;
pub mod panel;
pub mod picture;
mod receipts;
mod refused;
mod rulebook;
mod rules;
mod settings;
mod side;
pub mod story;
mod table;
pub mod template;
#[cfg(test)]
mod test_pace;
mod thrown;
mod verified;
mod votes;
mod write;

pub use crate::absence::{AbsenceInWords, Home, declared_answers, open_questions};
pub use crate::calls::{Sought, WhoIsAway};
pub use crate::captions::{Caption, DraftView, PANEL, PanelQuestion};
pub use crate::decision::{Move, ShownDecision};
pub use crate::decisions::{
    AppointedGm, ChangedLine, Changes, Decided, Deciding, DecisionLog, DeclaredLine,
    DroppedDecision, LoggedDecision, MadeDecision, PreviewHeading, changed_lines, changes_beside,
};
pub use crate::mine::{
    AboutTable, OwnSettings, OwnTable, OwnTables, SettingsMisread, WatchedTable, WatchedTables,
};
pub use crate::pace::{PaceInWords, samples as sample_paces};
pub use crate::receipts::{OwnReceipt, OwnReceipts, ReceiptLine, SealedThen};
pub use crate::refused::{
    AbsenceRefused, DeclarationRefused, KeepingRefused, OverrideRefused, Refused, SeatRefused,
    StartRefused, VoteRefused,
};
pub use crate::rules::{ChapterLink, Named, RulesShown};
pub use crate::settings::{Editable, OptionLine, OptionMisfit, Settings};
pub use crate::side::{PartnerShown, SideLineShown, SideShown};
pub use crate::table::{
    Behind, ClosePreview, EarlyClose, EndPreview, FormingTable, Goodbye, HostLeaves, HostName,
    MixedIn, SealProgress, SealedCount, SeatProgress, ShutWindow, StandsStill, StoppedBy, Unseated,
    WhyClosed, WhyOpen, WindowProgress,
};
pub use crate::template::letters::{DESK, DISCORD, LetterFault, Letters, Sample, TABLE};
pub use crate::template::letters::{bare_environment, follow};
pub use crate::template::picture::{PictureRoom, Typeface, Widths};
pub use crate::template::reader::plain;
pub use crate::template::reader::{Beside, Reader};
pub use crate::template::sources::in_one_language;
pub use crate::template::typed::TypedLetter;
pub use crate::template::views::{Moment, UnreadPiece};
pub use crate::verified::{MixedValue, PlayedAgain, PostedHead, TouchedWindow};
pub use crate::votes::{
    Ballots, OwnVoiceAlone, PutToTheVote, Spent, TooMuch, Voice, VoteTally, Voting,
};
pub use crate::write::{
    ClosingTimes, Echoed, FaultLines, FinalScores, HELPED, HelpOn, LinesOfState,
    NextDeclarationShown, NoSuchWord, OrdersShown, OwnHand, PictureText, RulingLine, SaidAgain,
    SidePlan, SureToAct, UnreadLines, WholeBoard, WindowName, WindowOpening, WindowResult,
};
pub use checking::samples;

use crate::template::typed::LetterForm;

/// The form of every letter but what happens at a table.
pub(crate) fn forms() -> impl Iterator<Item = &'static LetterForm> {
    let all = [
        absence::LETTERS,
        absence::LINES,
        calls::LETTERS,
        decisions::LETTERS,
        discord::LETTERS,
        mine::LETTERS,
        pace::LETTERS,
        pace::LINES,
        captions::LETTERS,
        receipts::LETTERS,
        refused::LETTERS,
        rules::LETTERS,
        settings::LETTERS,
        settings::MISFITS,
        side::LETTERS,
        table::LETTERS,
        table::TABLE_LETTERS,
        table::WHY_LETTERS,
        thrown::LETTERS,
        verified::LETTERS,
        votes::LETTERS,
        write::LETTERS,
        write::DESK_LETTERS,
    ];
    all.into_iter().flatten()
}
