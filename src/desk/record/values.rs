//! The values that the seats mix into the dice, as the journal has them until the deal.
//!
//! A player who learned everybody else's value before choosing their own could choose the dice with it. So a
//! value can be promised: the value is revealed only when no seat can choose another value. This module alone
//! knows the order in which this must happen; a replay is checked against it as the game itself is.

use std::collections::BTreeMap;

use crate::model::random;
use crate::record::event::{Event, History, record};
use rules::dice::{Brought, own_value, promise_of};
use rules::{Seat, receipt};
use store::{Result, SeatRow, Session, TableRow, Touched, overrides, people, read_hex};
use tables::{Stage, TableCode};

/// The option of a game that no host sets.
pub(crate) const CARRIED: &str = "carried";

/// The value brought by a seat. Values and promises are in hex digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Brings {
    /// No value: it follows from the drawn seed.
    Nothing,
    Value(String),
    Promise(String),
    /// The value that was promised.
    Kept(String),
    /// A value to be brought anew, because promises have ended.
    Owed,
}

/// The settings of a table: the game, its edition and its data, its options and its chairs. Without the
/// option carried over from another game, which nobody sets.
type TableSetup = (String, String, String, serde_json::Value, usize);

/// The values brought by the seats so far.
#[derive(Debug, Default)]
pub(crate) struct BroughtValues {
    seats: BTreeMap<Seat, Brings>,
    /// The number of times somebody has sat down, by seat.
    sat: BTreeMap<Seat, u32>,
    set: Option<TableSetup>,
    /// True if the host wants to begin, and promised values are to be revealed.
    due: bool,
    dealt: bool,
}

impl BroughtValues {
    /// Returns the values of a table.
    pub(crate) async fn of_table(tx: &mut Touched<'_>) -> Result<Self> {
        Self::of(tx.db, &tx.table.code).await
    }

    /// Reads the values from the journal of a table.
    pub(crate) async fn of(db: &mut Session, code: &TableCode) -> Result<Self> {
        let mut values = Self::default();
        for event in History::load(db, code).await?.events() {
            values.hear(event);
            if values.dealt {
                break;
            }
        }
        Ok(values)
    }

    /// Applies the next event; returns false if it cannot have happened.
    pub(crate) fn hear(&mut self, happened: &Event) -> bool {
        let (is_frozen, is_forming) = (self.is_frozen(), self.set.is_some() && !self.dealt);
        match happened {
            Event::Formed { game, edition, data, options, chairs, .. } => {
                let is_first = self.set.is_none();
                self.set = Some(set(game, edition, data, options, *chairs));
                is_first
            }
            Event::SettingsChanged { game, edition, data, options, chairs, .. } => {
                let new = Some(set(game, edition, data, options, *chairs));
                let is_same = self.set == new;
                self.set = new;
                self.due &= is_frozen;
                is_forming && (is_same || !is_frozen)
            }
            Event::Joined { seat, house, value, promise, .. } => {
                let (brings, is_odd) = match (value, promise) {
                    (Some(value), None) => (Brings::Value(value.clone()), house.is_some()),
                    (None, Some(promise)) => (Brings::Promise(promise.clone()), house.is_some()),
                    (None, None) => (Brings::Nothing, false),
                    (Some(_), Some(_)) => (Brings::Nothing, true),
                };
                let is_free = self.seats.insert(*seat, brings).is_none();
                *self.sat.entry(*seat).or_default() += 1;
                self.due &= is_frozen;
                is_forming && is_free && !is_odd && (!is_frozen || house.is_some())
            }
            Event::Left { seat, anew } => {
                let has_sat = self.seats.remove(seat).is_some();
                if is_frozen {
                    let brought = self.seats.values_mut().filter(|of| **of != Brings::Nothing);
                    brought.for_each(|of| *of = Brings::Owed);
                }
                self.due = false;
                is_forming && has_sat && *anew == is_frozen
            }
            Event::Due { .. } => {
                self.due = true;
                is_forming && !self.missing().is_empty()
            }
            Event::Kept { seat, value } => {
                let fits = self.is_promised(*seat, value);
                self.seats.insert(*seat, Brings::Kept(value.clone()));
                is_forming && self.due && fits
            }
            Event::Dealt { .. } => {
                self.dealt = true;
                self.set.is_some() && self.missing().is_empty()
            }
            _ => true,
        }
    }

    /// Returns the value brought by a seat, `None` if the seat is free.
    pub(crate) fn at(&self, seat: Seat) -> Option<&Brings> {
        self.seats.get(&seat)
    }

    /// Returns the number of chairs, `None` if no table was formed.
    pub(crate) fn chairs(&self) -> Option<usize> {
        self.set.as_ref().map(|(.., chairs)| *chairs)
    }

    /// Returns the number of seats that are taken.
    pub(crate) fn joined(&self) -> usize {
        self.seats.len()
    }

    /// True if promised values are to be revealed now.
    pub(crate) fn is_due(&self) -> bool {
        self.due
    }

    /// True if a promise has been fulfilled: until the deal, settings and values are fixed.
    pub(crate) fn is_frozen(&self) -> bool {
        !self.dealt && self.seats.values().any(|of| matches!(of, Brings::Kept(_)))
    }

    /// Returns the seats that have yet to reveal their value.
    pub(crate) fn missing(&self) -> Vec<Seat> {
        let missing = |of: &Brings| matches!(of, Brings::Promise(_) | Brings::Owed);
        self.seats.iter().filter(|(_, of)| missing(of)).map(|(seat, _)| *seat).collect()
    }

    /// True if a seat has promised this value.
    pub(crate) fn is_promised(&self, seat: Seat, value: &str) -> bool {
        let promise = read_hex(value).map(|value| hex::encode(promise_of(&value)));
        matches!((self.at(seat), promise), (Some(Brings::Promise(of)), Ok(it)) if *of == it)
    }

    /// Returns the value that a seat mixes into the dice of this table, `None` if it has yet to be revealed.
    pub(crate) fn value(&self, table: &TableRow, seat: Seat) -> Option<String> {
        match self.at(seat)? {
            Brings::Nothing => {
                let before = self.sat.get(&seat)?.saturating_sub(1);
                Some(supposed(table, seat, before).ok()?)
            }
            Brings::Value(value) | Brings::Kept(value) => Some(value.clone()),
            Brings::Promise(_) | Brings::Owed => None,
        }
    }

    /// Returns the value for the next occupant of a seat, who brings `brought`; empty for a promise.
    pub(crate) fn value_of_next(
        &self,
        table: &TableRow,
        seat: Seat,
        brought: Brought,
    ) -> Result<String> {
        match brought {
            Brought::Nothing => {
                supposed(table, seat, self.sat.get(&seat).copied().unwrap_or_default())
            }
            Brought::Value(value) => Ok(hex::encode(value)),
            Brought::Promise(_) => Ok(String::new()),
        }
    }
}

fn set(
    game: &str,
    edition: &str,
    data: &str,
    options: &serde_json::Value,
    chairs: usize,
) -> TableSetup {
    let mut options = options.clone();
    if let Some(options) = options.as_object_mut() {
        options.remove(CARRIED);
    }
    if options.as_object().is_some_and(serde_json::Map::is_empty) {
        options = serde_json::Value::Null;
    }
    (game.to_owned(), edition.to_owned(), data.to_owned(), options, chairs)
}

/// Returns the value of a seat whose player brings none; `before` is the number of players who sat there
/// before. Zeros if the seed was fixed in advance.
fn supposed(table: &TableRow, seat: Seat, before: u32) -> Result<String> {
    if table.code != *table.dice {
        return Ok(hex::encode([0; 32]));
    }
    Ok(hex::encode(own_value(&table.dice, &read_hex(&table.seed)?, seat, before)))
}

/// `None` if the seat owes no value before the game begins; otherwise its promise, empty if the value is
/// brought anew.
pub(crate) async fn owed(db: &mut Session, table: &TableRow, seat: Seat) -> Result<Option<String>> {
    if table.stage != Stage::Forming {
        return Ok(None);
    }
    Ok(match BroughtValues::of(db, &table.code).await?.at(seat) {
        Some(Brings::Promise(promise)) => Some(promise.clone()),
        Some(Brings::Owed) => Some(String::new()),
        _ => None,
    })
}

/// Returns the row with its salt, and the hash of its occupant in the journal; `None` for a bot player.
pub(crate) async fn identified(
    tx: &mut Touched<'_>,
    row: &SeatRow,
) -> Result<(SeatRow, Option<String>)> {
    let Some(person) = &row.person else {
        return Ok((SeatRow { salt: None, ..row.clone() }, None));
    };
    let account = people::account_of(tx.db, person).await?.unwrap_or_default();
    let salt = row.salt.clone().unwrap_or_else(|| hex::encode(random::bytes::<32>()));
    let who = hex::encode(receipt::identity(&salt, account.as_str(), &row.name));
    Ok((SeatRow { salt: Some(salt), ..row.clone() }, Some(who)))
}

/// Records a new occupant of a seat.
pub(crate) async fn reseat(tx: &mut Touched<'_>, row: &SeatRow) -> Result<()> {
    let (row, who) = identified(tx, row).await?;
    overrides::reseat(tx, &row).await?;
    record(tx, &Event::Seated { seat: row.seat, house: row.house, who })
}
