//! The engine, which runs rules: it asks, interviews, adjudicates, plays out and saves.

pub mod acting;
pub mod adjudication;
pub mod ask;
pub(crate) mod asking;
pub mod contest;
pub mod interview;
pub(crate) mod orders;
pub mod playout;
pub mod referee;
pub(crate) mod reserves;
pub mod throwing;

use crate::engine::ask::Choice;
use crate::engine::contest::Resolution;
use crate::engine::referee::{Halt, Run};
