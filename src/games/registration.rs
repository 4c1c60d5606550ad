//! The declaration of a game: `game!` implements its part of the engine and its built-in files, `edition!`
//! the types of its numbers.

/// Declares a game by its key, with the types of its options, state and events, and the function of each part
/// of its rules.
///
/// Its state type has the methods `bare`, `asked`, `finish` and `seen_by`; its event type has `seen_by`,
/// `tally` and `countable`. A game whose cards are data names the module of its
/// `sets`: the known ones, and the faults of the built-in one.
macro_rules! game {
    ($game:ident = $key:literal of $options:ty, $state:ty, $event:ty {
        setup: $setup:path,
        round: $round:path,
        turn: $turn:path,
        $(
            act: $act:path, is_shown: $is_shown:path,
            $(may_take_back: $may_take_back:path, at_stake: $at_stake:path,)?
        )?
        $(orders: $orders:path, $(ordered: $ordered:path,)?)?
        amend: $amend:path,
        reshuffle: $reshuffle:path,
        procedure: $procedure:path,
        standing: $standing:path,
        $(sides: $sides:path,)?
        $(cards: $cards:literal,)?
        $(sets: $set:ident,)?
    }) => {
        impl ::rules::Game for $game {
            const KEY: &'static str = $key;
            type Options = $options;
            type State = $state;
            type Event = $event;

            fn seats() -> std::ops::RangeInclusive<usize> {
                edition::EDITION.players.least..=edition::EDITION.players.most
            }

            fn bare(options: &$options, seats: usize) -> $state {
                <$state>::bare(options, seats)
            }

            $crate::registration::game! { @asks setup $setup }
            $crate::registration::game! { @asks round $round }
            $crate::registration::game! { @asks turn $turn, seat: ::rules::Seat }
            $(
                $crate::registration::game! { @asks act $act, seat: ::rules::Seat }

                fn is_shown(event: &$event) -> bool {
                    $is_shown(event)
                }

                $(
                    fn may_take_back(
                        declaration: &::rules::Declaration,
                    ) -> Result<(), Option<&'static str>> {
                        $may_take_back(declaration)
                    }

                    fn at_stake(
                        seen: &$state,
                        draft: &::rules::Declaration,
                        act: &::rules::Declaration,
                    ) -> Option<&'static str> {
                        $at_stake(seen, draft, act)
                    }
                )?
            )?
            $(
                fn orders(
                    state: &$state,
                    seat: ::rules::Seat,
                    referee: &mut ::rules::Referee<'_, Self>,
                ) -> ::rules::Play<()> {
                    $orders(state, seat, referee)
                }

                $(
                    fn ordered(
                        seen: &$state,
                        orders: &::rules::Declaration,
                        question: &::rules::Question,
                    ) -> Option<::rules::Value> {
                        $ordered(seen, orders, question)
                    }
                )?
            )?
            $crate::registration::game! { @asks amend $amend }

            fn finish(state: &mut $state) {
                state.finish();
            }

            fn reshuffle(state: &mut $state, referee: &mut ::rules::Referee<'_, Self>) {
                $reshuffle(state, referee);
            }

            fn asked(state: &$state) -> ::rules::BySeat<bool> {
                state.asked()
            }

            $(
                fn sides(state: &$state) -> ::rules::BySeat<Option<::rules::Side>> {
                    $sides(state)
                }
            )?

            fn seen_by(state: &$state, viewer: ::rules::Viewer) -> $state {
                state.seen_by(viewer)
            }

            fn event_seen_by(
                state: &$state,
                event: &$event,
                viewer: ::rules::Viewer,
            ) -> Option<$event> {
                event.seen_by(state, viewer)
            }

            fn procedure(state: &$state) -> ::rules::Procedure {
                $procedure(state)
            }

            fn standing(state: &$state) -> Option<Vec<::rules::Place>> {
                $standing(state)
            }

            fn tally(event: &$event, count: &mut ::rules::ItemCounter<'_>) {
                event.tally(count);
            }

            fn countable() -> Vec<(&'static str, smol_str::SmolStr)> {
                <$event>::countable()
            }
        }

        impl $crate::playable::GameFiles for $game {
            const WORDS: (&'static str, &'static str) =
                ::rules::built_in_file!("data/", $key, "/words.toml");
            const DATA: &'static [(&'static str, &'static str)] =
                &[edition::FILE];
            const REPLACEABLE: &'static [&'static str] = &[
                edition::FILE.0,
                $game::WORDS.0,
                $(concat!("data/", $key, "/", $cards),)?
                $($set::FILE.0, $set::PHRASES_FILE.0,)?
            ];
            const RULES: &'static str = ::rules::built_in_file!("docs/rules/", $key, ".md").1;
            const SAMPLES: (&'static str, &'static str) =
                ::rules::built_in_file!("templates/", $key, "/samples.jsonl");

            fn edition() -> &'static $crate::playable::Edition {
                use $crate::playable::Edition;
                static BUILT_IN: std::sync::LazyLock<Edition> =
                    std::sync::LazyLock::new(|| {
                        let text = |file: &_| ::rules::data::in_use(*file).1;
                        let files = $game::DATA.iter().map(|file| (file.0, text(file)));
                        Edition::of(&edition::EDITION.edition, files.collect())
                    });
                &BUILT_IN
            }

            $crate::registration::game! { @lexicon $game $($set)? }

            $(
                fn card_file() -> Option<&'static ::rules::data::BuiltIn<$crate::card_texts::CardTexts>> {
                    use $crate::card_texts::CardTexts;
                    static CARDS: ::rules::data::BuiltIn<CardTexts> = ::rules::data::BuiltIn::new(|| {
                        let file = ::rules::built_in_file!("data/", $key, "/", $cards);
                        let file = ::rules::data::in_use(file);
                        CardTexts::parse(file, $game::words(), $game::RULES)
                    });
                    Some(&CARDS)
                }
            )?

            $(
                fn cards() -> &'static $crate::card_texts::CardTexts {
                    &$set::SETS.built_in().about.cards
                }

                fn sets() -> Option<&'static dyn $crate::cards::sets::AnySets> {
                    Some(*$set::SETS)
                }
            )?

            fn data_faults() -> Vec<::rules::data::DataFault> {
                let (numbers, words) = (edition::EDITION.fault(), $game::words().fault());
                // The texts of cards use the words.
                let is_sound = words.is_none();
                let faults = numbers.into_iter().chain(words);
                $(
                    let of_set =
                        || $crate::cards::sets::Sets::faults(&$set::BUILT_IN, &$set::PHRASES);
                    let faults = faults.chain(is_sound.then(of_set).into_iter().flatten());
                )?
                let cards = $game::card_file().filter(|_| is_sound);
                faults.chain(cards.and_then(::rules::data::BuiltIn::fault)).collect()
            }
        }

        impl $game {
            /// Returns the game's words, without the names of the cards of its sets.
            pub(crate) fn words() -> &'static ::rules::data::BuiltIn<::rules::text::Lexicon> {
                use $crate::playable::GameFiles;
                use ::rules::text::Lexicon;
                static WORDS: ::rules::data::BuiltIn<Lexicon> = ::rules::data::BuiltIn::new(|| {
                    let (file, text) = ::rules::data::in_use($game::WORDS);
                    Lexicon::parse(file, text)
                });
                &WORDS
            }
        }
    };
    (@lexicon $game:ident) => {
        fn lexicon() -> &'static ::rules::text::Lexicon {
            $game::words()
        }
    };
    (@lexicon $game:ident $set:ident) => {
        fn lexicon() -> &'static ::rules::text::Lexicon {
            $crate::cards::sets::AnySets::lexicon(*$set::SETS)
        }
    };
    (@asks $part:ident $way:path $(, $seat:ident: $type:ty)?) => {
        fn $part(
            state: &mut Self::State,
            $($seat: $type,)?
            referee: &mut ::rules::Referee<'_, Self>,
        ) -> ::rules::Play<()> {
            $way(state, $($seat,)? referee)
        }
    };
}
pub(crate) use game;

/// Declares the numbers of the rules by sections: a new type with its fields, or an existing type.
///
/// The edition's method `needs` lists the requirements of the rules: for each, true if it is met, the key in
/// the file, and the correction.
macro_rules! edition {
    ($key:literal {
        $($(#[$doc:meta])* $section:ident: $type:ident $({ $($fields:tt)+ })?,)+
    }) => {
        /// The path and text of the numbers' file.
        pub const FILE: (&str, &str) = ::rules::built_in_file!("data/", $key, "/edition.toml");

        /// The built-in edition. `shimekiri check` and a test check it against the requirements of the rules.
        pub static EDITION: ::rules::data::BuiltIn<Edition> =
            ::rules::data::BuiltIn::new(|| {
                let (file, text) = ::rules::data::in_use(FILE);
                Edition::parse(file, text)
            });

        /// The numbers of the rules; each field's clause is noted in the file.
        #[derive(Clone, Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Edition {
            pub edition: String,
            pub source: String,
            $(pub $section: $type,)+
        }

        $($crate::registration::edition! {
            @section [$(#[$doc])*] $type $({ $($fields)+ })?
        })+

        impl Edition {
            /// Parses the numbers, and checks them against the requirements of the rules.
            ///
            /// # Errors
            /// The file, the line and what would be right.
            pub fn parse(file: &str, text: &str) -> Result<Self, ::rules::data::DataFault> {
                let edition: Self = ::rules::data::parse(file, text)?;
                let unmet = edition.needs().into_iter().find(|(is_met, ..)| !is_met);
                unmet.map_or(Ok(edition), |(_, key, right)| {
                    Err(::rules::data::DataFault::at_key(file, text, key, right))
                })
            }
        }
    };
    (@section [$($doc:tt)*] $type:ident) => {};
    (@section [$($doc:tt)*] $type:ident { $($field:ident: $of:ty),+ $(,)? }) => {
        $($doc)*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $type {
            $(pub $field: $of,)+
        }
    };
}
pub(crate) use edition;
