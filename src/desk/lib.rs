//! The desk: everything that happens at a table, each decision in one transaction.
//!
//! Nothing is decided outside of a transaction, and nothing is sent inside of one: the letters about a
//! decision go into the outbox together with it. Each action is a piece of [`Work`](store::Work) in a file of
//! its own. The caller passes the time.

mod absence;
mod audit;
pub mod clock;
pub mod commands;
pub mod conversation;
pub mod counts;
pub mod courier;
pub mod health;
mod model;
mod overrides;
pub mod page;
mod person;
mod record;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod tick;
mod view;
mod window;

pub use crate::absence::away::{
    Whereabouts, absence, away, away_of, back, back_at, back_everywhere, delegate,
    dismiss_substitute, not_away, substitute, whereabouts,
};
pub use crate::absence::reputation::{Reputation, reputation};
pub use crate::audit::file::import::{
    Belief, LeftOut, NotImported, NotVerified, Unpacked, Verified, import,
};
pub use crate::audit::file::{Extent, FileFault, Heading, NotExported, TableFile, Unfit, export};
pub use crate::audit::replay::difference::{Difference, Differs, Heads};
pub use crate::audit::replay::{Replay, Replayed, replay};
pub use crate::audit::retell::{Retold, Revealed, Seen, Step, StepKind, Validity, retell};
pub use crate::audit::verify::{Inspected, inspect, verify};
pub use crate::model::overrides::{Gm, Judgement, Override, Verb};
pub use crate::model::random::process;
pub use crate::model::{Contact, Desk, NotDone, Obstacle, Struck, Vote};
pub use crate::overrides::ballot::{
    Ballot, Balloted, VoteFault, ballot, check as check_votes, give_voice, propose_vote,
    read as read_ballot, read_options as read_ballot_options, words_of as words_of_votes,
};
pub use crate::overrides::decision::{
    Audience, Because, ConfirmingDecision, Decision, MadeOverride, Rehearsal, RehearsedDecision,
    Remark, TableSnapshot,
};
pub use crate::overrides::gm_view::{
    GmView, JudgedWindow, LoggedOverride, OverrideReply, ResultPreview, RollbackTarget,
    check as check_decisions, gm_view, overrides,
};
pub use crate::overrides::host::{appoint, close, end, resume, take_seat};
pub use crate::overrides::making::{decide, proposal, propose, rehearse};
pub use crate::overrides::read::reader::{
    ArgumentForm, DecisionFault, OverrideOptions, OverrideRequest, complete as complete_decision,
    complete_option as complete_decision_option, write as write_decision,
};
pub use crate::overrides::show::{
    check_letters, letter_samples, log as log_of_decisions, samples as decision_samples,
};
pub use crate::overrides::vote::votes;
pub use crate::person::kept::{forget, person_settings, personal_data, rename, set_person};
pub use crate::person::said_ahead::{
    OrdersWord, StandingOrders, declare_next, give_orders, orders, write_to_side,
};
pub use crate::record::event::Event;
pub use crate::record::letter::{Letter, LetterKind, Part, Unwritten};
pub use crate::record::obstacle::{changes_again, meet, unbar, untold};
pub use crate::table::form::{
    Form, Formed, TableChange, change_table, form, join, join_at, leave, looks_on, relocate,
};
pub use crate::table::start::start;
pub use crate::tick::{TickOutcome, beat, due, look, next_due, other_clocks};
pub use crate::view::dashboard::{
    Dashboard, LISTED, Mine, OwnList, Watched, dashboard, dashboard_mark, mine,
};
pub use crate::view::past::{
    PastResult, Receipts, acts, gone, has_taken_back, last_close, past, receipts,
};
pub use crate::view::see::{
    PendingResult, PlayView, SideView, Sight, newest_of, said_before, see, see_as, side,
};
pub use crate::view::statistics::{
    Days, Ends, Figures, GameStatistics, PersonStatistics, PlayerResult, RatedPlayer, Statistics,
    StatisticsFilter, figures, statistics,
};
pub use crate::window::act::{PressedControl, act, act_by};
pub use crate::window::declare::{
    DeclarationGround, DeclarationStatus, ReceivedDeclaration, StandstillRequest, declare,
};
pub use crate::window::remind::{Current, as_of};
