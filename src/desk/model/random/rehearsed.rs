//! Draws that a test knows in advance, in debug builds alone.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

/// A word to which all draws of the process are the sequel; each draw's bytes follow from it and
/// from how many were drawn before. A process that is started again needs another word, or its
/// ids would be those of the first.
const CHANCE: &str = "SHIMEKIRI_TEST_CHANCE";

/// Fills in what is drawn next, if the draws are rehearsed.
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
