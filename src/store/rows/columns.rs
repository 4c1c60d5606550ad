//! Column values of types of this crate, for columns of numbers and texts, and statements of many rows.

use std::fmt::{self, Write};
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::any::{Any, AnyArguments};
use sqlx::error::BoxDynError;
use sqlx::query::{Query, QueryAs};
use sqlx::{Arguments, Encode, Type};

use crate::database::error::StoreError;
use rules::Seat;
use rules::in_columns;
use rules::seat::NoSuchSeat;
use tables::ids::{WindowNumber, or_before_first};

/// A truth value as a whole number: 0 for false.
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

/// A count, in a column of whole numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count<N>(pub(crate) N);

/// The number of a window in a column, -1 for `None`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrBeforeFirst(pub(crate) Option<WindowNumber>);

/// The window of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostedWindow {
    /// No window: the first has yet to open.
    BeforeFirst,
    Number(WindowNumber),
    /// No window: the table is over.
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

impl From<OrBeforeFirst> for Option<WindowNumber> {
    fn from(OrBeforeFirst(window): OrBeforeFirst) -> Self {
        window
    }
}

/// A statement with its values.
pub(crate) type Statement = Query<'static, Any, AnyArguments>;

/// Returns values as the arguments of a statement.
pub(crate) fn arguments(values: impl Values) -> sqlx::Result<AnyArguments> {
    let mut arguments = AnyArguments::default();
    values.add_to(&mut arguments).map_err(sqlx::Error::Encode)?;
    Ok(arguments)
}

/// A query for rows of this type.
pub(crate) type RowQuery<R> = QueryAs<'static, Any, R, AnyArguments>;

/// The values of a statement, in order.
pub(crate) trait Values {
    const COUNT: usize;

    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), BoxDynError>;
}

/// Implements [`Values`] for a tuple, and for the shorter ones.
macro_rules! values {
    () => {};
    ($value:ident: $type:ident $(, $values:ident: $types:ident)*) => {
        impl<'t, $type: Encode<'t, Any> + Type<Any>, $($types: Encode<'t, Any> + Type<Any>,)*>
            Values for ($type, $($types,)*)
        {
            const COUNT: usize = 1 + <($($types,)*)>::COUNT;

            fn add_to(self, arguments: &mut AnyArguments) -> Result<(), BoxDynError> {
                let ($value, $($values,)*) = self;
                arguments.add($value)?;
                $(arguments.add($values)?;)*
                Ok(())
            }
        }

        values!($($values: $types),*);
    };
}

values!(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L);

impl Values for () {
    const COUNT: usize = 0;

    fn add_to(self, _: &mut AnyArguments) -> Result<(), BoxDynError> {
        Ok(())
    }
}

/// A value, and those after it.
pub(crate) struct First<A, V>(pub(crate) A, pub(crate) V);

impl<'t, A: Encode<'t, Any> + Type<Any>, V: Values> Values for First<A, V> {
    const COUNT: usize = 1 + V::COUNT;

    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), BoxDynError> {
        arguments.add(self.0)?;
        self.1.add_to(arguments)
    }
}

/// The style of the parameters in a statement of many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// Numbered, as a server requires.
    Numbered,
    /// Unnumbered, in order: SQLite would search each number among all others.
    InOrder,
}

impl Marks {
    /// Returns the parameters of rows with columns, the first of the statement.
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

    /// Returns a statement that makes JSON, with `{list}` and `{object}` replaced by the database's
    /// functions.
    pub(crate) fn with_json(self, statement: &str) -> String {
        let (list, object) = match self {
            Self::Numbered => ("json_agg", "json_build_object"),
            Self::InOrder => ("json_group_array", "json_object"),
        };
        statement.replace("{list}", list).replace("{object}", object)
    }
}

/// Parses a hash in hex digits from the database.
pub fn read_hex(digits: &str) -> Result<[u8; 32], StoreError> {
    let mut bytes = [0; 32];
    let broken = |error: hex::FromHexError| StoreError::Unreadable(error.to_string());
    hex::decode_to_slice(digits, &mut bytes).map_err(broken)?;
    Ok(bytes)
}

/// Parses a JSON document from the database.
pub fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Unreadable(error.to_string()))
}

/// Writes a document as JSON for the database.
pub fn write_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Failed(error.to_string()))
}

/// Defines the columns of counts.
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
in_columns!(Seats, as String, |seats| Ok(seats.to_string()), |text| Ok(text.parse()?));
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
