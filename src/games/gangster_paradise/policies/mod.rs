//! The policies of ギャングスターパラダイス.
//!
//! - `shooter` shoots the next player whenever it can, and draws with the remaining actions.
//! - `house` plays the interest of its life: it estimates each player's side from all that it has seen,
//!   shoots the player whose loss helps its side most, and collects the cards closest to winning.
//!
//! To measure them: `shimekiri simulate gangster_paradise --policy house --seats 6 --games 10000`.

mod doings;
mod house;
mod interest;
mod shooter;

pub(super) use house::House;
pub(super) use shooter::Shooter;
