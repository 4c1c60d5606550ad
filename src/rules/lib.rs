//! The engine under every game: rules are functions that ask.
//!
//! The crate does no input or output, reads no clock, and knows no game. A rule is written once and runs as
//! [`mod@interview`], as [`adjudication`] and as [`playout`], which differ in their [`referee`]. The crate
//! makes no sentences for players, only keys, ids, outcomes and clauses.

mod columns;
pub mod data;
pub mod dice;
mod engine;
pub mod receipt;
pub mod text;
mod vocabulary;

pub use crate::dice::{Cast, Dice, Faces, Fell, Label, Witness};
pub use crate::engine::acting::Press;
pub use crate::engine::adjudication::{Adjudicated, Answers, Turnout};
pub use crate::engine::ask::{Ask, Bar, Offer, Picks, Pieces, Reply};
pub use crate::engine::contest::{Contest, LoadError, Saved};
pub use crate::engine::interview::{
    Asked, Forms, HeldInReserve, Interview, SealWarning, interview,
};
pub use crate::engine::orders::{StillStanding, said_again, still_standing, tidy};
pub use crate::engine::referee::{Play, Referee};
pub use crate::engine::throwing::Thrown;
pub use crate::engine::{
    acting, adjudication, ask, contest, interview, playout, referee, throwing,
};
pub use crate::receipt::Receipt;
pub use crate::vocabulary::game::{Game, ItemCounter, Place, Policy, Procedure};
pub use crate::vocabulary::question::{
    Act, Answer, Clause, Declaration, Denomination, Key, Piece, Question, Shape, Suppose, TextForm,
    Value,
};
pub use crate::vocabulary::record::{
    Entry, Fault, Item, ListFault, Outcome, Reason, Record, Ruling,
};
pub use crate::vocabulary::seat::{BySeat, Seat, Side, Viewer};
pub use crate::vocabulary::window::{Round, Sealing, WindowKind};
pub use crate::vocabulary::{game, question, record, seat, window};
