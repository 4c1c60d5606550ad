//! What a game master decides.
//!
//! An override is rehearsed before it is made: the very work that would be done is done and undone
//! again, and what would be different then is shown. It has a reason, an entry in the log and one in
//! the journal, and can itself be undone as long as nothing else has followed from it. Nothing that
//! was is ever changed: a window that is asked or resolved again is a window of its own.

pub(crate) mod bench;
pub(crate) mod calls;
pub(crate) mod deciding;
pub(crate) mod decision;
pub(crate) mod edit;
pub(crate) mod history;
pub(crate) mod host;
pub(crate) mod image;
pub(crate) mod in_words;
pub(crate) mod judge;
pub(crate) mod making;
pub(crate) mod read;
pub(crate) mod rehearsing;
pub(crate) mod seats;
pub(crate) mod settings;
pub(crate) mod show;
pub(crate) mod spent;
pub(crate) mod taking_a_seat;
pub(crate) mod taking_back;
pub(crate) mod telling;
pub(crate) mod vote;
pub(crate) mod windows;
