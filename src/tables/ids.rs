//! What things are counted and called by: each has a type, so that one cannot stand for another.

use std::fmt;
use std::num::{ParseIntError, TryFromIntError};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Numbers that count one kind of thing, from 0.
macro_rules! numbers {
    ($($(#[$about:meta])* $name:ident,)*) => {$(
        $(#[$about])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            pub const FIRST: Self = Self(0);

            /// The one that has so many before it.
            pub const fn new(before: u32) -> Self {
                Self(before)
            }

            /// How many are before it.
            pub const fn get(self) -> u32 {
                self.0
            }

            /// As people count, from 1.
            pub const fn from_one(self) -> u32 {
                self.0.saturating_add(1)
            }

            #[must_use]
            pub const fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }
        }

        impl TryFrom<i64> for $name {
            type Error = TryFromIntError;

            fn try_from(number: i64) -> Result<Self, TryFromIntError> {
                number.try_into().map(Self)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(digits: &str) -> Result<Self, ParseIntError> {
                digits.parse().map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        /// Tests say plain numbers.
        #[cfg(test)]
        impl PartialEq<u32> for $name {
            fn eq(&self, number: &u32) -> bool {
                self.0 == *number
            }
        }
    )*};
}

numbers! {
    /// A window of a table, those within a root window counted too.
    WindowNumber,
    /// A decision of a game master, or of the table, at a table. People are shown it from 1.
    OverrideNumber,
    /// An entry of a table's journal.
    EntryNumber,
    /// A vote of a table.
    VoteNumber,
    /// A call for a player of a table.
    CallNumber,
}

/// Texts by which one kind of thing is called, whatever stands in them.
macro_rules! ids {
    ($($(#[$about:meta])* $name:ident,)*) => {$(
        $(#[$about])*
        #[derive(
            Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id)
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self(id.to_owned())
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, id: &str) -> bool {
                self.0 == id
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, id: &&str) -> bool {
                self.0 == *id
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// A table, by what people type to name it.
    TableCode,
    /// Who somebody is outside of this house, such as `terminal:桜`.
    AccountId,
    /// Where letters go: the place where a table is played, or where somebody reads their own.
    Address,
    /// Who somebody is in this house, whatever they are called outside of it.
    PersonId,
    /// What a game master has been shown, and can decide.
    ProposalId,
}

/// What the accounts of people begin with whom nobody knows any more.
const ERASED: &str = "erased:";

impl AccountId {
    /// The account of somebody whom nobody knows any more, by what tells them from the others.
    pub fn erased(id: &str) -> Self {
        Self(format!("{ERASED}{id}"))
    }

    /// True if nobody knows any more whose account it was.
    pub fn is_erased(&self) -> bool {
        self.0.starts_with(ERASED)
    }
}

/// The number of a window, or, as -1, that of none: where the first has yet to open.
pub mod or_before_first {
    use std::num::TryFromIntError;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use super::WindowNumber;

    /// What stands for none.
    pub const BEFORE_FIRST: i64 = -1;

    /// As a plain number.
    pub fn number(window: Option<WindowNumber>) -> i64 {
        window.map_or(BEFORE_FIRST, |number| number.get().into())
    }

    /// From a plain number.
    ///
    /// # Errors
    /// If no window has it.
    pub fn window(number: i64) -> Result<Option<WindowNumber>, TryFromIntError> {
        (number != BEFORE_FIRST).then(|| number.try_into()).transpose()
    }

    pub fn serialize<S: Serializer>(
        window: &Option<WindowNumber>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        number(*window).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<WindowNumber>, D::Error> {
        window(i64::deserialize(from)?).map_err(de::Error::custom)
    }
}
