//! Who plays えいつく without a person: `greedy` lives from turn to turn, `house` plans its film.

mod greedy;
mod house;
mod payment;

use super::Eitsuku;
use crate::rules::Policy;
use crate::rules::dice::Stream;

/// The names of the policies, the weakest first.
pub(super) const NAMES: &[&str] = &["greedy", "house"];

/// A policy by its name.
pub(super) fn policy(name: &str, chance: Stream) -> Option<Box<dyn Policy<Eitsuku>>> {
    match name {
        "greedy" => Some(Box::<greedy::Greedy>::default()),
        "house" => Some(Box::new(house::House::new(chance))),
        _ => None,
    }
}
