//! Shimekiri (締切): a play-by-post game master.
//!
//! `ARCHITECTURE.md` has the map and the invariants; `rules` is the place to begin.

pub mod clock;
pub mod commands;
pub mod config;
pub mod conversation;
pub mod counts;
pub mod courier;
pub mod data;
pub mod desk;
pub mod discord;
pub mod games;
pub mod health;
pub mod ids;
pub mod letters;
pub mod page;
pub mod panel;
pub mod picture;
pub mod rules;
pub mod store;
pub mod story;
pub mod tables;
pub mod terminal;
pub mod time;
mod whole_file;
