//! How values of ours stand in columns, in which there are only numbers and texts, and in statements.

use std::fmt::{self, Write};
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::any::{Any, AnyArguments};
use sqlx::query::{Query, QueryAs};

use crate::database::error::StoreError;
use rules::Seat;
use rules::in_columns;
use rules::seat::NoSuchSeat;
use tables::ids::{WindowNumber, or_before_first};

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
pub(crate) struct Count<N>(pub(crate) N);

/// The number of a window in a column in which -1 stands for none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrBeforeFirst(pub(crate) Option<WindowNumber>);

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
pub(crate) mod as_text {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        document: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = serde_json::to_string(document).map_err(S::Error::custom)?;
        serializer.serialize_str(&text)
    }

    pub(crate) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A statement with its values.
pub(crate) type Statement = Query<'static, Any, AnyArguments>;

/// A statement that gives rows of this kind.
pub(crate) type RowQuery<R> = QueryAs<'static, Any, R, AnyArguments>;

/// How values stand in a statement of many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// By their numbers, as a server wants them.
    Numbered,
    /// In order: an embedded database would look each number up among all others.
    InOrder,
}

impl Marks {
    /// The values of so many rows of so many columns, the first of the statement.
    pub(crate) fn values(self, rows: usize, columns: usize) -> String {
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
    pub(crate) fn with_json(self, statement: &str) -> String {
        let (list, object) = match self {
            Self::Numbered => ("json_agg", "json_build_object"),
            Self::InOrder => ("json_group_array", "json_object"),
        };
        statement.replace("{list}", list).replace("{object}", object)
    }
}

/// A hash as the database keeps it, in hex digits.
pub fn read_hex(digits: &str) -> Result<[u8; 32], StoreError> {
    let mut bytes = [0; 32];
    let broken = |error: hex::FromHexError| StoreError::Unreadable(error.to_string());
    hex::decode_to_slice(digits, &mut bytes).map_err(broken)?;
    Ok(bytes)
}

/// A document as the database keeps it, as JSON.
pub fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Unreadable(error.to_string()))
}

/// Writes a document for the database to keep.
pub fn write_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Failed(error.to_string()))
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

counts!(u32, u64, usize);
in_columns!(Seats, as String, |seats| Ok(seats.to_string()), |said| Ok(said.parse()?));
in_columns!(Flag, as i64, |flag| Ok(flag.0.into()), |number| Ok(Flag(number != 0)));
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
