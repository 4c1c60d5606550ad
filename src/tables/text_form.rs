//! The text form of an enum, short enough for the id of a control.

/// Implements `Display` and `FromStr` for an enum. The text of a variant is its word and its fields, each after
/// the separator; the last field may contain the separator. No other text than that of `Display` is parsed.
#[macro_export]
macro_rules! text_form {
    ($type:ty, $separator:literal, $error:ident, {
        $($word:literal => $variant:ident { $($field:tt),* },)*
    }) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Self::$variant { .. } => $word,)* })?;
                $($(if let Self::$variant { $field: field, .. } = self {
                    write!(f, "{}{field}", $separator)?;
                })*)*
                Ok(())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                let word = text.split($separator).next().unwrap_or_default();
                let parsed = match word {
                    $($word => {
                        let count = <[&str]>::len(&[$(stringify!($field)),*]);
                        #[allow(unused_mut, unused_variables, reason = "a variant may have no fields")]
                        let mut fields = text.splitn(count + 1, $separator).skip(1);
                        Self::$variant { $($field: {
                            let field = fields.next().ok_or($error)?;
                            field.parse().map_err(|_| $error)?
                        },)* }
                    })*
                    _ => return Err($error),
                };
                if parsed.to_string() == text { Ok(parsed) } else { Err($error) }
            }
        }
    };
}
