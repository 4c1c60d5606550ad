//! Chance that anybody can check afterwards: every die is keyed by the question it answers.
//!
//! `docs/verify.md` specifies this file to the byte. No die depends on how many others were
//! thrown before it, so a forced answer or a new die never shifts another.
//!
//! A witness of dice: a record of every throw of a table, to check against the seed.
//!
//! `docs/verify.md` says how each throw follows from the seed, the window and the label.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use crate::{Key, Seat, Value};

/// The dice of one table: a secret seed, and the table's name.
#[derive(Clone)]
pub struct Dice {
    seed: [u8; 32],
    table: String,
    witness: Option<Witness>,
}

impl Dice {
    /// Creates the dice of this seed for the table of this name.
    pub fn new(seed: [u8; 32], table: impl Into<String>) -> Self {
        Self { seed, table: table.into(), witness: None }
    }

    /// Returns these dice with a witness of every throw.
    #[must_use]
    pub fn watched_by(self, witness: &Witness) -> Self {
        Self { witness: Some(witness.clone()), ..self }
    }

    /// Returns the dice of this seed mixed with the value of each seat, in order of seats: neither the drawer
    /// of the seed nor a player alone can choose the dice.
    ///
    /// # Panics
    /// If there are more values than seats at any table.
    pub fn mixed(seed: [u8; 32], values: &[[u8; 32]], table: impl Into<String>) -> Self {
        let mut mac = hmac(&seed);
        mac.update(b"shimekiri seats v1\n");
        for (seat, value) in Seat::all(values.len()).zip(values) {
            mac.update(format!("{seat} {}\n", hex::encode(value)).as_bytes());
        }
        Self::new(mac.finalize().into_bytes().into(), table)
    }

    /// Returns the dice for the decisions of the table's bot players. They reveal nothing about the table's
    /// own dice, and nobody can know them before the seed is known.
    #[must_use]
    pub fn house(&self) -> Self {
        let mut mac = hmac(&self.seed);
        mac.update(b"shimekiri house v1\n");
        mac.update(self.table.as_bytes());
        Self::new(mac.finalize().into_bytes().into(), self.table.clone())
    }

    /// Returns the dice of one root window. A new attempt (after a rollback past a reveal) has new dice.
    ///
    /// # Panics
    /// Never: HMAC takes keys of every length.
    pub fn of_window(&self, window: u32, attempt: u32) -> WindowDice {
        let mut mac = hmac(&self.seed);
        mac.update(b"shimekiri dice v1\n");
        mac.update(self.table.as_bytes());
        let mut digits = itoa_buffer();
        mac.update(write_line(&mut digits, window));
        mac.update(write_line(&mut digits, attempt));
        let witness = self.witness.clone();
        let witness = witness.map(|witness| WindowWitness { witness, window, attempt });
        WindowDice { key: mac.finalize().into_bytes().into(), witness }
    }
}

/// Returns the commitment to a table's dice that is shown before anybody joins: a hash of the drawn seed and
/// the table's name.
pub fn commitment(table: &str, seed: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(format!("shimekiri seed v1\n{table}\n{}", hex::encode(seed))).into()
}

/// Returns the value of a seat whose player brings none, such as a bot player. It follows from the drawn
/// seed, so it was committed to before anybody joined. `before` is the number of players who had the seat
/// before: each has another value, so that no former player knows it.
pub fn own_value(table: &str, seed: &[u8; 32], seat: Seat, before: u32) -> [u8; 32] {
    let mut mac = hmac(seed);
    mac.update(format!("shimekiri value v1\n{table}\n{seat}").as_bytes());
    if before > 0 {
        mac.update(format!("\n{before}").as_bytes());
    }
    mac.finalize().into_bytes().into()
}

/// Returns the promise of a value: the hash of a value that is revealed once it can no longer be changed.
pub fn promise_of(value: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(format!("shimekiri promise v1\n{}", hex::encode(value))).into()
}

/// A player's contribution to the dice of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brought {
    /// No value of the player's own.
    Nothing,
    Value([u8; 32]),
    Promise([u8; 32]),
}

/// The prefix of a promise, before its 64 hex digits.
pub const PROMISE: &str = "sha256:";

/// The error of a text with the prefix of a promise and an invalid hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a promise is {PROMISE} and 64 hexadecimal digits")]
pub struct NoPromise;

impl Brought {
    /// Parses a player's words: a promise, or words that give a value.
    ///
    /// # Errors
    /// If the words begin with the prefix of a promise, but the hash is invalid.
    pub fn read(words: &str) -> Result<Self, NoPromise> {
        let words = words.trim();
        if words.is_empty() {
            return Ok(Self::Nothing);
        }
        let Some(digits) = words.strip_prefix(PROMISE) else {
            return Ok(Self::Value(value_of(words)));
        };
        let mut promise = [0; 32];
        hex::decode_to_slice(digits.trim(), &mut promise).map_err(|_| NoPromise)?;
        Ok(Self::Promise(promise))
    }
}

impl From<Option<[u8; 32]>> for Brought {
    fn from(value: Option<[u8; 32]>) -> Self {
        value.map_or(Self::Nothing, Self::Value)
    }
}

/// Returns the value of a player's own words: their SHA-256, without the blanks at either end.
pub fn value_of(words: &str) -> [u8; 32] {
    Sha256::digest(words.trim()).into()
}

fn hmac(key: &[u8; 32]) -> Hmac<Sha256> {
    <Hmac<Sha256> as KeyInit>::new_from_slice(key).expect("HMAC takes keys of every length")
}

impl fmt::Debug for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The seed is secret until the end of the game.
        f.debug_struct("Dice").field("table", &self.table).finish_non_exhaustive()
    }
}

/// The dice of one root window and attempt.
#[derive(Clone)]
pub struct WindowDice {
    key: [u8; 32],
    pub(crate) witness: Option<WindowWitness>,
}

impl WindowDice {
    /// Returns the dice of an interview, which are never thrown.
    pub(crate) fn unthrown() -> Self {
        Self { key: [0; 32], witness: None }
    }

    /// Returns the random stream of a label.
    pub fn stream(&self, label: &Label) -> Stream {
        let mut hash = Sha256::new();
        if let Some(act) = label.act {
            hash.update(format!("{ACT}{act}:"));
        }
        if let Some(seat) = label.seat {
            hash.update(seat.name().as_bytes());
            hash.update(b":");
        }
        hash_key(&mut hash, &label.key);
        let hash: [u8; 32] = hash.finalize().into();
        let mut nonce = [0; 12];
        nonce.copy_from_slice(&hash[..12]);
        Stream::new(ChaCha20::new(&self.key.into(), &nonce.into()))
    }
}

impl fmt::Debug for WindowDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WindowDice")
    }
}

/// An endless stream of random numbers.
pub struct Stream {
    cipher: ChaCha20,
    /// Key stream made in advance: four blocks together cost the cipher as little as one.
    made: [u8; 256],
    used: usize,
}

impl Stream {
    fn new(cipher: ChaCha20) -> Self {
        let made = [0; 256];
        Self { cipher, used: made.len(), made }
    }

    /// Returns a random number from 0 to `n - 1`, all equally likely.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "a die needs a side");
        // Words from `limit` up would favour the small numbers and are dropped.
        let limit = (1_u64 << 32) - (1_u64 << 32) % u64::from(n);
        loop {
            let word = self.word();
            if u64::from(word) < limit {
                return word % n;
            }
        }
    }

    /// Shuffles the slice, all orders equally likely (Fisher and Yates, from the top).
    ///
    /// # Panics
    /// If the slice is longer than a `u32` counts.
    pub fn shuffle<T>(&mut self, slice: &mut [T]) {
        for top in (1..slice.len()).rev() {
            let count = u32::try_from(top + 1).expect("no deck is that large");
            slice.swap(top, self.below(count) as usize);
        }
    }

    fn word(&mut self) -> u32 {
        if self.used == self.made.len() {
            self.made.fill(0);
            self.cipher.apply_keystream(&mut self.made);
            self.used = 0;
        }
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.made[self.used..self.used + 4]);
        self.used += 4;
        u32::from_le_bytes(bytes)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}

/// Hashes the label's text piece by piece: a die in a simulation must not allocate.
fn hash_key(hash: &mut Sha256, key: &Key) {
    hash.update(key.section.as_bytes());
    if key.number != 1 {
        let mut digits = itoa_buffer();
        let line = write_line(&mut digits, u32::from(key.number));
        hash.update(b"#");
        hash.update(&line[1..]);
    }
    if !key.name.is_empty() {
        hash.update(b".");
        hash.update(key.name.as_bytes());
    }
}

fn itoa_buffer() -> [u8; 11] {
    [0; 11]
}

/// Returns a line feed and the number in decimal digits.
fn write_line(buffer: &mut [u8; 11], mut number: u32) -> &[u8] {
    let mut start = buffer.len();
    loop {
        start -= 1;
        buffer[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    start -= 1;
    buffer[start] = b'\n';
    &buffer[start..]
}

/// The purpose of a die: a question of a seat, or a matter of the whole table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The seat whose question the die answers, `None` for the table's own dice, such as a shuffle.
    pub seat: Option<Seat>,
    pub key: Key,
    /// The number of the act that throws the die, counted from 1 in the open window, `None` for the window's
    /// resolution.
    pub act: Option<u32>,
}

impl Label {
    /// Returns the label of a die for a seat's question.
    pub fn of(seat: Seat, key: Key) -> Self {
        Self { seat: Some(seat), key, act: None }
    }

    /// Returns the label of a die of the whole table.
    pub fn table(key: Key) -> Self {
        Self { seat: None, key, act: None }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(act) = self.act {
            write!(f, "{ACT}{act}:")?;
        }
        if let Some(seat) = self.seat {
            write!(f, "{seat}:")?;
        }
        write!(f, "{}", self.key)
    }
}

/// The prefix of an act's number.
pub(crate) const ACT: &str = "act";

/// The parse error of a text that is not a [`Label`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is no label of a die; one looks like P2:3#2.card")]
pub struct ParseLabelError(String);

impl FromStr for Label {
    type Err = ParseLabelError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseLabelError(text.to_owned());
        let act = text.strip_prefix(ACT).and_then(|text| text.split_once(':'));
        let act = act.and_then(|(act, rest)| Some((act.parse().ok()?, rest)));
        let (act, text) = act.map_or((None, text), |(act, rest)| (Some(act), rest));
        let (seat, key) = match text.split_once(':') {
            Some((seat, key)) => (Some(seat.parse().map_err(|_| error())?), key),
            None => (None, text),
        };
        Ok(Self { seat, key: key.parse().map_err(|_| error())?, act })
    }
}

/// The possible values of a die, which a GM may choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faces {
    /// One of these options, as `Value::Choice`.
    One(Vec<SmolStr>),
    /// Several of these in order, as `Value::Picks`; an option listed twice can come twice.
    Several {
        options: Vec<SmolStr>,
        /// The number of options drawn.
        count: usize,
    },
    /// A number, as `Value::Number`.
    Number { least: i64, most: i64 },
}

/// A throw of a die, or a shuffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cast {
    /// The root window, counted from 0, which is the deal.
    pub window: u32,
    pub attempt: u32,
    /// The label as text, which [`Label`] parses.
    pub label: String,
    /// The result.
    #[serde(flatten)]
    pub fell: Fell,
    /// True if the GM decided the value.
    pub decided: bool,
}

/// The possible and actual values of a die, or the order of a shuffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fell {
    /// One of several options.
    One {
        /// The options, in order.
        options: Vec<SmolStr>,
        shows: SmolStr,
    },
    /// A draw of several options, without replacement.
    Several {
        /// The options, in order.
        options: Vec<SmolStr>,
        /// The drawn options, in order.
        shows: Vec<SmolStr>,
    },
    /// A number. Its serialized name is `die`, to tell it from the number of a window.
    #[serde(rename = "die")]
    Number { least: i64, most: i64, shows: i64 },
    /// A shuffle: at each position, the position that the card there had before.
    Order(Vec<usize>),
}

impl Cast {
    /// Returns the seat whose question the die answers, `None` for a die of the whole table.
    pub fn seat(&self) -> Option<Seat> {
        self.label.parse::<Label>().ok().and_then(|label| label.seat)
    }
}

impl Fell {
    fn of(faces: Faces, showed: Value) -> Option<Self> {
        match (faces, showed) {
            (Faces::One(options), Value::Choice(shows)) => Some(Self::One { options, shows }),
            (Faces::Several { options, .. }, Value::Picks(shows)) => {
                Some(Self::Several { options, shows })
            }
            (Faces::Number { least, most }, Value::Number(shows)) => {
                Some(Self::Number { least, most, shows })
            }
            _ => None,
        }
    }
}

/// A witness of every throw of the dice it watches ([`crate::Dice::watched_by`]).
#[derive(Clone, Debug, Default)]
pub struct Witness(Arc<Mutex<Vec<Cast>>>);

impl Witness {
    /// Takes the throws since the last call, in order. A throw repeated for the same question, as in a
    /// re-run, is listed once.
    pub fn take(&self) -> Vec<Cast> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, cast: Cast) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|other| {
            (other.window, other.attempt, &other.label) != (cast.window, cast.attempt, &cast.label)
        });
        seen.push(cast);
    }
}

/// A witness of the dice of one root window.
#[derive(Clone, Debug)]
pub(crate) struct WindowWitness {
    pub(crate) witness: Witness,
    pub(crate) window: u32,
    pub(crate) attempt: u32,
}

impl WindowWitness {
    pub(crate) fn saw(&self, label: &Label, faces: Faces, showed: Value, decided: bool) {
        if let Some(fell) = Fell::of(faces, showed) {
            self.note(label, fell, decided);
        }
    }

    pub(crate) fn saw_order(&self, label: &Label, order: Vec<usize>) {
        self.note(label, Fell::Order(order), false);
    }

    fn note(&self, label: &Label, fell: Fell, decided: bool) {
        let Self { window, attempt, .. } = *self;
        self.witness.note(Cast { window, attempt, label: label.to_string(), fell, decided });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(label: &str) -> Stream {
        let dice = Dice::new([7; 32], "table").of_window(3, 0);
        dice.stream(&Label::of(Seat::new(1), label.parse().unwrap()))
    }

    #[test]
    fn each_act_shuffles_by_dice_of_its_own() {
        let shuffled = |act| {
            let mut cards: Vec<u8> = (0..20).collect();
            let label = Label { act, ..Label::table(Key::part("cards")) };
            Dice::new([7; 32], "table").of_window(1, 0).stream(&label).shuffle(&mut cards);
            cards
        };
        assert_eq!(shuffled(Some(1)), shuffled(Some(1)));
        let orders = [shuffled(None), shuffled(Some(1)), shuffled(Some(2))];
        assert!(orders[0] != orders[1] && orders[1] != orders[2] && orders[0] != orders[2]);
    }

    /// The vectors of `docs/verify.md`, computed there by another program.
    #[test]
    fn the_dice_are_those_of_the_document() {
        let mut throws = stream("3#2.card");
        let throws: Vec<u32> = (0..8).map(|_| throws.below(6)).collect();
        let mut deck: Vec<u8> = (0..10).collect();
        stream("3.card").shuffle(&mut deck);
        let document = include_str!("../../docs/verify.md");
        assert!(document.contains(&format!("{throws:?}")), "{throws:?}");
        assert!(document.contains(&format!("{deck:?}")), "{deck:?}");
    }

    #[test]
    fn the_seeds_are_those_of_the_document() {
        let document = include_str!("../../docs/verify.md");
        let mixed = Dice::mixed([7; 32], &[[1; 32], [2; 32]], "table");
        for (name, bytes) in [
            ("commitment ", commitment("table", &[7; 32])),
            ("value of P2 ", own_value("table", &[7; 32], Seat::new(1), 0)),
            ("value of its second", own_value("table", &[7; 32], Seat::new(1), 1)),
            ("mixed ", mixed.seed),
            ("key of mixed ", mixed.of_window(3, 0).key),
            ("house ", mixed.house().seed),
            ("key of house ", mixed.house().of_window(3, 0).key),
        ] {
            let line = format!("\n{name:<19} = {}\n", hex::encode(bytes));
            assert!(document.contains(&line), "{line}");
        }
    }

    #[test]
    fn the_values_of_words_are_those_of_the_document() {
        let document = include_str!("../../docs/verify.md");
        for words in ["今夜は負けない", "The trains are late"] {
            let line = format!("\nvalue({words}) = {}\n", hex::encode(value_of(words)));
            assert!(document.contains(&line), "{line}");
            assert_eq!(value_of(&format!(" {words}\u{3000}")), value_of(words));
        }
        assert_ne!(value_of("a b"), value_of("a  b"));
    }

    #[test]
    fn the_promises_of_words_are_those_of_the_document() {
        let document = include_str!("../../docs/verify.md");
        let words = "The trains are late";
        let promise = hex::encode(promise_of(&value_of(words)));
        let line = format!("\npromise({words}) = {promise}\n");
        assert!(document.contains(&line), "{line}");
        let read = |words: &str| Brought::read(words);
        assert_eq!(
            read(&format!(" sha256:{promise}\n")),
            Ok(Brought::Promise(promise_of(&value_of(words))))
        );
        assert_eq!(read(words), Ok(Brought::Value(value_of(words))));
        assert_eq!(read(" \u{3000}"), Ok(Brought::Nothing));
        assert_eq!(read("sha256:abc"), Err(NoPromise));
    }

    #[test]
    fn a_commitment_and_a_value_are_bound_to_the_name_and_the_seat() {
        let (seed, seat) = ([7; 32], Seat::new(1));
        assert_ne!(commitment("table", &seed), commitment("other", &seed));
        let own = |table, seed, seat| own_value(table, seed, seat, 0);
        assert_ne!(own("table", &seed, seat), own("other", &seed, seat));
        assert_ne!(own("table", &seed, seat), own_value("table", &seed, seat, 1));
        assert_ne!(own("table", &seed, seat), own("table", &seed, Seat::new(0)));
        assert_ne!(own("table", &seed, seat), own("table", &[8; 32], seat));
    }

    #[test]
    fn every_value_and_its_seat_changes_the_dice() {
        let values = [[1; 32], [2; 32]];
        let mixed = |values: &[[u8; 32]]| Dice::mixed([7; 32], values, "table").seed;
        assert_ne!(mixed(&values), mixed(&[[2; 32], [1; 32]]));
        assert_ne!(mixed(&values), mixed(&values[..1]));
        assert_ne!(mixed(&[]), [7; 32]);
    }

    /// The words are those of one stream, however much is made in advance.
    #[test]
    fn a_long_stream_is_one_key_stream() {
        let mut long = stream("3.card");
        let mut bytes = [0; 4 * 300];
        stream("3.card").cipher.apply_keystream(&mut bytes);
        for word in bytes.chunks(4) {
            assert_eq!(long.word().to_le_bytes(), word);
        }
    }

    #[test]
    fn a_label_reads_back_as_it_is_written() {
        for text in ["P2:3#2.card", "P1:strike", "deck.actor"] {
            assert_eq!(text.parse::<Label>().unwrap().to_string(), text);
        }
        for text in ["P13:3.card", "3:card:x", "P1:", ""] {
            assert!(text.parse::<Label>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_die_does_not_depend_on_another() {
        let dice = Dice::new([1; 32], "t").of_window(1, 0);
        let label = Label::table(Key::new("deck", "actor"));
        let alone = dice.stream(&label).below(1000);
        dice.stream(&Label::table(Key::new("deck", "event"))).below(1000);
        assert_eq!(dice.stream(&label).below(1000), alone);
    }

    #[test]
    fn every_side_is_as_likely() {
        let mut stream = stream("3.set");
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[stream.below(6) as usize] += 1;
        }
        // Five standard deviations (91) around 10,000.
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 457), "{counts:?}");
    }

    #[test]
    fn a_window_or_attempt_has_its_own_dice() {
        let dice = Dice::new([1; 32], "t");
        let label = Label::table(Key::new("deck", "actor"));
        let throw = |window, attempt| dice.of_window(window, attempt).stream(&label).below(1 << 31);
        assert_ne!(throw(1, 0), throw(2, 0));
        assert_ne!(throw(1, 0), throw(1, 1));
        assert_ne!(throw(11, 1), throw(1, 11));
    }

    #[test]
    fn a_label_is_read_as_it_is_written() {
        for text in ["P2:3#2.card", "deck.actor", "act2:deck.actor", "act12:P3:now.do", "act.way"] {
            let label: Label = text.parse().unwrap();
            assert_eq!(label.to_string(), text);
            assert_eq!(
                label.act.is_some(),
                text.starts_with("act2:") || text.starts_with("act12:")
            );
        }
    }
}
