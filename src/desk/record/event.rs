//! What happens at a table. The journal keeps it whole, enough to play the game again; everybody is
//! told of it what they may know ([`Event::visible_to`]).

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::desk::model::overrides::Override;
use crate::desk::model::struck::Struck;
use crate::desk::model::text::write_json;
use crate::ids::{OverrideNumber, WindowNumber, or_before_first};
use crate::rules::{Act, Entry, Round, Seat};
use crate::store::{StoreError, Touched};
use crate::tables::absence::Away;
use crate::tables::{Absence, CloseReason, EndKind};
use crate::time::{Span, Time};

/// Writes into the journal what has happened.
pub(in crate::desk) fn record(
    touched: &mut Touched<'_>,
    event: &Event,
    now: Time,
) -> Result<(), StoreError> {
    touched.record(write_json(&event.clone().without_reason())?, now)
}

/// Something that has happened at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
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
    Due {
        /// Those who have promised one.
        seats: Vec<Seat>,
    },
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
        /// Whether nothing was sealed in it, as all that was asked was done at once.
        openly: bool,
        /// The salted hashes of what was sealed, and whose each is, as far as that may be known.
        sealed: Vec<(Option<Seat>, String)>,
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
        /// Whether the table was paused.
        paused: bool,
        /// Whether it was locked.
        #[serde(default)]
        locked: bool,
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
        /// Whether nothing is sealed in the window, as all that is asked is done at once.
        openly: bool,
        /// Whether the window closes on a full quarter of an hour once they have sealed.
        on_a_quarter: bool,
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
        /// What becomes of a deadline within that time.
        rule: Away,
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
        /// When it goes on by itself, where that is known.
        until: Option<Time>,
    },
    /// Somebody took a seat for which a player was sought.
    Taken {
        seat: Seat,
        /// When the open window closes, if it was put off for them.
        closes: Option<Time>,
    },
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
        /// Why, in their words. Not in the journal, where it could not be forgotten.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
        /// Who alone is told, where the table is not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alone: Option<Vec<Seat>>,
        /// What it undoes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undone: Option<Undone>,
        /// When the open window closes now that something was undone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closes: Option<Time>,
    },
    /// The game is over, or was ended.
    Over {
        how: EndKind,
        /// The seed, in hex digits.
        seed: String,
        /// Why it was ended, in the host's words. Not in the journal, where it could not be
        /// forgotten.
        reason: Option<String>,
    },
}

/// An override that another undoes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    pub what: Override,
    /// Whether the table had been told of it.
    pub public: bool,
}

impl Event {
    /// A game master has decided something, and everybody is told.
    pub(in crate::desk) fn decided(
        number: OverrideNumber,
        window: Option<WindowNumber>,
        what: Override,
        reason: String,
    ) -> Self {
        let (voted, alone, undone, closes) = (false, None, None, None);
        Self::Overridden { number, window, what, voted, reason, alone, undone, closes }
    }

    /// The root window of what something has brought, and that.
    pub(in crate::desk) fn brought(self) -> Option<(Round, Vec<Entry<Json>>)> {
        match self {
            Self::Dealt { entries, .. } => Some((Round::DEAL, entries)),
            Self::Closed { window, entries, .. } | Self::Acted { window, entries, .. } => {
                Some((window, entries))
            }
            _ => None,
        }
    }

    /// That a window closed, and nothing of what was sealed in it or came of it.
    pub(in crate::desk) fn without_result(mut self) -> Self {
        if let Self::Closed { awaited, sealed, entries, state, .. } = &mut self {
            (*awaited, *sealed, *entries) = (Vec::new(), Vec::new(), Vec::new());
            state.clear();
        }
        self
    }

    /// It without the words of whoever decided it, which stand where they can be forgotten.
    #[must_use]
    pub fn without_reason(mut self) -> Self {
        match &mut self {
            Self::Overridden { reason, .. } => reason.clear(),
            Self::Over { reason, .. } => *reason = None,
            _ => {}
        }
        self
    }
}
