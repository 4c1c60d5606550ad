//! Numbers and ids: each kind has its own type, so that one cannot be used for another.

use std::convert::Infallible;
use std::fmt;
use std::num::{ParseIntError, TryFromIntError};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Defines number types that count one kind of thing each, from 0.
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

            /// Returns the number of an item with this many items before it.
            pub const fn new(before: u32) -> Self {
                Self(before)
            }

            /// Returns the number of items before this one.
            pub const fn get(self) -> u32 {
                self.0
            }

            /// Returns the number as people count, from 1.
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

        /// Tests compare with plain numbers.
        #[cfg(test)]
        impl PartialEq<u32> for $name {
            fn eq(&self, number: &u32) -> bool {
                self.0 == *number
            }
        }
    )*};
}

numbers! {
    /// The number of a window of a table, counting the windows of suspensions too.
    WindowNumber,
    /// The number of a decision of a game master or of the table, shown to people from 1.
    OverrideNumber,
    /// The number of an entry in a table's journal.
    EntryNumber,
    /// The number of a vote of a table.
    VoteNumber,
    /// The number of a call for a player of a table.
    CallNumber,
}

/// Defines text ids of one kind of thing each, with any content.
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

        impl FromStr for $name {
            type Err = Infallible;

            fn from_str(id: &str) -> Result<Self, Infallible> {
                Ok(Self(id.to_owned()))
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
    /// The code of a table, as people type it.
    TableCode,
    /// The account of a person outside of this program, such as `terminal:桜`.
    AccountId,
    /// The address of letters: the place of a table, or of a person's own letters.
    Address,
    /// The id of a person in this program, for all their accounts.
    PersonId,
    /// The id of a decision proposed to a game master.
    ProposalId,
}

/// The prefix of the accounts of erased persons.
const ERASED: &str = "erased:";

impl AccountId {
    /// Returns the account of an erased person; this id makes it unique.
    pub fn erased(id: &str) -> Self {
        Self(format!("{ERASED}{id}"))
    }

    /// True if the person of the account was erased.
    pub fn is_erased(&self) -> bool {
        self.0.starts_with(ERASED)
    }
}

/// The number of a window, or -1 before the first window has opened.
pub mod or_before_first {
    use std::num::TryFromIntError;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use super::WindowNumber;

    /// The number that stands for no window.
    pub const BEFORE_FIRST: i64 = -1;

    /// Converts to a plain number.
    pub fn number(window: Option<WindowNumber>) -> i64 {
        window.map_or(BEFORE_FIRST, |number| number.get().into())
    }

    /// Converts from a plain number.
    ///
    /// # Errors
    /// If no window can have this number.
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
