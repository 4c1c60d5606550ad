//! The seats of a table, and total maps over them.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// The maximum number of seats of any game.
pub const MAX_SEATS: usize = 12;

const NAMES: [&str; MAX_SEATS] =
    ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12"];

/// A seat at a table, counted from 0 and shown from `P1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

/// A set of seats of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SomeSeats(u16);

impl FromIterator<Seat> for SomeSeats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        Self(seats.into_iter().fold(0, |some, seat| some | 1 << seat.index()))
    }
}

impl SomeSeats {
    /// Returns the seats of the set, in order.
    pub fn seats(self) -> impl Iterator<Item = Seat> {
        Seat::all(MAX_SEATS).filter(move |seat| self.0 >> seat.index() & 1 == 1)
    }
}

impl Serialize for SomeSeats {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.seats())
    }
}

/// The error for a seat that no table has.
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
    /// Returns the seat with this index, counted from 0.
    ///
    /// # Panics
    /// If there is no such chair at any table ([`MAX_SEATS`]).
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_SEATS);
        // The assertion above keeps the index below 12.
        #[expect(clippy::cast_possible_truncation, reason = "checked above")]
        Self(index as u8)
    }

    /// Returns the index, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the first `count` seats in order.
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..count).map(Self::new)
    }

    /// Returns the name that players type, `P1` to `P12`.
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
    /// Returns the side with this index.
    ///
    /// # Panics
    /// If there are more sides than chairs at any table ([`MAX_SEATS`]).
    pub const fn new(index: usize) -> Self {
        Self(Seat::new(index).0)
    }

    /// Returns the index, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A viewer of a table: a player sees their own cards, the public none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    Public,
    /// The player on this seat.
    Seat(Seat),
    /// A viewer who sees everything: the judge, and everybody once the game is over.
    All,
}

/// `None` becomes the public, a seat its player.
impl From<Option<Seat>> for Viewer {
    fn from(seat: Option<Seat>) -> Self {
        seat.map_or(Self::Public, Self::Seat)
    }
}

/// A total map over the seats of one table: indexing with a seat of that table never fails.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BySeat<T>(ArrayVec<T, MAX_SEATS>);

impl<T> BySeat<T> {
    /// Creates a map with one value for each of `count` seats.
    pub fn new(count: usize, value: impl FnMut(Seat) -> T) -> Self {
        Self(Seat::all(count).map(value).collect())
    }

    /// Returns the seats in order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + use<T> {
        Seat::all(self.0.len())
    }

    /// Returns the number of seats.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the values with their seats.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + ExactSizeIterator {
        self.0.iter().enumerate().map(|(index, value)| (Seat::new(index), value))
    }

    /// Returns the values with their seats, mutably.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Seat, &mut T)> {
        self.0.iter_mut().enumerate().map(|(index, value)| (Seat::new(index), value))
    }

    /// Returns a map with another value for each seat.
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
