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

pub use crate::absence::attendance::Presence;
pub use crate::absence::away::Whereabouts;
pub use crate::absence::away::{
    absence, away, away_of, back, back_at, back_everywhere, not_away, whereabouts,
};
pub use crate::absence::delegate::{delegate, dismiss_substitute, substitute};
pub use crate::absence::reputation::Reputation;
pub use crate::absence::reputation::reputation;
pub use crate::audit::file::Heading;
pub use crate::audit::file::belief::{Belief, LeftOut};
pub use crate::audit::file::import::NotImported;
pub use crate::audit::file::import::import;
pub use crate::audit::file::line::{FileFault, Unfit};
pub use crate::audit::file::read::TableFile;
pub use crate::audit::file::verify::{NotVerified, Unpacked, Verified};
pub use crate::audit::file::write::export;
pub use crate::audit::file::write::{Extent, NotExported};
pub use crate::audit::inspect::Inspected;
pub use crate::audit::inspect::inspect;
pub use crate::audit::replay::difference::{Difference, Differs};
pub use crate::audit::replay::head::Heads;
pub use crate::audit::replay::replay;
pub use crate::audit::replay::{Replay, Replayed};
pub use crate::audit::retell::retell;
pub use crate::audit::retell::{Retold, Revealed, Seen, Step, StepKind, Validity};
pub use crate::audit::verify::verify;
pub use crate::model::desk::{Desk, NotDone};
pub use crate::model::obstacle::Obstacle;
pub use crate::model::overrides::{Gm, Judgement, Override, Verb};
pub use crate::model::people::Guest;
pub use crate::model::random::process;
pub use crate::model::struck::Struck;
pub use crate::model::vote::Vote;
pub use crate::overrides::bench::{Bench, Case, Logged, ResultPreview, RollbackTarget};
pub use crate::overrides::bench::{bench, overrides};
pub use crate::overrides::decision::{
    Audience, Because, ConfirmingDecision, Decision, Made, Rehearsal, RehearsedDecision, Remark,
    TableSnapshot,
};
pub use crate::overrides::host::{appoint, close, end, resume};
pub use crate::overrides::read::complete::{
    ArgumentForm, complete as complete_decision, complete_option as complete_decision_option,
};
pub use crate::overrides::read::misread::DecisionFault;
pub use crate::overrides::read::reader::{OverrideOptions, OverrideRequest};
pub use crate::overrides::read::words::{OverrideReply, check as check_decisions};
pub use crate::overrides::read::write::write as write_decision;
pub use crate::overrides::rehearsing::{decide, proposal, propose, rehearse};
pub use crate::overrides::show::{
    check_letters, letter_samples, log as log_of_decisions, samples as decision_samples,
};
pub use crate::overrides::taking_a_seat::take_seat;
pub use crate::overrides::vote::ballot::{Ballot, Balloted};
pub use crate::overrides::vote::ballot::{ballot, give_voice};
pub use crate::overrides::vote::propose::propose_vote;
pub use crate::overrides::vote::read::{
    VoteFault, check as check_votes, read as read_ballot, read_options as read_ballot_options,
    words_of as words_of_votes,
};
pub use crate::overrides::vote::votes;
pub use crate::person::forget::forget;
pub use crate::person::kept::personal_data;
pub use crate::person::kept::{
    ExportedDeclaration, ExportedNextDeclaration, ExportedOrders, ExportedOverride, PersonalData,
    Proposed, Written,
};
pub use crate::person::said_ahead::{OrdersWord, StandingOrders};
pub use crate::person::said_ahead::{declare_next, give_orders, orders};
pub use crate::person::settings::{person_settings, set_person};
pub use crate::person::side::write_to_side;
pub use crate::record::event::Event;
pub use crate::record::letter::LetterKind;
pub use crate::record::letter::{Letter, Part, Unwritten};
pub use crate::record::obstacle::{changes_again, meet, unbar, untold};
pub use crate::table::change::TableChange;
pub use crate::table::change::change_table;
pub use crate::table::form::{Form, Formed};
pub use crate::table::form::{form, join, join_at, leave, looks_on};
pub use crate::table::relocate::relocate;
pub use crate::table::start::start;
pub use crate::tick::Looked;
pub use crate::tick::{beat, due, look, next_due, other_clocks};
pub use crate::view::dashboard::{Dashboard, Watched};
pub use crate::view::dashboard::{dashboard, dashboard_mark};
pub use crate::view::figures::Figures;
pub use crate::view::figures::figures;
pub use crate::view::mine::mine;
pub use crate::view::mine::{LISTED, Mine, OwnList};
pub use crate::view::past::{ClosedWindowView, Past};
pub use crate::view::past::{acts, gone, has_taken_back, past};
pub use crate::view::receipts::Receipts;
pub use crate::view::receipts::receipts;
pub use crate::view::see::{PlayView, Shut, Sight};
pub use crate::view::see::{newest_of, said_before, see, see_as};
pub use crate::view::side::SideView;
pub use crate::view::side::side;
pub use crate::view::statistics::statistics;
pub use crate::view::statistics::{
    Days, Ends, GameStatistics, PersonStatistics, PlayerResult, RatedPlayer, Statistics,
    StatisticsFilter,
};
pub use crate::view::why::LastClose;
pub use crate::view::why::last_close;
pub use crate::window::act::PressedControl;
pub use crate::window::act::{act, act_by};
pub use crate::window::declare::declare;
pub use crate::window::declare::{
    DeclarationGround, DeclarationStatus, ReceivedDeclaration, Wanted,
};
pub use crate::window::remind::Current;
pub use crate::window::remind::as_of;
