//! What does not come as it was told.

use serde::Serialize;
use serde_json::Value as Json;

use rules::{Entry, Item, Key, Round, Seat};
use tables::ids::WindowNumber;

/// What was told.
pub(crate) type ToldEntry = Entry<Json>;

/// Something that does not come as it was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What it is about.
    pub what: Differs,
    /// The number of the window; none of the table as a whole.
    pub number: Option<WindowNumber>,
    /// Its root window, counted from 0, which is the deal.
    pub window: Option<Round>,
    /// Whose turn, question or seat it is about.
    pub seat: Option<Seat>,
    pub question: Option<Key>,
    /// What follows from the rules and what was sealed; empty for nothing.
    pub expected: String,
    /// What is kept instead; empty for nothing.
    pub found: String,
}

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Differs {
    /// The hash of the seed that the journal begins with.
    Commitment,
    /// The seed that was shown at the end.
    Seed,
    /// What the table was set to.
    Options,
    /// What a seat has mixed into the seed.
    Value,
    /// The deal cannot be made again.
    Deal,
    /// What a window began with: neither what the one before it came to nor what a decision has
    /// made of that.
    Ground,
    /// What counted was not sealed.
    Seal,
    Event,
    /// What a window came to.
    State,
    /// What a die showed.
    Die,
    /// True if and how the table is over.
    End,
    /// What the table is called where its dice are keyed.
    Name,
    /// What the journal tells cannot have happened in that order.
    Order,
    /// Who was asked in a window.
    Asked,
    /// What game masters have decided, or undone.
    Decision,
    /// A house player has declared or done something else than its policy decides.
    Policy,
    /// The people on the seats.
    Seating,
    /// When something was, or why.
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

    /// Of something that is so or is not.
    pub(crate) fn of_flag(what: Differs, flag: &str, expected: bool, found: bool) -> Self {
        let said = |is_so: bool| format!("\"{flag}\":{is_so}");
        Self::of(what, &said(expected), &said(found))
    }

    pub(crate) fn at(self, seat: Seat) -> Self {
        Self { seat: Some(seat), ..self }
    }

    pub(crate) fn in_window(self, number: WindowNumber, window: Round) -> Self {
        Self { number: Some(number), window: Some(window), ..self }
    }
}

/// The first entry that comes otherwise than it was told.
pub(crate) fn of_entries(expected: &[ToldEntry], found: &[ToldEntry]) -> Option<Difference> {
    let longest = expected.len().max(found.len());
    let place = (0..longest).find(|&place| expected.get(place) != found.get(place))?;
    let (expected, found) = (expected.get(place), found.get(place));
    let said = |entry: Option<&ToldEntry>| {
        entry.map(|entry| serde_json::json!(entry.item).to_string()).unwrap_or_default()
    };
    let told = expected.or(found)?;
    let (seat, question) = match &told.item {
        Item::Ruling(ruling) => (Some(ruling.seat), ruling.key.clone()),
        Item::Event(_) => (told.turn, None),
    };
    let differs = Difference::of(Differs::Event, &said(expected), &said(found));
    Some(Difference { seat, question, ..differs })
}
