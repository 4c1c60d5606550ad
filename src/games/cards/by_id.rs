//! The handles of a known set, and of its cards, lines and decks.

/// Compares a card of a set by its unique id, and orders cards as their set does. The type holds a
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

        $crate::pieces::stored_by_id!($name);
    };
}

pub(crate) use by_id;

/// Declares the known sets of a game: `FILE`, the path and text of the built-in set's file; `SETS`; `BUILT_IN`;
/// `PHRASES`; `set_of`; `Card`, a card of a known set; and `TableSet`, the set of a table, stored by its hash. The parsed
/// set has `name`, `version`, `cards` of the type `Printed`, and their places `by_id`.
macro_rules! table_set {
    ($game:literal, $set:ident) => {
        /// The path and text of the built-in set's file.
        pub(crate) const FILE: (&str, &str) =
            ::rules::built_in_file!("data/", $game, "/sets/starter.toml");

        /// The sets that this program knows.
        pub(crate) static SETS: ::std::sync::LazyLock<&$crate::cards::sets::Sets<$set>> =
            ::std::sync::LazyLock::new(|| match &*BUILT_IN {
                Ok(sets) => sets,
                Err(faults) => {
                    panic!("built-in data: {}", faults[0].written(::rules::text::Lang::En))
                }
            });

        /// The known sets, or every fault in the file of the built-in one.
        pub(crate) static BUILT_IN: ::std::sync::LazyLock<
            Result<$crate::cards::sets::Sets<$set>, Vec<$crate::cards::fault::SetFault>>,
        > = ::std::sync::LazyLock::new(|| $crate::cards::sets::Sets::new(::rules::data::in_use(FILE)));

        /// The path and text of the phrases' file.
        pub(crate) const PHRASES_FILE: (&str, &str) =
            ::rules::built_in_file!("data/", $game, "/effects.toml");

        /// The phrases of the texts of cards.
        pub(crate) static PHRASES: ::rules::data::BuiltIn<$crate::cards::phrases::Phrases> =
            ::rules::data::BuiltIn::new(|| {
                let (file, text) = ::rules::data::in_use(PHRASES_FILE);
                ::rules::data::parse(file, text)
            });

        /// A card of a known set.
        #[derive(Clone, Copy, Debug)]
        pub struct Card(&'static Printed);

        impl Card {
            /// The id of the card.
            pub fn word(self) -> &'static str {
                &self.0.id
            }

            /// The card's kind, with its printed values.
            pub fn kind(self) -> &'static CardKind {
                &self.0.kind
            }

            /// `None` if no known set has a card with this id.
            pub fn find(id: &str) -> Option<Self> {
                let (set, id) = set_of(id)?;
                set.by_id.get(id).map(|place| Self(&set.cards[*place]))
            }
        }

        impl ::std::ops::Deref for Card {
            type Target = Printed;

            fn deref(&self) -> &Printed {
                self.0
            }
        }

        $crate::cards::by_id::by_id!(Card);

        /// The set of a table.
        #[derive(Clone, Copy, Debug)]
        pub struct TableSet(&'static $crate::cards::sets::KnownSet<$set>);

        impl TableSet {
            /// All cards, in the order of the set.
            pub fn cards(self) -> impl Iterator<Item = Card> {
                self.0.set.cards.iter().map(Card)
            }

            /// The words of the game with the names of the set.
            pub(crate) fn lexicon(self) -> &'static ::rules::text::Lexicon {
                &self.0.about.lexicon
            }

            /// The name and the version of the set, for letters.
            pub(crate) fn about(self) -> ::serde_json::Value {
                let $set { name, version, .. } = &self.0.set;
                ::serde_json::json!({
                    "ja": name.ja,
                    "en": name.en,
                    "version": version,
                    "ours": self == Self::default(),
                })
            }
        }

        impl Default for TableSet {
            fn default() -> Self {
                Self(SETS.built_in())
            }
        }

        impl PartialEq for TableSet {
            fn eq(&self, other: &Self) -> bool {
                ::std::ptr::eq(self.0, other.0)
            }
        }

        impl Eq for TableSet {}

        impl ::serde::Serialize for TableSet {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0.about.hash)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for TableSet {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let input = <::smol_str::SmolStr as ::serde::Deserialize>::deserialize(deserializer)?;
                let known = SETS.called(&input).map(Self);
                known.ok_or_else(|| ::serde::de::Error::custom(format!("there is no set {input:?}")))
            }
        }

        /// Returns the set with a card or deck, and its id in the file. An id without a mark is of the
        /// built-in set.
        fn set_of(id: &str) -> Option<(&'static $set, &str)> {
            match id.split_once($crate::cards::hash::MARK_SIGN) {
                Some((id, mark)) => SETS.of_mark(mark).map(|known| (&known.set, id)),
                None => Some((&SETS.built_in().set, id)),
            }
        }
    };
}

pub(crate) use table_set;
