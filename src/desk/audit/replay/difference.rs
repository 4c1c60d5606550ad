//! The differences between a replay and the stored data.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::pin::pin;
use std::sync::Once;

use chrono::DateTime;
use futures_util::FutureExt;
use serde::Serialize;
use serde_json::Value as Json;

use crate::model::Override;
use crate::record::Event;
use letters::PostedHead;
use rules::receipt::Head;
use rules::{Entry, Item, Key, Round, Seat};
use store::JournalRow;
use tables::{Time, WindowNumber};

/// A journal entry.
pub(crate) type StoredEntry = Entry<Json>;

/// A difference between the replay and the stored data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The subject of the difference.
    pub what: Differs,
    /// The number of the window; `None` for the table as a whole.
    pub number: Option<WindowNumber>,
    /// The root window, counted from 0, which is the deal.
    pub window: Option<Round>,
    /// The seat, or the player of the turn or the question.
    pub seat: Option<Seat>,
    pub question: Option<Key>,
    /// The value that follows from the rules and the sealings; empty for none.
    pub expected: String,
    /// The stored value; empty for none.
    pub found: String,
}

/// The subject of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Differs {
    /// The hash of the seed at the beginning of the journal.
    Commitment,
    /// The seed revealed at the end.
    Seed,
    /// The settings of the table.
    Options,
    /// The value of a seat that is mixed into the seed.
    Value,
    /// The deal, if it cannot be repeated.
    Deal,
    /// The state at the opening of a window: neither the result of the window before nor that of a decision.
    Ground,
    /// A declaration that counted without being sealed.
    Seal,
    Event,
    /// The state after a window.
    State,
    /// The face of a die.
    Die,
    /// The end of the table: whether it ended, and how.
    End,
    /// The name of the table in its dice keys.
    Name,
    /// The order of the journal, if it is impossible.
    Order,
    /// The seats asked in a window.
    Asked,
    /// The decisions of game masters, and their undo states.
    Decision,
    /// A bot player's declaration or act that its policy does not make.
    Policy,
    /// The people on the seats.
    Seating,
    /// The time of an event, or the reason of a closing.
    Times,
}

impl Difference {
    pub(crate) fn of(what: Differs, expected: impl Display, found: impl Display) -> Self {
        Self {
            what,
            number: None,
            window: None,
            seat: None,
            question: None,
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }

    /// Returns the difference between several values at once: only those that differ.
    pub(crate) fn of_each(what: Differs, expected: &[String], found: &[String]) -> Self {
        let written = |values: &[String]| {
            let pairs = values.iter().zip(expected.iter().zip(found));
            let differing = pairs.filter(|(_, (expected, found))| expected != found);
            let values = differing.map(|(value, _)| value.as_str());
            values.filter(|value| !value.is_empty()).collect::<Vec<_>>().join(", ")
        };
        Self::of(what, written(expected), written(found))
    }

    /// Returns the difference between two values of a flag.
    pub(crate) fn of_flag(what: Differs, flag: &str, expected: bool, found: bool) -> Self {
        let written = |is_so: bool| format!("\"{flag}\":{is_so}");
        Self::of(what, written(expected), written(found))
    }

    pub(crate) fn at(self, seat: Seat) -> Self {
        Self { seat: Some(seat), ..self }
    }

    pub(crate) fn in_window(self, number: WindowNumber, window: Round) -> Self {
        Self { number: Some(number), window: Some(window), ..self }
    }
}

/// Returns a time as it is written in UTC, to the millisecond.
pub(crate) fn in_utc(time: Time) -> String {
    let utc = DateTime::from_timestamp_millis(time.milliseconds());
    utc.map_or_else(|| time.to_string(), |utc| utc.format("%F %T%.3f UTC").to_string())
}

/// Returns the first difference between replayed and stored entries.
pub(crate) fn of_entries(expected: &[StoredEntry], found: &[StoredEntry]) -> Option<Difference> {
    let longest = expected.len().max(found.len());
    let place = (0..longest).find(|&place| expected.get(place) != found.get(place))?;
    let (expected, found) = (expected.get(place), found.get(place));
    let written = |entry: Option<&StoredEntry>| {
        entry.map(|entry| serde_json::json!(entry.item).to_string()).unwrap_or_default()
    };
    let entry = expected.or(found)?;
    let (seat, question) = match &entry.item {
        Item::Ruling(ruling) => (Some(ruling.seat), ruling.key.clone()),
        Item::Event(_) => (entry.turn, None),
    };
    let differs = Difference::of(Differs::Event, written(expected), written(found));
    Some(Difference { seat, question, ..differs })
}

/// The hash of each journal entry, and the last root window announced by then, counted from 0, which is the
/// deal; `None` before the deal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heads(Vec<([u8; 32], Option<Round>)>);

impl Heads {
    /// Appends the next entry.
    pub(crate) fn hear(&mut self, row: &JournalRow, happened: &Event) {
        let before = self.0.last().and_then(|(_, window)| *window);
        let window = match happened {
            Event::Dealt { .. } => Some(Round::DEAL),
            Event::Closed { round, .. } => Some(*round),
            _ => before,
        };
        let mut hash = [0; 32];
        // An invalid hash matches no head; the invalid hash itself is reported as a difference.
        let _ = hex::decode_to_slice(&row.hash, &mut hash);
        self.0.push((hash, window));
    }

    /// Returns two heads whose order of posting contradicts the journal, the first posted first.
    pub fn disordered<'a>(&self, heads: &'a [Head]) -> Option<(&'a Head, &'a Head)> {
        let place = |head: &Head| self.0.iter().position(|(hash, _)| head.is_of(hash));
        let found: Vec<(usize, &Head)> =
            heads.iter().filter_map(|head| Some((place(head)?, head))).collect();
        let wrong = found.windows(2).find(|pair| pair[1].0 < pair[0].0)?;
        Some((wrong[0].1, wrong[1].1))
    }

    /// Looks up each head in the journal.
    pub fn hold(&self, heads: &[Head]) -> Vec<PostedHead> {
        let of = |head: &Head| self.0.iter().find(|(hash, _)| head.is_of(hash));
        let posted = |head: &Head| {
            let window = of(head).map(|(_, window)| window.map_or(-1, |round| round.get().into()));
            // The whole hash is posted only at the end, and nothing can follow it.
            let last = self.0.last().is_some_and(|(hash, _)| head.is_of(hash));
            let followed = head.is_whole() && window.is_some() && !last;
            PostedHead { said: head.to_string(), found: window.is_some(), window, followed }
        };
        heads.iter().map(posted).collect()
    }
}

/// The player on a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sitter {
    /// The policy of a bot player, `None` for a person.
    pub(crate) house: Option<String>,
    /// The hash of the person's identity, `None` for a bot player.
    pub(crate) who: Option<String>,
}

pub(crate) type Sitters = BTreeMap<Seat, Sitter>;

/// The current and the earlier people on the seats.
#[derive(Debug, Default)]
pub(crate) struct SeatingHistory {
    now: Sitters,
    /// The people on the seats before the seatings of the current decision.
    before: Sitters,
    /// Every player who has ever sat on a seat.
    all: Vec<(Seat, Sitter)>,
    /// The people before and after each decision, by its number, for undos.
    made: BTreeMap<u32, (Sitters, Sitters)>,
}

impl SeatingHistory {
    /// Follows the next entry. False if the entry contradicts the seats.
    pub(crate) fn hear(&mut self, happened: &Event) -> bool {
        match happened {
            Event::Joined { seat, house, who, .. } => {
                self.sit(*seat, house.clone(), who.clone());
                self.before = self.now.clone();
                house.is_some() != who.is_some()
            }
            Event::Left { seat, .. } => {
                self.now.remove(seat);
                self.before = self.now.clone();
                true
            }
            Event::Replaced { seat, house } => {
                self.sit(*seat, Some(house.clone()), None);
                self.before = self.now.clone();
                true
            }
            Event::Seated { seat, house, who } => {
                self.sit(*seat, house.clone(), who.clone());
                house.is_some() != who.is_some()
            }
            Event::Taken { seat, .. } => {
                let fits = self.changed() == [*seat] && self.is_person(*seat);
                self.before = self.now.clone();
                fits
            }
            Event::Overridden { number, what, .. } => {
                let fits = self.fits(what);
                let before = std::mem::replace(&mut self.before, self.now.clone());
                self.made.insert(number.get(), (before, self.now.clone()));
                fits
            }
            _ => true,
        }
    }

    /// Returns the current people on the seats.
    pub(crate) fn sitters(&self) -> &Sitters {
        &self.now
    }

    /// Returns the current player on a seat.
    pub(crate) fn at(&self, seat: Seat) -> Option<&Sitter> {
        self.now.get(&seat)
    }

    /// True if a person with this hash has ever sat on the seat.
    pub(crate) fn has_sat(&self, seat: Seat, who: &str) -> bool {
        self.all.iter().any(|(of, sitter)| *of == seat && sitter.who.as_deref() == Some(who))
    }

    fn sit(&mut self, seat: Seat, house: Option<String>, who: Option<String>) {
        let sitter = Sitter { house, who };
        self.all.push((seat, sitter.clone()));
        self.now.insert(seat, sitter);
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.at(seat).is_some_and(|sitter| sitter.who.is_some())
    }

    /// Returns the seats whose player has changed.
    fn changed(&self) -> Vec<Seat> {
        let changed =
            self.now.iter().filter(|(seat, sitter)| self.before.get(seat) != Some(*sitter));
        changed.map(|(seat, _)| *seat).collect()
    }

    /// True if the changes of seats are those that the decision makes.
    fn fits(&self, what: &Override) -> bool {
        let changed = self.changed();
        let only = |seat: &Seat| changed.iter().all(|other| other == seat);
        match what {
            Override::House { seat, policy } => {
                only(seat) && self.at(*seat).is_some_and(|of| of.house.as_ref() == Some(policy))
            }
            Override::Kick { seat } => only(seat) && !self.is_person(*seat),
            Override::Replace { seat } => changed == [*seat] && self.is_person(*seat),
            Override::Swap { a, b } => {
                let was = |seat: &Seat| self.before.get(seat);
                a != b && self.at(*a) == was(b) && self.at(*b) == was(a)
            }
            Override::Undo { number } => {
                // An undo restores the people from before the undone decision.
                let made = self.made.get(&number.get());
                changed.iter().all(|seat| {
                    made.is_some_and(|(before, _)| before.get(seat) == self.now.get(seat))
                })
            }
            _ => changed.is_empty(),
        }
    }
}

thread_local! {
    /// True while panics of this thread are reported to the caller alone.
    static TOLD: Cell<bool> = const { Cell::new(false) };
}

/// Runs the work; `None` if it panics.
pub(crate) async fn safely<T>(work: impl Future<Output = T>) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !TOLD.get() {
                before(panic);
            }
        }));
    });
    let mut work = pin!(AssertUnwindSafe(work).catch_unwind());
    let done = std::future::poll_fn(|context| {
        TOLD.set(true);
        let polled = work.as_mut().poll(context);
        TOLD.set(false);
        polled
    });
    done.await.ok()
}

#[cfg(test)]
mod tests {
    use super::{Difference, Differs, in_utc};
    use tables::time::Time;

    #[test]
    fn of_several_values_those_that_differ_are_told_and_times_in_utc() {
        let values = |closed: i64, awaited: &str| {
            [in_utc(Time::from_milliseconds(closed)), "deadline".to_owned(), awaited.to_owned()]
        };
        let differs = Difference::of_each(Differs::Times, &values(0, "P1 P3"), &values(61_001, ""));
        assert_eq!(differs.expected, "1970-01-01 00:00:00.000 UTC, P1 P3");
        assert_eq!(differs.found, "1970-01-01 00:01:01.001 UTC");
    }
}
