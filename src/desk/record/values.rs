//! What each seat mixes into the dice, as the journal tells it until the deal.
//!
//! Whoever sits at a table and could learn everybody else's value before choosing their own could
//! choose the dice with it. So a value can be promised: it is told only once no other can be chosen
//! any more. This is the one place that knows the order in which that must happen; what is played
//! again is held against it as what happens is.

use std::collections::BTreeMap;

use crate::record::event::Event;
use rules::Seat;
use rules::dice::{Brought, own_value, promise_of};
use store::{Session, StoreError, TableRow, read_hex, read_json};
use tables::Stage;
use tables::ids::{EntryNumber, TableCode};

/// The option of a game that no host sets.
pub(crate) const CARRIED: &str = "carried";

/// What a seat has brought. Values and promises are in hex digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Brings {
    /// Nothing: its value follows from the drawn seed.
    Nothing,
    Value(String),
    Promise(String),
    /// The one that was promised.
    Kept(String),
    /// Promises have ended: it brings what it does anew.
    Owed,
}

/// What a table is set to: the game, its edition and its data, its options and its chairs. What is
/// carried over from another game follows from that one, and nobody sets it.
type TableSetup = (String, String, String, serde_json::Value, usize);

/// What the seats have brought so far.
#[derive(Debug, Default)]
pub(crate) struct BroughtValues {
    seats: BTreeMap<Seat, Brings>,
    /// How often somebody has sat down on each.
    sat: BTreeMap<Seat, u32>,
    set: Option<TableSetup>,
    /// True if the host would begin, and promises are to be kept.
    due: bool,
    dealt: bool,
}

impl BroughtValues {
    /// As the journal of a table tells it.
    pub(crate) async fn of(session: &mut Session, code: &TableCode) -> Result<Self, StoreError> {
        let mut values = Self::default();
        for row in session.journal(code, EntryNumber::FIRST).await? {
            values.hear(&read_json(&row.body)?);
            if values.dealt {
                break;
            }
        }
        Ok(values)
    }

    /// What has happened next. False: it cannot have.
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

    /// What a seat has brought, if somebody sits there.
    pub(crate) fn at(&self, seat: Seat) -> Option<&Brings> {
        self.seats.get(&seat)
    }

    /// The number of chairs; none if no table was formed.
    pub(crate) fn chairs(&self) -> Option<usize> {
        self.set.as_ref().map(|(.., chairs)| *chairs)
    }

    /// How many sit at the table.
    pub(crate) fn joined(&self) -> usize {
        self.seats.len()
    }

    /// True if promises are to be kept now.
    pub(crate) fn is_due(&self) -> bool {
        self.due
    }

    /// Whether a promise has been kept: from then on nobody comes, goes, or chooses anything.
    pub(crate) fn is_frozen(&self) -> bool {
        !self.dealt && self.seats.values().any(|of| matches!(of, Brings::Kept(_)))
    }

    /// The seats that have yet to tell what they bring.
    pub(crate) fn missing(&self) -> Vec<Seat> {
        let missing = |of: &Brings| matches!(of, Brings::Promise(_) | Brings::Owed);
        self.seats.iter().filter(|(_, of)| missing(of)).map(|(seat, _)| *seat).collect()
    }

    /// True if a seat has promised this value.
    pub(crate) fn is_promised(&self, seat: Seat, value: &str) -> bool {
        let promise = read_hex(value).map(|value| hex::encode(promise_of(&value)));
        matches!((self.at(seat), promise), (Some(Brings::Promise(of)), Ok(it)) if *of == it)
    }

    /// What a seat mixes into the dice of this table; none if it has yet to tell.
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

    /// What stands for a seat on which somebody sits down next who brings this; nothing yet for a
    /// promise.
    pub(crate) fn value_of_next(
        &self,
        table: &TableRow,
        seat: Seat,
        brought: Brought,
    ) -> Result<String, StoreError> {
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

/// The value of a seat that brings none, on which so many have sat down before. Where the seed was
/// said in advance, nothing is left to be drawn.
fn supposed(table: &TableRow, seat: Seat, before: u32) -> Result<String, StoreError> {
    if table.code != *table.dice {
        return Ok(hex::encode([0; 32]));
    }
    Ok(hex::encode(own_value(&table.dice, &read_hex(&table.seed)?, seat, before)))
}

/// What a seat has yet to tell before the game begins.
pub(crate) async fn owed(
    session: &mut Session,
    table: &TableRow,
    seat: Seat,
) -> Result<Option<String>, StoreError> {
    if table.stage != Stage::Forming {
        return Ok(None);
    }
    Ok(match BroughtValues::of(session, &table.code).await?.at(seat) {
        Some(Brings::Promise(promise)) => Some(promise.clone()),
        Some(Brings::Owed) => Some(String::new()),
        _ => None,
    })
}
