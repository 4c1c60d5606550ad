//! Tests that parse and write texts over test forms.

mod act;
mod adding;
pub(crate) mod form;
mod laws;
mod read;
