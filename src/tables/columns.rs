//! Column values of types of a table, for a database that has only numbers and texts.

use rules::in_columns;

use crate::absence::Keeping;
use crate::ids::{
    AccountId, Address, CallNumber, EntryNumber, OverrideNumber, PersonId, ProposalId, TableCode,
    VoteNumber, WindowNumber,
};
use crate::time::{Span, Time};
use crate::{
    Absence, CloseReason, HoldReason, Notified, Pace, PersonSettings, Stage, TableSettings,
    VoteOutcome,
};

/// Stores types as numbers.
macro_rules! numbers {
    ($($number:ty),*) => {$(
        in_columns!($number, as i64, |number| Ok(number.get().into()), |number| Ok(number.try_into()?));
    )*};
}

/// Stores types as words.
macro_rules! words {
    ($($word:ty),*) => {$(
        in_columns!($word, as String, |word| Ok(word.to_string()), |word| Ok(word.parse()?));
    )*};
}

/// Stores types as ids.
macro_rules! ids {
    ($($id:ty),*) => {$(
        in_columns!($id, as String, |id| Ok(id.as_str().to_owned()), |id| Ok(id.into()));
    )*};
}

/// Stores types as JSON.
macro_rules! documents {
    ($($document:ty),*) => {$(
        in_columns!(
            $document, as String,
            |document| Ok(serde_json::to_string(document)?),
            |text| Ok(serde_json::from_str(&text)?)
        );
    )*};
}

ids!(AccountId, Address, PersonId, ProposalId, TableCode);
numbers!(WindowNumber, OverrideNumber, EntryNumber, VoteNumber, CallNumber);
words!(Stage, CloseReason, Keeping, VoteOutcome, Notified);
documents!(Absence, Pace, PersonSettings, TableSettings);
in_columns!(HoldReason, as String, |held| Ok(held.to_string()), |text| Ok(text.into()));
in_columns!(Time, as i64, |time| Ok(time.milliseconds()), |time| Ok(Time::from_milliseconds(time)));
in_columns!(Span, as i64, |span| Ok(span.milliseconds()), |span| Ok(Span::from_milliseconds(span)));
