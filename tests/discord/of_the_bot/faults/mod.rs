//! Whatever goes wrong on the way, everybody sees exactly once what they should have seen.

mod evening;
mod gateway;
mod kills;
mod letters;
mod places;
mod requests;
