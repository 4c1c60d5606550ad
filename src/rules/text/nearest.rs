//! What an unknown word was probably meant to be.

use smol_str::SmolStr;
use strsim::generic_damerau_levenshtein;

use crate::text::words::Words;

/// So many are offered, and those that are as near as the last of them.
const OFFERED: usize = 3;
pub(super) const MOST: usize = 6;

/// A longer word is no slip of the pen.
pub(super) const LONGEST: usize = 40;

/// The options whose names are nearest to a word, best first; none that differ in more than half.
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

/// How far apart two words are, in thousandths; none if more than half.
fn likeness(word: &[char], name: &[char]) -> Option<usize> {
    let distance = generic_damerau_levenshtein(word, name);
    let longer = word.len().max(name.len());
    (distance * 2 <= longer).then(|| distance * 1000 / longer)
}
