//! How a rule is run: asked, interviewed, adjudicated, played out, kept.

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
