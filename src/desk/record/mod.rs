//! The journal of a table, and the letters about it.

pub(crate) mod event;
pub(crate) mod letter;
pub(crate) mod notice;
pub(crate) mod obstacle;
pub(crate) mod values;

pub(crate) use crate::record::event::{
    Event, History, JournalEvent, Lineage, Secrecy, Undone, drafts_hash, record, sealed_hashes,
};
pub(crate) use crate::record::letter::{ACT, Letter, OPENING, Part};
pub(crate) use crate::record::notice::{
    Call, News, Notice, announcement, hold, opening, opening_now, standing_still,
};
pub(crate) use crate::record::values::{Brings, BroughtValues, CARRIED, identified, reseat};
