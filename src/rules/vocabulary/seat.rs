//! The chairs of a table, and total maps over them.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// The largest number of chairs any game of this house has.
pub const MAX_SEATS: usize = 8;

const NAMES: [&str; MAX_SEATS] = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8"];

/// A chair at a table, counted from 0 and shown from `P1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

/// Some of the chairs of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SomeSeats(u8);

impl FromIterator<Seat> for SomeSeats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        Self(seats.into_iter().fold(0, |some, seat| some | 1 << seat.index()))
    }
}

impl SomeSeats {
    /// Each of them, in order.
    pub fn seats(self) -> impl Iterator<Item = Seat> {
        Seat::all(MAX_SEATS).filter(move |seat| self.0 >> seat.index() & 1 == 1)
    }
}

impl Serialize for SomeSeats {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.seats())
    }
}

/// There is no such chair at any table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no seat {0}")]
pub struct NoSuchSeat(String);

impl TryFrom<u8> for Seat {
    type Error = NoSuchSeat;

    fn try_from(index: u8) -> Result<Self, NoSuchSeat> {
        Self::try_from(i64::from(index))
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.0
    }
}

impl Seat {
    /// The chair with this index, counted from 0.
    ///
    /// # Panics
    /// If there is no such chair at any table ([`MAX_SEATS`]).
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_SEATS);
        // The assertion above keeps the index below 8.
        #[expect(clippy::cast_possible_truncation, reason = "checked above")]
        Self(index as u8)
    }

    /// The index, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` chairs in order.
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..count).map(Self::new)
    }

    /// The name everybody may type, `P1` to `P8`.
    pub fn name(self) -> &'static str {
        NAMES[self.index()]
    }
}

impl FromStr for Seat {
    type Err = NoSuchSeat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut seats = Self::all(MAX_SEATS);
        seats.find(|seat| seat.name() == name).ok_or_else(|| NoSuchSeat(name.to_owned()))
    }
}

impl TryFrom<i64> for Seat {
    type Error = NoSuchSeat;

    fn try_from(index: i64) -> Result<Self, Self::Error> {
        let seat = usize::try_from(index).ok().filter(|index| *index < MAX_SEATS).map(Self::new);
        seat.ok_or_else(|| NoSuchSeat(index.to_string()))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A side of a game, whose seats plan together, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Side(u8);

impl Side {
    /// The side with this index.
    ///
    /// # Panics
    /// If there are more sides than chairs at any table ([`MAX_SEATS`]).
    pub const fn new(index: usize) -> Self {
        Self(Seat::new(index).0)
    }

    /// The index, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who looks at a table: a player sees their own cards, everybody else none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    Public,
    /// The player on this seat.
    Seat(Seat),
    /// Who may see everything: the judge, and everybody once the game is over.
    All,
}

/// Who sits there; everybody, if there is no seat.
impl From<Option<Seat>> for Viewer {
    fn from(seat: Option<Seat>) -> Self {
        seat.map_or(Self::Public, Self::Seat)
    }
}

/// A total map over the chairs of one table: indexing with a seat of that table never fails.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BySeat<T>(ArrayVec<T, MAX_SEATS>);

impl<T> BySeat<T> {
    /// One value for each of `count` chairs.
    pub fn new(count: usize, value: impl FnMut(Seat) -> T) -> Self {
        Self(Seat::all(count).map(value).collect())
    }

    /// The chairs in order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + use<T> {
        Seat::all(self.0.len())
    }

    /// The number of chairs.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The values with their chairs.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + ExactSizeIterator {
        self.0.iter().enumerate().map(|(index, value)| (Seat::new(index), value))
    }

    /// The values with their chairs, to change.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Seat, &mut T)> {
        self.0.iter_mut().enumerate().map(|(index, value)| (Seat::new(index), value))
    }

    /// These chairs with other values.
    pub fn map<U>(&self, mut value: impl FnMut(Seat, &T) -> U) -> BySeat<U> {
        BySeat::new(self.count(), |seat| value(seat, &self[seat]))
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}
