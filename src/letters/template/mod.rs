//! The template engine: the sources of templates, their filters and their fields.

pub(crate) mod filters;
pub mod letters;
pub(crate) mod picture;
pub(crate) mod reader;
pub mod typed;
pub(crate) mod views;

pub(crate) use crate::template::typed::{Draw, EACH_GAME, Sampled};
pub(crate) use crate::template::views::{DeclaredAnswers, QuestionView};
