//! The letters as their readers see them.

#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]

mod letters;
mod letters_of_the_gang;
mod sets;
