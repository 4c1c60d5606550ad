//! Who plays ザ・ギャング without a person. Neither hints at anything but by chips, and both mean
//! by more stars a stronger hand, so that people can read them.
//!
//! - `percentile` looks at its own hand: the share of all pockets that it beats now. Where several
//!   wish for the same chip it draws the line between them at the middle of what that chip means.
//! - `house` also reads the chips and wishes of all, from the first round on: for every player it
//!   keeps how likely each pocket is ([`known`]), and wishes for the place of its hand among these.
//!
//! How well they do: `shimekiri simulate the_gang --policy house --seats 4 --games 10000`, with
//! `--option mode=master` for other modes; the share of heists that succeed is among the tallies.

mod doings;
mod guessing;
mod house;
mod known;
mod outlook;
mod percentile;
#[cfg(test)]
mod tests;

use super::TheGang;
use crate::rules::Policy;
use crate::rules::dice::Stream;

/// The names of the policies, the weakest first.
pub(super) const NAMES: &[&str] = &["percentile", "house"];

/// A policy by its name. Neither needs any chance.
pub(super) fn policy(name: &str, _: Stream) -> Option<Box<dyn Policy<TheGang>>> {
    match name {
        "percentile" => Some(Box::<percentile::Percentile>::default()),
        "house" => Some(Box::<house::House>::default()),
        _ => None,
    }
}
