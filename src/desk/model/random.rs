//! The only source of randomness of the desk: seeds, ids, codes, and the salts of sealed declarations.

use rules::receipt::Receipt;
use rules::{Declaration, Seat};
use store::StoredSealing;
use tables::{PersonId, TableCode, WindowNumber};

/// Letters and digits that are not mistaken for one another.
const LETTERS: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTUWXYZ";

/// The length of a table's code.
const CODE: usize = 5;

/// Returns random bytes that nobody can guess.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut drawn = [0; N];
    #[cfg(debug_assertions)]
    if rehearsed::fill(&mut drawn) {
        return drawn;
    }
    #[expect(clippy::disallowed_methods, reason = "this is where chance comes in")]
    rand::RngExt::fill(&mut rand::rng(), &mut drawn[..]);
    drawn
}

/// Salts and hashes a sealed declaration.
pub(crate) fn seal(
    code: &TableCode,
    number: WindowNumber,
    seat: Seat,
    declaration: &Declaration,
    complete: bool,
) -> StoredSealing {
    let salt = bytes();
    let number = number.get();
    let receipt = Receipt::of(code.as_str(), number, seat, &salt, declaration);
    StoredSealing { complete, salt, receipt }
}

/// Returns a random id.
pub(crate) fn id() -> String {
    hex::encode(bytes::<16>())
}

/// Returns an id for a new person.
pub(crate) fn person() -> PersonId {
    id().into()
}

/// Returns an id for a process that keeps deadlines.
pub fn process() -> String {
    format!("{}-{}", std::process::id(), hex::encode(bytes::<4>()))
}

/// True if the text has the form of a table's code.
pub(crate) fn is_code(text: &str) -> bool {
    text.len() == CODE && text.bytes().all(|letter| LETTERS.contains(&letter))
}

/// Returns a table code that is easy to type.
pub(crate) fn code() -> TableCode {
    let letter = |byte: u8| char::from(LETTERS[usize::from(byte) % LETTERS.len()]);
    bytes::<CODE>().into_iter().map(letter).collect::<String>().into()
}

/// Draws that a test knows in advance, only in debug builds.
#[cfg(debug_assertions)]
mod rehearsed {
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
}
