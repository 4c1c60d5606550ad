//! The handles of the cards, lines and decks of a known set.

/// Compares a card of a set by its id, which no other has, and orders it as its set does. The type holds a
/// reference to a printed part with `id` and `place`, and has `find`.
macro_rules! by_id {
    ($name:ident) => {
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                ::std::ptr::eq(self.0, other.0)
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<::std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> ::std::cmp::Ordering {
                self.0.place.cmp(&other.0.place).then_with(|| self.0.id.cmp(&other.0.id))
            }
        }

        impl ::std::hash::Hash for $name {
            fn hash<H: ::std::hash::Hasher>(&self, state: &mut H) {
                self.0.id.hash(state);
            }
        }

        impl ::rules::Piece for $name {
            fn id(&self) -> ::smol_str::SmolStr {
                self.0.id.clone()
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0.id)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let id = <::smol_str::SmolStr as ::serde::Deserialize>::deserialize(deserializer)?;
                let found = Self::find(&id);
                found.ok_or_else(|| ::serde::de::Error::custom(format!("{id:?} is in no set")))
            }
        }
    };
}

pub(crate) use by_id;
