//! Who plays ギャングスターパラダイス without a person.
//!
//! - `shooter` shoots the next player whenever it can, and draws with what actions are left.
//! - `house` plays the interest of its life: it reckons from all that it has seen who is on which
//!   side, shoots whom its side is better without, and collects what is nearest to winning.
//!
//! How well they do: `shimekiri simulate gangster_paradise --policy house --seats 6 --games 10000`.

mod doings;
mod house;
mod interest;
mod shooter;

pub(super) use house::House;
pub(super) use shooter::Shooter;
