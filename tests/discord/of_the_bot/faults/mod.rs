//! Whatever goes wrong on the way, everybody sees exactly once what they should have seen.

mod evening;
mod gateway;
mod kills;
mod places;
mod refused;
mod requests;
