//! Texts are read and written over forms of their own.

mod act;
pub(crate) mod form;
mod read;
