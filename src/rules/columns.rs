//! Column values of types of the rules, for a database that has only numbers and texts.
//!
//! The orphan rule demands that these implementations stand in the crate of the types.

use crate::{Declaration, Seat, WindowKind};

/// Implements the `sqlx` traits of a type by those of the type of its column.
#[macro_export]
macro_rules! in_columns {
    ($ours:ty, as $column:ty, $into:expr, $from:expr) => {
        impl ::sqlx::Type<::sqlx::Any> for $ours {
            fn type_info() -> ::sqlx::any::AnyTypeInfo {
                <$column as ::sqlx::Type<::sqlx::Any>>::type_info()
            }

            fn compatible(info: &::sqlx::any::AnyTypeInfo) -> bool {
                <$column as ::sqlx::Type<::sqlx::Any>>::compatible(info)
            }
        }

        impl ::sqlx::Encode<'_, ::sqlx::Any> for $ours {
            fn encode_by_ref(
                &self,
                buffer: &mut <::sqlx::Any as ::sqlx::Database>::ArgumentBuffer,
            ) -> Result<::sqlx::encode::IsNull, ::sqlx::error::BoxDynError> {
                let into: fn(&$ours) -> Result<$column, ::sqlx::error::BoxDynError> = $into;
                ::sqlx::Encode::<::sqlx::Any>::encode(into(self)?, buffer)
            }
        }

        impl<'r> ::sqlx::Decode<'r, ::sqlx::Any> for $ours {
            fn decode(
                value: <::sqlx::Any as ::sqlx::Database>::ValueRef<'r>,
            ) -> Result<Self, ::sqlx::error::BoxDynError> {
                let from: fn($column) -> Result<$ours, ::sqlx::error::BoxDynError> = $from;
                from(<$column as ::sqlx::Decode<'r, ::sqlx::Any>>::decode(value)?)
            }
        }
    };
}

in_columns!(Seat, as i64, |seat| Ok(seat.index().try_into()?), |seat| Ok(seat.try_into()?));
in_columns!(WindowKind, as String, |kind| Ok(kind.to_string()), |word| Ok(word.parse()?));
in_columns!(
    Declaration, as String,
    |declaration| Ok(serde_json::to_string(declaration)?),
    |text| Ok(serde_json::from_str(&text)?)
);
