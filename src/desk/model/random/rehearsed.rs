//! Draws that a test knows in advance, only in debug builds.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

/// The environment variable with the seed word of all draws of the process: the bytes of a draw follow from
/// the word and the number of earlier draws. A restarted process needs another word, or its ids would repeat.
const CHANCE: &str = "SHIMEKIRI_TEST_CHANCE";

/// Fills the bytes with the next draw and returns true, if draws are rehearsed.
pub(crate) fn fill(drawn: &mut [u8]) -> bool {
    static WORD: LazyLock<Option<String>> = LazyLock::new(|| std::env::var(CHANCE).ok());
    static DRAWS: AtomicU64 = AtomicU64::new(0);
    let Some(word) = &*WORD else { return false };
    for chunk in drawn.chunks_mut(32) {
        let draw = DRAWS.fetch_add(1, Ordering::Relaxed);
        let bytes = Sha256::digest(format!("{word} {draw}"));
        chunk.copy_from_slice(&bytes[..chunk.len()]);
    }
    true
}
