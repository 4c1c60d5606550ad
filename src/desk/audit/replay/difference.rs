//! The differences between a replay and the stored data.

use chrono::DateTime;
use serde::Serialize;
use serde_json::Value as Json;

use rules::{Entry, Item, Key, Round, Seat};
use tables::ids::WindowNumber;
use tables::time::Time;

/// A journal entry.
pub(crate) type ToldEntry = Entry<Json>;

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
    /// The end of the table: present or not, and its kind.
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
    pub(crate) fn of(what: Differs, expected: &str, found: &str) -> Self {
        Self {
            what,
            number: None,
            window: None,
            seat: None,
            question: None,
            expected: expected.to_owned(),
            found: found.to_owned(),
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
        Self::of(what, &written(expected), &written(found))
    }

    /// Returns the difference between two values of a flag.
    pub(crate) fn of_flag(what: Differs, flag: &str, expected: bool, found: bool) -> Self {
        let written = |is_so: bool| format!("\"{flag}\":{is_so}");
        Self::of(what, &written(expected), &written(found))
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
pub(crate) fn of_entries(expected: &[ToldEntry], found: &[ToldEntry]) -> Option<Difference> {
    let longest = expected.len().max(found.len());
    let place = (0..longest).find(|&place| expected.get(place) != found.get(place))?;
    let (expected, found) = (expected.get(place), found.get(place));
    let written = |entry: Option<&ToldEntry>| {
        entry.map(|entry| serde_json::json!(entry.item).to_string()).unwrap_or_default()
    };
    let entry = expected.or(found)?;
    let (seat, question) = match &entry.item {
        Item::Ruling(ruling) => (Some(ruling.seat), ruling.key.clone()),
        Item::Event(_) => (entry.turn, None),
    };
    let differs = Difference::of(Differs::Event, &written(expected), &written(found));
    Some(Difference { seat, question, ..differs })
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
