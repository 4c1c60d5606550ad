//! Tests that parse and write texts over test forms.

mod act;
pub(crate) mod form;
mod read;
