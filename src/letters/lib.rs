//! Letters: all texts of the program, written by templates from events, rulings and views.
//!
//! The folder `templates/<game>/` has the templates of a game, `templates/desk/` those shared by all games,
//! `templates/table/` those of events at a table, and `templates/panel/` those of the declaration panel. The
//! structure of a letter is written once, next to the words of each language (`template/sources.rs`).
//! Templates hold no rules and see no state; this module puts no sentence together. A template sees the
//! fields of a type ([`TypedLetter`]). Players' own words are harmless wherever a template shows them: any
//! output that is not made by a filter or a macro is tamed when it is written.
//!
//! Every template sees `game`, `lang`, `plain` (true for plain text, in a terminal), `posted` (true if the
//! post of the table follows below) and `pictured` (true if the post has a picture); and these filters:
//!
//! | filter | of | gives |
//! | --- | --- | --- |
//! | `name` | an id | its name in the game's words; of a seat its player's |
//! | `names` | ids | their names in a row, each with its meaning if the name does not say it; hidden ids (none) are left out |
//! | `about` | an id | the meaning of a piece, or the effect of a card, on one line |
//! | `seat` | a seat | its player's name, or else P1 and so on |
//! | `chair` | a seat | P1 and so on |
//! | `seats`, `chairs` | seats | the output of `seat` or `chair` for each, in a row |
//! | `counted` | a number, of what | the number with the English word, in its plural if need be |
//! | `label` | a question's key | the label of the question |
//! | `numbered` | a question's key | the label, with the number of its occurrence from the second on |
//! | `part` | a question's key | the label of the part of the question |
//! | `value` | an answer | the answer as a declaration writes it, such as 大×1 中×2 |
//! | `meaning` | an answer | the meaning of the answer, if its name does not say it, such as of 3A |
//! | `typed` | a text | the text, with input to type in quotation marks if nothing formats code |
//! | `kind` | an event, outcome, reason | the name of its macro |
//! | `when` | a time, or a [`Moment`] | the words of `desk/times.md` for it |
//! | `until` | a time | the words for the end of a period of days |
//! | `ping`, `channel` | an id of Discord's | a mention of a person, a link to a channel |
//! | `duration` | milliseconds | the words of `desk/times.md` for it |
//!
//! A game's `board.svg`, which draws its table, is given the layout by `laid_out`; its `scores.html` is the
//! table of its scores, for the page.

mod captions;
mod checking;
mod decision;
mod decisions;
pub mod discord;
pub mod panel;
pub mod picture;
mod receipts;
mod refused;
mod rulebook;
mod rules;
mod settings;
pub mod story;
mod table;
pub mod template;
#[cfg(test)]
mod test_pace;
mod write;

use crate::template::typed::LetterForm;

pub use crate::captions::{Caption, DraftView, PANEL, PanelQuestion};
pub use crate::checking::samples;
pub use crate::decision::{Move, ShownDecision};
pub use crate::decisions::{
    AppointedGm, Ballots, ChangedLine, Changes, Decided, Deciding, DecisionLog, DeclaredLine,
    DroppedDecision, LoggedDecision, MadeDecision, OwnVoiceAlone, PreviewHeading, PutToTheVote,
    Spent, TooMuch, Voice, VoteTally, Voting, changed_lines, changes_beside,
};
pub use crate::receipts::{
    MixedValue, OwnReceipt, OwnReceipts, PlayedAgain, PostedHead, ReceiptLine, SealedThen,
    TouchedWindow,
};
pub use crate::refused::{
    AbsenceRefused, DeclarationRefused, KeepingRefused, OverrideRefused, Refused, SeatRefused,
    StartRefused, VoteRefused,
};
pub use crate::rules::{ChapterLink, Named, RulesShown, asks_for_all};
pub use crate::settings::{
    Editable, OptionIdle, OptionLine, OptionMisfit, OptionsMisread, PaceInWords, Settings,
};
pub use crate::table::{
    AboutTable, AbsenceInWords, Behind, ClosePreview, EarlyClose, EndPreview, EndedWindow,
    FormingTable, Goodbye, Home, HostLeaves, HostName, MixedIn, OwnSettings, OwnTable, OwnTables,
    PartnerShown, Presence, SealProgress, SealedCount, SeatProgress, SettingsMisread, ShutWindow,
    SideLineShown, SideShown, Sought, StandsStill, StoppedBy, Unseated, WatchedTable,
    WatchedTables, WhoIsAway, WhyClosed, WhyOpen, WindowProgress, declared_answers, open_questions,
};
pub use crate::template::letters::{
    DESK, DISCORD, LetterFault, Letters, Result, Sample, TABLE, bare_environment, follow,
    in_one_language,
};
pub use crate::template::picture::{PictureRoom, Typeface, Widths};
pub use crate::template::reader::{Beside, Reader, plain};
pub use crate::template::typed::TypedLetter;
pub use crate::template::views::{Moment, UnreadPiece};
pub use crate::write::{
    CheckedDeck, ClosingTimes, Echoed, FaultLines, FinalScores, HELPED, HelpOn, LinesOfState,
    NextDeclarationShown, NoSuchWord, OrdersShown, OwnHand, PictureText, RulingLine, SaidAgain,
    SidePlan, SureToAct, UnreadLines, WholeBoard, WindowName, WindowOpening, WindowResult,
    WithdrawnParts,
};

/// Returns the forms of all letters except those of events at a table.
pub(crate) fn forms() -> impl Iterator<Item = &'static LetterForm> {
    let all = [
        captions::LETTERS,
        decisions::LETTERS,
        discord::LETTERS,
        receipts::LETTERS,
        refused::LETTERS,
        rules::LETTERS,
        settings::LETTERS,
        settings::DESK_LETTERS,
        settings::LINES,
        table::LETTERS,
        table::LINES,
        table::TABLE_LETTERS,
        write::LETTERS,
        write::DESK_LETTERS,
    ];
    all.into_iter().flatten()
}
