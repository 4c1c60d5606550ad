//! The desk: everything that happens at a table, decided in one transaction each.
//!
//! Nothing is decided outside of a transaction, and nothing is sent inside of one: what people are
//! to be told goes into the outbox with the decision itself. Each thing that can be done is a
//! piece of [`Work`](crate::store::Work) in a file of its own. Times come from outside.

mod absence;
mod audit;
mod model;
mod overrides;
mod person;
mod record;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod tick;
mod view;
mod window;

pub use crate::desk::absence::attendance::Presence;
pub use crate::desk::absence::away::Whereabouts;
pub use crate::desk::absence::reputation::Reputation;
pub use crate::desk::audit::file::Heading;
pub use crate::desk::audit::file::belief::{Belief, LeftOut};
pub use crate::desk::audit::file::import::NotImported;
pub use crate::desk::audit::file::line::{FileFault, Unfit};
pub use crate::desk::audit::file::read::TableFile;
pub use crate::desk::audit::file::verify::{NotVerified, Unpacked, Verified};
pub use crate::desk::audit::file::write::{Extent, NotExported};
pub use crate::desk::audit::inspect::Inspected;
pub use crate::desk::audit::replay::difference::{Difference, Differs};
pub use crate::desk::audit::replay::head::Heads;
pub use crate::desk::audit::replay::{Replay, Replayed};
pub use crate::desk::audit::retell::{Retold, Revealed, Seen, Step, StepKind, Validity};
pub use crate::desk::model::desk::{Desk, NotDone};
pub use crate::desk::model::obstacle::Obstacle;
pub use crate::desk::model::overrides::{Gm, Judgement, Override, Verb};
pub use crate::desk::model::people::Guest;
pub use crate::desk::model::random::process;
pub use crate::desk::model::struck::Struck;
pub use crate::desk::model::vote::Vote;
pub use crate::desk::overrides::bench::{Bench, Case, Logged, ResultPreview, RollbackTarget};
pub use crate::desk::overrides::decision::{
    Audience, Because, ConfirmingDecision, Decision, Made, Rehearsal, RehearsedDecision, Remark,
    TableSnapshot,
};
pub use crate::desk::overrides::read::complete::{
    ArgumentForm, complete as complete_decision, complete_option as complete_decision_option,
};
pub use crate::desk::overrides::read::misread::DecisionFault;
pub use crate::desk::overrides::read::reader::{OverrideOptions, OverrideRequest};
pub use crate::desk::overrides::read::words::{OverrideReply, check as check_decisions};
pub use crate::desk::overrides::read::write::write as write_decision;
pub use crate::desk::overrides::show::{
    check_letters, letter_samples, log as log_of_decisions, samples as decision_samples,
};
pub use crate::desk::overrides::vote::ballot::{Ballot, Balloted};
pub use crate::desk::overrides::vote::propose::Motion;
pub use crate::desk::overrides::vote::read::{
    VoteFault, check as check_votes, read as read_ballot, read_options as read_ballot_options,
    words_of as words_of_votes,
};
pub use crate::desk::person::kept::{
    ExportedDeclaration, ExportedNextDeclaration, ExportedOrders, ExportedOverride, PersonalData,
    Proposed, Written,
};
pub use crate::desk::person::said_ahead::{OrdersWord, StandingOrders};
pub use crate::desk::record::event::Event;
pub(crate) use crate::desk::record::letter::LetterKind;
pub use crate::desk::record::letter::{Letter, Part, Unwritten};
pub use crate::desk::table::change::TableChange;
pub use crate::desk::table::form::{Form, Formed};
pub use crate::desk::tick::Looked;
pub use crate::desk::view::dashboard::{Dashboard, Watched};
pub use crate::desk::view::figures::Figures;
pub use crate::desk::view::mine::Mine;
pub use crate::desk::view::receipts::Receipts;
pub use crate::desk::view::see::{ClosedWindowView, Past, PlayView, Shut, Sight};
pub use crate::desk::view::statistics::{
    Days, Ends, GameStatistics, PersonStatistics, PlayerResult, RatedPlayer, Statistics,
    StatisticsFilter,
};
pub use crate::desk::view::why::LastClose;
pub use crate::desk::window::declare::{
    DeclarationGround, DeclarationStatus, ReceivedDeclaration, Wanted,
};
pub use crate::desk::window::remind::Current;
