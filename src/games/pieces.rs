//! Macros to declare the small enums of a game's rules.

/// Declares an enum whose members are listed and have ids, in the order of the rules.
macro_rules! pieces {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident => $id:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(::serde::Serialize, ::serde::Deserialize)]
        pub enum $name {
            $($(#[$member_doc])* #[serde(rename = $id)] $member,)*
        }

        impl $name {
            /// All members, in the order of the rules.
            pub const ALL: &'static [Self] = &[$(Self::$member,)*];

            /// The id in `words.toml`.
            pub fn word(self) -> &'static str {
                match self { $(Self::$member => $id,)* }
            }

            /// The position in [`Self::ALL`].
            pub fn index(self) -> usize {
                self as usize
            }
        }

        impl ::rules::Piece for $name {
            fn id(&self) -> ::smol_str::SmolStr {
                ::smol_str::SmolStr::new_static(self.word())
            }
        }
    };
}

/// Declares the alternatives of a question, each with its id in `words.toml`.
macro_rules! alternatives {
    ($name:ident { $($member:ident => $id:literal),+ }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $name { $($member,)+ }

        impl ::rules::Piece for $name {
            fn id(&self) -> ::smol_str::SmolStr {
                ::smol_str::SmolStr::new_static(match self { $(Self::$member => $id,)+ })
            }
        }
    };
}

/// Declares an option of a table with its values.
macro_rules! option {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident => $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[derive(::serde::Serialize, ::serde::Deserialize)]
        pub enum $name {
            $($(#[$member_doc])* #[serde(rename = $word)] $member,)+
        }

        impl $name {
            /// The values that a host can choose.
            pub(super) const VALUES: &'static [&'static str] = &[$($word,)+];
        }
    };
}

/// Stores pieces by their ids. Each type has `find`.
macro_rules! stored_by_id {
    ($($name:ident)+) => {$(
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&::rules::Piece::id(self))
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
    )+};
}

pub(crate) use {alternatives, option, pieces, stored_by_id};
