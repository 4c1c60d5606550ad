//! What the journal tells: enough to play the game again.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::desk::model::overrides::Override;
use crate::desk::model::struck::Struck;
use crate::desk::model::text::write_json;
use crate::ids::{OverrideNumber, WindowNumber, or_before_first};
use crate::rules::{Act, Entry, Round, Seat};
use crate::store::{StoreError, Touched};
use crate::tables::{Absence, CloseReason};
use crate::time::{Span, Time};

/// Writes into the journal.
pub(in crate::desk) fn record(
    touched: &mut Touched<'_>,
    happened: &Happened,
    now: Time,
) -> Result<(), StoreError> {
    touched.record(write_json(happened)?, now)
}

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Happened {
    /// The table was formed.
    Formed {
        /// The game's word.
        game: String,
        /// The edition of its rules.
        edition: String,
        /// The hash of that edition's data files, in hex digits.
        data: String,
        options: Json,
        chairs: usize,
        /// What the dice are keyed by beside the seed.
        dice: String,
        /// The hash of both, in hex digits.
        commitment: String,
        /// Nothing but chance, in hex digits: no head of the journal can be guessed by what it
        /// does not tell yet.
        salt: String,
    },
    /// The host has set the table otherwise.
    Settled {
        /// The game's word.
        game: String,
        /// The edition of its rules.
        edition: String,
        /// The hash of that edition's data files, in hex digits.
        data: String,
        options: Json,
        chairs: usize,
    },
    /// Somebody sat down.
    Joined {
        seat: Seat,
        /// The policy, of a house player.
        house: Option<String>,
        /// What they mix into the seed, in hex digits; none if it follows from the drawn one, or is
        /// promised.
        value: Option<String>,
        /// The promise of it, in hex digits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        promise: Option<String>,
    },
    /// Somebody stood up before the start.
    Left {
        seat: Seat,
        /// Whether a promise had been kept by then: all promises end, and everybody who brings
        /// something brings it anew.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        anew: bool,
    },
    /// The host would begin, and whoever has promised a value is to tell it.
    Due,
    /// Somebody told the value that they had promised.
    Kept {
        seat: Seat,
        /// What they mix into the seed, in hex digits.
        value: String,
    },
    /// A house player took the seat of somebody who is gone.
    Replaced { seat: Seat, house: String },
    /// The game was dealt.
    Dealt {
        /// The number of the window that opened with it.
        number: WindowNumber,
        /// What happened, whole.
        entries: Vec<Entry<Json>>,
        /// The state it came to, as a hash in hex digits.
        state: String,
    },
    /// A window was closed and resolved.
    Closed {
        number: WindowNumber,
        /// The root window, counted from 0, which is the deal.
        window: Round,
        /// Why it was closed.
        why: CloseReason,
        /// For whom it had waited.
        awaited: Vec<Seat>,
        /// The salted hashes of what was sealed, by seat.
        sealed: Vec<(Seat, String)>,
        /// When the result is announced.
        announced: Time,
        /// What happened, whole.
        entries: Vec<Entry<Json>>,
        /// The state it came to, as a hash in hex digits.
        state: String,
    },
    /// Somebody did something at once in an open window.
    Acted {
        /// The window's number.
        number: WindowNumber,
        /// The root window, counted from 0, which is the deal.
        window: Round,
        /// Who did what.
        act: Act,
        /// What happened, whole.
        entries: Vec<Entry<Json>>,
        /// The state it came to, as a hash in hex digits.
        state: String,
    },
    /// A deadline was moved, because nobody had kept it.
    Extended {
        number: WindowNumber,
        /// The new deadline.
        closes: Time,
        /// How long nobody had kept the deadlines.
        outage: Span,
    },
    /// A deadline was put off for somebody.
    PutOff {
        number: WindowNumber,
        /// Those who had sent nothing.
        missing: Vec<Seat>,
        away: Vec<Seat>,
        /// The new deadline.
        closes: Time,
    },
    /// After a deadline, those who are late may still seal.
    Grace {
        number: WindowNumber,
        late: Vec<Seat>,
        /// Until when.
        until: Time,
    },
    /// Turns came to something that their players had not declared.
    Struck { number: WindowNumber, struck: Vec<Struck> },
    /// Windows wait for a seat again.
    Back { seat: Seat },
    /// Somebody is away, or there again.
    Away {
        seat: Seat,
        /// From when until when; none if they are there again.
        away: Option<(Time, Time)>,
    },
    /// Somebody stands in for a seat, or nobody does any more.
    StoodIn {
        seat: Seat,
        /// Until when; none if nobody does.
        until: Option<Time>,
    },
    /// The host has set what becomes of those who are missing, from the next window on.
    Absence { absence: Absence },
    /// The table waits for its host.
    Held {
        number: WindowNumber,
        /// Why: a word, or what failed.
        why: String,
    },
    /// Somebody took a seat for which a player was sought.
    Taken { seat: Seat },
    /// A game master has decided something.
    Overridden {
        /// Its number at the table, from 0.
        number: OverrideNumber,
        /// The window that it touched.
        #[serde(with = "or_before_first")]
        window: Option<WindowNumber>,
        what: Override,
        /// Whether it was the table, by a vote.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        voted: bool,
    },
    /// The game is over, or was ended.
    Over {
        /// Whether it was ended before its end.
        ended: bool,
        /// Whether it was called off: nothing of it counts.
        #[serde(default)]
        cancelled: bool,
        /// The seed, in hex digits.
        seed: String,
    },
}
