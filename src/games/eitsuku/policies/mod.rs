//! The policies of えいつく: `greedy` plays turn by turn, `house` plans its film.

mod greedy;
mod house;
mod payment;

pub(super) use greedy::Greedy;
pub(super) use house::House;
