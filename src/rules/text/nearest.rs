//! Suggestions for an unknown word.

use smol_str::SmolStr;
use strsim::generic_damerau_levenshtein;

use crate::text::words::Words;

/// The number of suggestions, plus those as near as the last one.
const OFFERED: usize = 3;
pub(super) const MOST: usize = 6;

/// The maximum length of a slip of the pen.
pub(super) const LONGEST: usize = 40;

/// Returns the options with the names nearest to a word, best first, without any that differ in more than
/// half.
pub(super) fn nearest(word: &[char], options: &[SmolStr], words: &Words<'_>) -> Vec<SmolStr> {
    if word.len() > LONGEST {
        return Vec::new();
    }
    let mut near: Vec<(usize, &SmolStr)> = Vec::new();
    for id in options {
        let best = words.names(id).into_iter().filter_map(|name| likeness(word, name)).min();
        if let Some(best) = best
            && !near.iter().any(|(_, other)| *other == id)
        {
            near.push((best, id));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    let last = near.get(OFFERED - 1).map(|(distance, _)| *distance);
    let near =
        near.into_iter().take_while(|(distance, _)| last.is_none_or(|last| *distance <= last));
    near.take(MOST).map(|(_, id)| id.clone()).collect()
}

/// Returns the distance of two words in thousandths, `None` if it is more than half.
fn likeness(word: &[char], name: &[char]) -> Option<usize> {
    let distance = generic_damerau_levenshtein(word, name);
    let longer = word.len().max(name.len());
    (distance * 2 <= longer).then(|| distance * 1000 / longer)
}
