//! What can be held against a table later: the receipt of a sealing, and a journal's chain.
//!
//! `docs/verify.md` specifies this file to the byte.

use std::fmt;

use sha2::{Digest, Sha256};

use super::declaration::Declaration;
use super::seat::Seat;

/// Crockford's base32: no letter looks like a digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The receipt of a sealing: a hash that binds the declaration to its table, window and seat, and
/// tells nothing of it to who does not know the salt. It is shown as the short code a person gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Receipt([u8; 32]);

impl Receipt {
    /// The receipt of this declaration. The salt is secret until the table is over.
    pub fn of(
        table: &str,
        window: u32,
        seat: Seat,
        salt: &[u8; 32],
        declaration: &Declaration,
    ) -> Self {
        Self(Sha256::digest(Self::text(table, window, seat, salt, declaration)).into())
    }

    /// The text whose hash it is. It is secret for as long as the declaration is.
    ///
    /// # Panics
    /// Never: keys are written as strings, so JSON can write every declaration.
    pub fn text(
        table: &str,
        window: u32,
        seat: Seat,
        salt: &[u8; 32],
        declaration: &Declaration,
    ) -> String {
        let json = serde_json::to_string(declaration).expect("a declaration is plain data");
        let salt = hex::encode(salt);
        format!("shimekiri seal v1\n{table}\n{window}\n{seat}\n{salt}\n{json}")
    }

    /// The receipt with this hash.
    pub const fn from_hash(hash: [u8; 32]) -> Self {
        Self(hash)
    }

    /// The whole hash.
    pub const fn hash(&self) -> &[u8; 32] {
        &self.0
    }

    /// What a person gets: the first 40 bits as `abcd-efgh`.
    pub fn code(&self) -> String {
        let bits = self.0[..5].iter().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        let letter = |place: u32| char::from(ALPHABET[(bits >> (35 - 5 * place) & 31) as usize]);
        let half = |places: std::ops::Range<u32>| places.map(letter).collect::<String>();
        format!("{}-{}", half(0..4), half(4..8))
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code())
    }
}

impl fmt::Debug for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code())
    }
}

/// What stands before the first line of a journal.
pub const BEGINNING: [u8; 32] = [0; 32];

/// The hash of a journal up to this line, from that of the line before, or [`BEGINNING`]. The
/// line comes without its line feed.
pub fn chain(previous: &[u8; 32], line: &str) -> [u8; 32] {
    let previous = hex::encode(previous);
    Sha256::digest(format!("shimekiri journal v1\n{previous}\n{line}")).into()
}

/// The hash of a table's file up to this line, from that of the line before, or [`BEGINNING`]. The
/// line comes without its own hash and what closes it.
pub fn chain_of_file(previous: &[u8; 32], line: &str) -> [u8; 32] {
    let previous = hex::encode(previous);
    Sha256::digest(format!("shimekiri file v1\n{previous}\n{line}")).into()
}

#[cfg(test)]
mod tests {
    use super::super::declaration::{Answer, Value};
    use super::*;

    fn declaration() -> Declaration {
        let mut declaration = Declaration::default();
        let card = Answer::Given(Value::Choice("actor-3".into()));
        declaration.set("3.card".parse().unwrap(), card);
        declaration.set("3.pay".parse().unwrap(), Answer::LeftOut);
        declaration
    }

    fn receipt() -> Receipt {
        Receipt::of("table", 3, Seat::new(1), &[9; 32], &declaration())
    }

    /// The vectors of `docs/verify.md`, computed there by another program.
    #[test]
    fn receipt_and_chain_are_those_of_the_document() {
        let document = include_str!("../../docs/verify.md");
        let first = chain(&BEGINNING, r#"{"n":1}"#);
        let second = chain(&first, r#"{"n":2,"text":"締切"}"#);
        for line in [
            format!("\ndeclaration   = {}\n", serde_json::to_string(&declaration()).unwrap()),
            format!("\nseal          = {}\n", hex::encode(receipt().hash())),
            format!("\nreceipt       = {}\n", receipt()),
            format!("\nchain, line 1 = {}\n", hex::encode(first)),
            format!("\nchain, line 2 = {}\n", hex::encode(second)),
        ] {
            assert!(document.contains(&line), "{line}");
        }
    }

    #[test]
    fn the_lines_of_a_file_are_those_of_the_document() {
        let document = include_str!("../../docs/export.md");
        let mut chain = BEGINNING;
        for body in [
            r#"{"of":"people","row":{"person":"P1","account":null,"language":"ja"}"#,
            r#"{"of":"end","row":{"lines":1}"#,
        ] {
            chain = chain_of_file(&chain, body);
            let line = format!("\n{body},\"chain\":\"{}\"}}\n", hex::encode(chain));
            assert!(document.contains(&line), "{line}");
        }
    }

    #[test]
    fn a_receipt_is_bound_to_everything() {
        let (seat, declaration) = (Seat::new(1), declaration());
        for other in [
            Receipt::of("other", 3, seat, &[9; 32], &declaration),
            Receipt::of("table", 4, seat, &[9; 32], &declaration),
            Receipt::of("table", 3, Seat::new(0), &[9; 32], &declaration),
            Receipt::of("table", 3, seat, &[8; 32], &declaration),
            Receipt::of("table", 3, seat, &[9; 32], &Declaration::default()),
        ] {
            assert_ne!(other, receipt());
        }
        assert_eq!(Receipt::from_hash(*receipt().hash()), receipt());
    }
}
