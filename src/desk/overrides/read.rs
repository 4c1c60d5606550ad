//! A decision of a game master's in words, such as `extend 22:00` or `差し戻し 楓 3B`.
//!
//! Words are those of `commands/gm_*.toml`; seats go by their number or their player's name, times by
//! the table's zone, and everything of the game by the game's own words. Nothing is guessed: what
//! cannot be read is told with what would be right. Where arguments are said one by one, they are read
//! as they are on a line, and refused in the same words.

pub(in crate::desk) mod arguments;
pub(in crate::desk) mod complete;
pub(in crate::desk) mod dice;
pub(in crate::desk) mod grammar;
pub(in crate::desk) mod misread;
pub(in crate::desk) mod moves;
pub(in crate::desk) mod parts;
pub(in crate::desk) mod reader;
pub(in crate::desk) mod words;
pub(in crate::desk) mod write;

#[cfg(test)]
mod test_read;

use crate::desk::model::overrides::Verb;
use crate::desk::overrides::bench::Bench;
use crate::desk::overrides::read::misread::DecreeFault;
use crate::desk::overrides::read::reader::{
    OverrideOptions, OverrideReader, OverrideRequest, Said, first,
};
use crate::time::Time;

/// Reads a decision in whichever language.
pub fn read(text: &str, bench: &Bench, now: Time) -> Result<OverrideRequest, DecreeFault> {
    let Some((verb, rest)) = Verb::read(text) else {
        let said = first(text);
        return Err(DecreeFault::Unknown { nearest: words::nearest(&said), said });
    };
    OverrideReader::new(verb, Said::Line(rest.trim()), bench, now).read()
}

/// Reads a decision whose arguments are said one by one, under the names that they have in the
/// manifest of its command.
pub fn read_options(
    verb: Verb,
    options: &OverrideOptions,
    bench: &Bench,
    now: Time,
) -> Result<OverrideRequest, DecreeFault> {
    OverrideReader::new(verb, Said::Options(options), bench, now).read()
}
