//! The engine under every game: rules are functions that ask.
//!
//! It does no input or output, reads no clock, and knows no game. A rule is written once and
//! runs as [`mod@interview`], as [`adjudication`] and as [`playout`]; the [`referee`] is what
//! differs. Nothing here makes a sentence for players: it gives keys, ids, outcomes and clauses.

pub mod acting;
pub mod adjudication;
pub mod ask;
mod asking;
pub mod clause;
pub mod contest;
mod deciding;
pub mod declaration;
pub mod dice;
pub mod game;
pub mod interview;
pub mod playout;
pub mod press;
pub mod question;
pub mod random;
pub mod receipt;
pub mod record;
pub mod referee;
pub mod ruling;
pub mod saved;
pub mod seat;
pub mod text;
pub mod throwing;
pub mod window;
pub mod witness;

#[cfg(test)]
mod test_decided;
#[cfg(test)]
pub(crate) mod test_game;
#[cfg(test)]
mod test_saved;

pub use acting::Act;
pub use adjudication::{Adjudicated, Answers, Turnout};
pub use ask::{Ask, Bar, Offer, Picks, Pieces, Reply};
pub use clause::Clause;
pub use contest::Contest;
pub use declaration::{Answer, Declaration, Value};
pub use dice::{Dice, Label};
pub use game::{Game, Place, Policy, Procedure, Viewer};
pub use interview::{Asked, Interview, interview};
pub use press::Press;
pub use question::{Denomination, Key, Piece, Question, Shape, Suppose};
pub use receipt::Receipt;
pub use record::{Entry, Item, Record};
pub use referee::{Play, Referee};
pub use ruling::{Fault, Outcome, Reason, Ruling};
pub use saved::{LoadError, Saved};
pub use seat::{BySeat, Seat};
pub use throwing::{Faces, Thrown};
pub use window::Sealing;
pub use witness::{Cast, Fell, Witness};
