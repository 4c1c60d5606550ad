//! How values of ours stand in columns, in which there are only numbers and texts, and in statements.

use std::fmt::{self, Write};
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::any::{Any, AnyArguments, AnyTypeInfo};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::query::{Query, QueryAs};
use sqlx::{Database, Decode, Encode, Type};

use crate::ids::{
    AccountId, Address, CallNumber, EntryNumber, OverrideNumber, PersonId, ProposalId, TableCode,
    VoteNumber, WindowNumber, or_before_first,
};
use crate::rules::seat::NoSuchSeat;
use crate::rules::{Declaration, Seat, WindowKind};
use crate::store::database::error::StoreError;
use crate::tables::absence::Keeping;
use crate::tables::{
    Absence, CloseReason, HoldReason, Notified, Oversight, Pace, PersonSettings, ResultForm, Stage,
    VoteKind, VoteOutcome,
};
use crate::time::{Span, Time};

/// Yes or no, as a whole number: no is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub struct Flag(pub bool);

impl From<u8> for Flag {
    fn from(number: u8) -> Self {
        Self(number != 0)
    }
}

impl From<Flag> for u8 {
    fn from(Flag(is): Flag) -> Self {
        is.into()
    }
}

impl From<Flag> for bool {
    fn from(Flag(is): Flag) -> Self {
        is
    }
}

/// How many there are, in a column of whole numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Count<N>(pub(in crate::store) N);

/// The number of a window in a column in which -1 stands for none.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct OrBeforeFirst(pub(in crate::store) Option<WindowNumber>);

/// Of which window a post is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostedWindow {
    /// Of none: the first has yet to open.
    BeforeFirst,
    Number(WindowNumber),
    /// Of none: the table is over.
    Over,
}

/// Seats, such as `P1 P3`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats(pub Vec<Seat>);

impl FromStr for Seats {
    type Err = NoSuchSeat;

    fn from_str(text: &str) -> Result<Self, NoSuchSeat> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|seat| seat.name()).collect();
        f.write_str(&names.join(" "))
    }
}

/// A document that stands within another as it does in its column: as a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "T: Serialize + DeserializeOwned")]
pub struct AsText<T>(#[serde(with = "as_text")] pub T);

impl From<OrBeforeFirst> for Option<WindowNumber> {
    fn from(OrBeforeFirst(window): OrBeforeFirst) -> Self {
        window
    }
}

/// How a document stands within another as it does in its column.
pub(in crate::store) mod as_text {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::store) fn serialize<T: Serialize, S: Serializer>(
        document: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = serde_json::to_string(document).map_err(S::Error::custom)?;
        serializer.serialize_str(&text)
    }

    pub(in crate::store) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A statement with its values.
pub(in crate::store) type Statement = Query<'static, Any, AnyArguments>;

/// A statement that gives rows of this kind.
pub(in crate::store) type RowQuery<R> = QueryAs<'static, Any, R, AnyArguments>;

/// How values stand in a statement of many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Marks {
    /// By their numbers, as a server wants them.
    Numbered,
    /// In order: an embedded database would look each number up among all others.
    InOrder,
}

impl Marks {
    /// The values of so many rows of so many columns, the first of the statement.
    pub(in crate::store) fn values(self, rows: usize, columns: usize) -> String {
        let mut text = String::with_capacity(6 * rows * columns);
        for row in 0..rows {
            text.push_str(if row == 0 { "(" } else { "), (" });
            for column in 1..=columns {
                let comma = if column == 1 { "" } else { ", " };
                let _ = match self {
                    Self::Numbered => write!(text, "{comma}${}", row * columns + column),
                    Self::InOrder => write!(text, "{comma}?"),
                };
            }
        }
        text.push_str(if rows == 0 { "" } else { ")" });
        text
    }

    /// A statement that makes JSON, in which `{list}` and `{object}` stand for what makes them.
    pub(in crate::store) fn with_json(self, statement: &str) -> String {
        let (list, object) = match self {
            Self::Numbered => ("json_agg", "json_build_object"),
            Self::InOrder => ("json_group_array", "json_object"),
        };
        statement.replace("{list}", list).replace("{object}", object)
    }
}

/// A hash as the database keeps it, in hex digits.
pub(crate) fn read_hex(digits: &str) -> Result<[u8; 32], StoreError> {
    let mut bytes = [0; 32];
    let broken = |error: hex::FromHexError| StoreError::Unreadable(error.to_string());
    hex::decode_to_slice(digits, &mut bytes).map_err(broken)?;
    Ok(bytes)
}

/// A document as the database keeps it, as JSON.
pub(crate) fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Unreadable(error.to_string()))
}

/// Writes a document for the database to keep.
pub(crate) fn write_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Failed(error.to_string()))
}

/// A type that is bound and read as another is.
macro_rules! in_columns {
    ($ours:ty, as $column:ty, $into:expr, $from:expr) => {
        impl Type<Any> for $ours {
            fn type_info() -> AnyTypeInfo {
                <$column as Type<Any>>::type_info()
            }

            fn compatible(info: &AnyTypeInfo) -> bool {
                <$column as Type<Any>>::compatible(info)
            }
        }

        impl Encode<'_, Any> for $ours {
            fn encode_by_ref(
                &self,
                buffer: &mut <Any as Database>::ArgumentBuffer,
            ) -> Result<IsNull, BoxDynError> {
                let into: fn(&$ours) -> Result<$column, BoxDynError> = $into;
                Encode::<Any>::encode(into(self)?, buffer)
            }
        }

        impl<'r> Decode<'r, Any> for $ours {
            fn decode(value: <Any as Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
                let from: fn($column) -> Result<$ours, BoxDynError> = $from;
                from(<$column as Decode<'r, Any>>::decode(value)?)
            }
        }
    };
}

/// A count in a column.
macro_rules! counts {
    ($($number:ty),*) => {$(
        impl From<Count<$number>> for $number {
            fn from(Count(count): Count<$number>) -> Self {
                count
            }
        }

        in_columns!(
            Count<$number>, as i64, |count| Ok(count.0.try_into()?), |count| Ok(Self(count.try_into()?))
        );
    )*};
}

/// Numbers in columns.
macro_rules! numbers {
    ($($number:ty),*) => {$(
        in_columns!($number, as i64, |number| Ok(number.get().into()), |number| Ok(number.try_into()?));
    )*};
}

/// A word for each in a column.
macro_rules! words {
    ($($word:ty),*) => {$(
        in_columns!($word, as String, |word| Ok(word.to_string()), |word| Ok(word.parse()?));
    )*};
}

/// Ids in columns.
macro_rules! ids {
    ($($id:ty),*) => {$(
        in_columns!($id, as String, |id| Ok(id.as_str().to_owned()), |id| Ok(id.into()));
    )*};
}

/// Documents in columns, as JSON.
macro_rules! documents {
    ($($document:ty),*) => {$(
        in_columns!(
            $document, as String,
            |document| Ok(serde_json::to_string(document)?),
            |text| Ok(serde_json::from_str(&text)?)
        );
    )*};
}

counts!(u32, u64, usize);
ids!(AccountId, Address, PersonId, ProposalId, TableCode);
numbers!(WindowNumber, OverrideNumber, EntryNumber, VoteNumber, CallNumber);
words!(
    Stage,
    CloseReason,
    Oversight,
    ResultForm,
    Keeping,
    VoteKind,
    VoteOutcome,
    Notified,
    Seats,
    WindowKind
);
documents!(Absence, Declaration, Pace, PersonSettings);
in_columns!(HoldReason, as String, |held| Ok(held.to_string()), |said| Ok(said.into()));
in_columns!(Time, as i64, |time| Ok(time.milliseconds()), |time| Ok(Time::from_milliseconds(time)));
in_columns!(Span, as i64, |span| Ok(span.milliseconds()), |span| Ok(Span::from_milliseconds(span)));
in_columns!(Flag, as i64, |flag| Ok(flag.0.into()), |number| Ok(Flag(number != 0)));
in_columns!(Seat, as i64, |seat| Ok(seat.index().try_into()?), |seat| Ok(seat.try_into()?));
in_columns!(
    OrBeforeFirst, as i64,
    |window| Ok(or_before_first::number(window.0)),
    |number| Ok(Self(or_before_first::window(number)?))
);
in_columns!(
    PostedWindow, as i64,
    |window| Ok(match *window {
        Self::BeforeFirst => or_before_first::BEFORE_FIRST,
        Self::Number(number) => number.get().into(),
        Self::Over => i64::MAX,
    }),
    |number| Ok(match number {
        or_before_first::BEFORE_FIRST => Self::BeforeFirst,
        i64::MAX => Self::Over,
        number => Self::Number(number.try_into()?),
    })
);
