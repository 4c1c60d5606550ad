//! The engine under every game: rules are functions that ask.
//!
//! The crate does no input or output, reads no clock, and knows no game. A rule is written once and runs as
//! [`mod@interview`], as [`adjudication`] and as [`playout`], which differ in their [`referee`]. The crate
//! makes no sentences for players, only keys, ids, outcomes and clauses.

mod chance;
mod columns;
pub mod data;
mod engine;
pub mod text;
mod vocabulary;

pub use crate::chance::dice::Dice;
pub use crate::chance::die::{Faces, Label};
pub use crate::chance::receipt::Receipt;
pub use crate::chance::witness::{Cast, Fell, Witness};
pub use crate::engine::adjudication::{Adjudicated, Answers, Turnout};
pub use crate::engine::ask::{Ask, Bar, Offer, Picks, Pieces, Reply};
pub use crate::engine::contest::{Contest, LoadError, Saved};
pub use crate::engine::interview::{Asked, HeldInReserve, Interview, SealWarning, interview};
pub use crate::engine::referee::{Play, Referee};
pub use crate::engine::repeated::{StillStanding, said_again, still_standing, tidy};
pub use crate::engine::throwing::Thrown;
pub use crate::vocabulary::clause::Clause;
pub use crate::vocabulary::declaration::{Act, Answer, Declaration, Value};
pub use crate::vocabulary::game::{Game, Place, Policy, Procedure};
pub use crate::vocabulary::press::Press;
pub use crate::vocabulary::question::{
    Denomination, Key, Piece, Question, Shape, Suppose, TextForm,
};
pub use crate::vocabulary::record::{Entry, Item, Record};
pub use crate::vocabulary::round::Round;
pub use crate::vocabulary::ruling::{Fault, ListFault, Outcome, Reason, Ruling};
pub use crate::vocabulary::seat::{BySeat, Seat, Side, Viewer};
pub use crate::vocabulary::window::{Sealing, WindowKind};
pub use chance::{dice, random, receipt, witness};
pub use engine::{acting, adjudication, ask, contest, interview, playout, referee, throwing};
pub use vocabulary::{
    clause, declaration, game, press, question, record, round, ruling, seat, window,
};
