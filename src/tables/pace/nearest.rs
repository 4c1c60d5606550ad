//! What a word that nobody knows was probably meant to be.

use chrono_tz::TZ_VARIANTS;
use strsim::damerau_levenshtein;

use crate::rules::text::fold;

/// At most so many words are offered for one that nobody knows.
const OFFERED: usize = 3;

/// A longer word is no slip of the pen.
const LONGEST: usize = 40;

/// The names of the zones that look most like this one, best first.
pub(super) fn nearest_zones(said: &str) -> Vec<String> {
    let names = TZ_VARIANTS.iter().map(|zone| (zone.name().to_lowercase(), zone.name()));
    best(said, names.chain(zones_by_city()))
}

/// Zones by the last part of their name alone.
pub(super) fn zones_by_city<'a>() -> impl Iterator<Item = (String, &'a str)> {
    TZ_VARIANTS.iter().filter_map(|zone| {
        let (_, city) = zone.name().rsplit_once('/')?;
        Some((city.to_lowercase(), zone.name()))
    })
}

/// A shorter word may differ in half of it, and a longer one in less than a third: otherwise it is
/// another word.
const SHORT: usize = 4;

/// Those that differ least from what was said, and not too much.
pub(crate) fn best<'a>(said: &str, known: impl Iterator<Item = (String, &'a str)>) -> Vec<String> {
    let said = fold(said);
    let length = said.chars().count();
    if length > LONGEST {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = known
        .filter_map(|(folded, written)| {
            let longer = length.max(folded.chars().count());
            let distance = damerau_levenshtein(&said, &folded);
            let near = if longer <= SHORT { distance * 2 <= longer } else { distance * 3 < longer };
            near.then(|| (distance * 1000 / longer, written))
        })
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    let mut best: Vec<String> = Vec::new();
    for (_, written) in near {
        if best.len() < OFFERED && !best.iter().any(|other| other == written) {
            best.push(written.to_owned());
        }
    }
    best
}
