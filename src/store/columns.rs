//! How types of ours stand in columns, in which there are only numbers and texts.

use sqlx::any::{Any, AnyTypeInfo};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::{Database, Decode, Encode, Type};

use crate::tables::HoldReason;
use crate::time::{Span, Time};

/// Yes or no, in a column of whole numbers: no is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flag(pub(super) bool);

impl From<Flag> for bool {
    fn from(Flag(is): Flag) -> Self {
        is
    }
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
                let into: fn(&$ours) -> $column = $into;
                Encode::<Any>::encode_by_ref(&into(self), buffer)
            }
        }

        impl<'r> Decode<'r, Any> for $ours {
            fn decode(value: <Any as Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
                let from: fn($column) -> $ours = $from;
                <$column as Decode<'r, Any>>::decode(value).map(from)
            }
        }
    };
}

in_columns!(Time, as i64, |time| time.milliseconds(), Time::from_milliseconds);
in_columns!(Span, as i64, |span| span.milliseconds(), Span::from_milliseconds);
in_columns!(Flag, as i64, |flag| flag.0.into(), |number| Flag(number != 0));
in_columns!(HoldReason, as String, |held| held.to_string(), HoldReason::from);
