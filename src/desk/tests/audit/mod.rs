//! Accounts of tables in retrospect, checked against the record.

mod replay;
mod retell;
mod statistics;
mod verify;
