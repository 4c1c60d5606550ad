//! Commits and statements that several pieces of work share. The other rooms of the store write a plain
//! statement about one table each, and know nothing of this one.
//!
//! | mechanism | module | gain (`docs/figures.md`) |
//! | --- | --- | --- |
//! | Work that arrives during a commit shares the next one. | [`writer`] | 14 sealings and 18 resolved tables in a commit on SQLite, where an insert committed alone costs as much as eight in a commit of 64 |
//! | The rows of a kind of all tables are written by one statement, when the next statement could depend on them. | [`unsaved`] | 0.6 statements a sealing on SQLite, and 7 on PostgreSQL, where each piece of work has a transaction of its own |
//! | The tables of a commit are touched together, and their windows read by one statement, before the work begins. | [`whole_window`] | 0.8 statements a resolved table on SQLite, and 15 on PostgreSQL |
//! | A table that was read a moment ago is read again only if it has been touched since. | [`whole_window`] | one statement a sealing on PostgreSQL |
//! | Tables that are asked for during such a reading are read by the next, together. | [`writer`] | one statement for all declarations that arrive together |

pub(crate) mod unsaved;
pub(crate) mod whole_window;
pub(crate) mod writer;
