//! Who plays えいつく without a person: `greedy` lives from turn to turn, `house` plans its film.

mod greedy;
mod house;
mod payment;

pub(super) use greedy::Greedy;
pub(super) use house::House;
