//! Faults on the way: everybody still sees each message exactly once.

mod evening;
mod gateway;
mod kills;
mod places;
mod refused;
mod requests;
