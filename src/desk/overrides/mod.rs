//! What a game master decides.
//!
//! An override is rehearsed before it is made: the very work that would be done is done and undone
//! again, and what would be different then is shown. It has a reason, an entry in the log and one in
//! the journal, and can itself be undone as long as nothing else has followed from it. Nothing that
//! was is ever changed: a window that is asked or resolved again is a window of its own.

pub(in crate::desk) mod bench;
pub(in crate::desk) mod calls;
pub(in crate::desk) mod deciding;
pub(in crate::desk) mod decision;
pub(in crate::desk) mod edit;
pub(in crate::desk) mod history;
pub(in crate::desk) mod host;
pub(in crate::desk) mod image;
pub(in crate::desk) mod judge;
pub(in crate::desk) mod read;
pub(in crate::desk) mod rehearsing;
pub(in crate::desk) mod seats;
pub(in crate::desk) mod settings;
pub(in crate::desk) mod show;
pub(in crate::desk) mod spent;
pub(in crate::desk) mod taking_back;
pub(in crate::desk) mod telling;
pub(in crate::desk) mod vote;
pub(in crate::desk) mod windows;
