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

pub(crate) use {alternatives, pieces};
