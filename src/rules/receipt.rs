//! The proofs of a table: the receipt of a sealing, and the hash chain of a journal.
//!
//! `docs/verify.md` specifies this file to the byte.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::{Declaration, Seat};

/// Crockford's base32: no letter looks like a digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The receipt of a sealing: a hash that binds the declaration to its table, window and seat, and reveals
/// nothing of it without the salt. Players see it as a short code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Receipt([u8; 32]);

impl Receipt {
    /// Returns the receipt of this declaration. The salt is secret until the table is over.
    pub fn of(
        table: &str,
        window: u32,
        seat: Seat,
        salt: &[u8; 32],
        declaration: &Declaration,
    ) -> Self {
        Self(Sha256::digest(Self::text(table, window, seat, salt, declaration)).into())
    }

    /// Returns the text that the receipt hashes. It is as secret as the declaration.
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

    /// Returns the receipt with this hash.
    pub const fn from_hash(hash: [u8; 32]) -> Self {
        Self(hash)
    }

    /// Returns the whole hash.
    pub const fn hash(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the receipt's [`code`] for players.
    pub fn code(&self) -> String {
        code(&self.0)
    }
}

/// The number of characters in a code, without hyphens.
const CODE: usize = 16;

/// Returns the short code of a hash, to be read out: its first 80 bits, as `abcd-efgh-jkmn-pqrs`.
pub fn code(hash: &[u8; 32]) -> String {
    let bits = hash[..10].iter().fold(0_u128, |bits, &byte| bits << 8 | u128::from(byte));
    let mut code = String::new();
    for place in 0..CODE {
        if place > 0 && place % 4 == 0 {
            code.push('-');
        }
        code.push(char::from(ALPHABET[(bits >> (75 - 5 * place) & 31) as usize]));
    }
    code
}

/// The noted head of a chain: the short code of its last hash, or the whole hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head(String);

/// The parse error of a text that is not a [`Head`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no head of a journal; one looks like abcd-efgh-jkmn-pqrs, or is 64 hex digits")]
pub struct NoHead(pub String);

impl FromStr for Head {
    type Err = NoHead;

    /// Parses a head as people type it: in capitals, without hyphens, with `o` for `0` and `i` or `l` for
    /// `1`, and after the words before it in the post.
    fn from_str(text: &str) -> Result<Self, NoHead> {
        let behind = text.rsplit([':', '：']).next().unwrap_or(text);
        let letters = behind.trim().chars().filter(|letter| *letter != '-');
        let folded: String = letters
            .map(|letter| match letter.to_ascii_lowercase() {
                'o' => '0',
                'i' | 'l' => '1',
                letter => letter,
            })
            .collect();
        let is_whole = folded.len() == 64 && folded.bytes().all(|b| b.is_ascii_hexdigit());
        let is_code = folded.len() == CODE && folded.bytes().all(|b| ALPHABET.contains(&b));
        if is_whole {
            return Ok(Self(folded));
        }
        if !is_code {
            return Err(NoHead(text.to_owned()));
        }
        let groups: Vec<&str> = [0, 4, 8, 12].map(|at| &folded[at..at + 4]).to_vec();
        Ok(Self(groups.join("-")))
    }
}

impl Head {
    /// True if the whole hash was given, as a table's last post shows it.
    pub fn is_whole(&self) -> bool {
        self.0.len() > CODE + 3
    }

    /// True if the head belongs to this hash.
    pub fn is_of(&self, hash: &[u8; 32]) -> bool {
        self.0 == hex::encode(hash) || self.0 == code(hash)
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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

/// Returns the hash that names a player in a journal, from their account and name. It can be computed again
/// with the salt stored beside the name; without the salt it reveals nothing.
pub fn identity(salt: &str, whose: &str, name: &str) -> [u8; 32] {
    Sha256::digest(format!("shimekiri person v1\n{salt}\n{whose}\n{name}")).into()
}

/// Returns the hash that names the author of a decision and their reason in a journal.
pub fn authorship(salt: &str, whose: &str, reason: &str) -> [u8; 32] {
    Sha256::digest(format!("shimekiri decision v1\n{salt}\n{whose}\n{reason}")).into()
}

/// Returns the hash of a window's unsealed drafts for a journal: of the seats, each with its declaration as
/// JSON.
pub fn drafts(drafts: &[(Seat, String)]) -> [u8; 32] {
    let lines: Vec<String> = drafts.iter().map(|(seat, text)| format!("{seat} {text}\n")).collect();
    Sha256::digest(format!("shimekiri drafts v1\n{}", lines.concat())).into()
}

/// Returns the hash of the text shown to a person before they decided, for a journal.
pub fn showing(salt: &str, shown: &str) -> [u8; 32] {
    Sha256::digest(format!("shimekiri shown v1\n{salt}\n{shown}")).into()
}

/// The hash before the first line of a journal.
pub const BEGINNING: [u8; 32] = [0; 32];

/// Returns the hash of a journal up to this line, from the hash of the line before, or [`BEGINNING`]. The
/// line comes without its line feed.
pub fn chain(previous: &[u8; 32], line: &str) -> [u8; 32] {
    let previous = hex::encode(previous);
    Sha256::digest(format!("shimekiri journal v1\n{previous}\n{line}")).into()
}

/// Returns the hash of a table's file up to this line, from the hash of the line before, or [`BEGINNING`].
/// The line comes without its own hash and the closing brace.
pub fn chain_of_file(previous: &[u8; 32], line: &str) -> [u8; 32] {
    let previous = hex::encode(previous);
    Sha256::digest(format!("shimekiri file v1\n{previous}\n{line}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Value};

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
        let draft = serde_json::to_string(&declaration()).unwrap();
        let of_drafts = drafts(&[(Seat::new(1), draft)]);
        let (salt, whose) = (hex::encode([9; 32]), "terminal:sakura");
        for line in [
            format!("\ndeclaration   = {}\n", serde_json::to_string(&declaration()).unwrap()),
            format!("\nseal          = {}\n", hex::encode(receipt().hash())),
            format!("\nreceipt       = {}\n", receipt()),
            format!("\ndrafts        = {}\n", hex::encode(of_drafts)),
            format!("\nperson        = {}\n", hex::encode(identity(&salt, whose, "sakura"))),
            format!("\ndecision      = {}\n", hex::encode(authorship(&salt, whose, "Rain."))),
            format!("\nshown         = {}\n", hex::encode(showing(&salt, "{}"))),
            format!("\nhead, line 2  = {}\n", code(&second)),
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
    fn a_head_is_read_as_people_write_it() {
        let hash = chain(&BEGINNING, r#"{"n":1}"#);
        let short = code(&hash);
        assert_eq!(short.len(), 19);
        let sloppy = short.to_uppercase().replace('0', "O").replace('1', "l").replace('-', "");
        for text in [&short, &sloppy, &hex::encode(hash), &format!("Record: {short} ")] {
            let head: Head = text.parse().unwrap();
            assert!(head.is_of(&hash) && !head.is_of(&[0; 32]), "{text}");
        }
        assert_eq!(sloppy.parse::<Head>().unwrap().to_string(), short);
        for text in ["", "abcd-efgh", "uuuu-uuuu-uuuu-uuuu", "００００００００００００００００"]
        {
            assert!(text.parse::<Head>().is_err(), "{text}");
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
