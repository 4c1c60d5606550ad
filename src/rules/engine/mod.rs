//! How a rule is run: asked, interviewed, adjudicated, played out, kept.

pub mod acting;
pub mod adjudication;
pub mod ask;
pub(in crate::rules) mod asking;
pub mod contest;
pub(in crate::rules) mod deciding;
pub(in crate::rules) mod falling_back;
pub(in crate::rules) mod imagining;
pub mod interview;
pub(in crate::rules) mod orders;
pub mod playout;
pub mod referee;
pub(in crate::rules) mod repeated;
pub(in crate::rules) mod reserves;
#[cfg(test)]
pub(in crate::rules) mod test_decided;
#[cfg(test)]
pub(in crate::rules) mod test_frames;
#[cfg(test)]
pub(crate) mod test_game;
#[cfg(test)]
pub(in crate::rules) mod test_plans;
#[cfg(test)]
pub(in crate::rules) mod test_reserves;
#[cfg(test)]
pub(in crate::rules) mod test_saved;
#[cfg(test)]
pub(crate) mod test_stages;
pub mod throwing;
