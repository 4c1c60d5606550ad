//! The engine under every game: rules are functions that ask.
//!
//! It does no input or output, reads no clock, and knows no game. A rule is written once and
//! runs as [`mod@interview`], as [`adjudication`] and as [`playout`]; the [`referee`] is what
//! differs. Nothing here makes a sentence for players: it gives keys, ids, outcomes and clauses.

mod chance;
mod engine;
pub mod text;
mod vocabulary;

pub use crate::rules::chance::dice::Dice;
pub use crate::rules::chance::die::{Faces, Label};
pub use crate::rules::chance::receipt::Receipt;
pub use crate::rules::chance::witness::{Cast, Fell, Witness};
pub use crate::rules::engine::adjudication::{Adjudicated, Answers, Turnout};
pub use crate::rules::engine::ask::{Ask, Bar, Offer, Picks, Pieces, Reply};
pub use crate::rules::engine::contest::{Contest, LoadError, Saved};
pub use crate::rules::engine::interview::{
    Asked, HeldInReserve, Interview, SealWarning, interview,
};
pub use crate::rules::engine::referee::{Play, Referee};
pub use crate::rules::engine::repeated::{StillStanding, said_again, still_standing, tidy};
pub use crate::rules::engine::throwing::Thrown;
pub use crate::rules::vocabulary::clause::Clause;
pub use crate::rules::vocabulary::declaration::{Act, Answer, Declaration, Value};
pub use crate::rules::vocabulary::game::{Game, Place, Policy, Procedure};
pub use crate::rules::vocabulary::press::Press;
pub use crate::rules::vocabulary::question::{Denomination, Key, Piece, Question, Shape, Suppose};
pub use crate::rules::vocabulary::record::{Entry, Item, Record};
pub use crate::rules::vocabulary::round::Round;
pub use crate::rules::vocabulary::ruling::{Fault, Outcome, Reason, Ruling};
pub use crate::rules::vocabulary::seat::{BySeat, Seat, Viewer};
pub use crate::rules::vocabulary::window::{Sealing, WindowKind};
pub use chance::{dice, random, receipt, witness};
pub use engine::{acting, adjudication, ask, contest, interview, playout, referee, throwing};
#[cfg(test)]
pub(crate) use engine::{test_game, test_stages};
pub use vocabulary::{
    clause, declaration, game, press, question, record, round, ruling, seat, window,
};
