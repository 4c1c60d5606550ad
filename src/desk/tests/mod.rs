//! Tests of the desk from the outside.

mod absence;
mod audit;
mod deserted;
pub(crate) mod kit;
mod overrides;
mod person_settings;
mod record;
mod reputation;
mod sentences;
pub(crate) mod support;
mod table;
mod window;
