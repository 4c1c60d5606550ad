//! The engine, which runs rules: it asks, interviews, adjudicates, plays out and saves.

pub mod acting;
pub mod adjudication;
pub mod ask;
pub(crate) mod asking;
pub mod contest;
pub(crate) mod deciding;
pub(crate) mod falling_back;
pub(crate) mod imagining;
pub mod interview;
pub(crate) mod orders;
pub mod playout;
pub mod referee;
pub(crate) mod repeated;
pub(crate) mod reserves;
pub mod throwing;
