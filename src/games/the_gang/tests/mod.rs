//! ザ・ギャング, rule by rule.

mod amend;
mod game;
mod play;
mod ranking;
