//! For whom a letter is written: which game, which language, and what everything is called.

use std::fmt::Debug;
use std::sync::Arc;

use super::harmless::harmless;
use crate::rules::{Key, Seat};

/// A language of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    /// Japanese.
    Ja,
    /// English.
    En,
}

impl Lang {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::Ja, Self::En];

    /// Its code, `ja` or `en`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ja => "ja",
            Self::En => "en",
        }
    }
}

/// What the ids and the question keys of a game are called.
pub trait Vocabulary: Debug + Send + Sync {
    /// The name shown of a piece. What has no words names itself.
    fn name<'a>(&'a self, id: &'a str, lang: Lang) -> &'a str;

    /// The label of a question or a part.
    fn label<'a>(&'a self, key: &'a Key, lang: Lang) -> &'a str;
}

/// Where nothing has a name, everything names itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unnamed;

impl Vocabulary for Unnamed {
    fn name<'a>(&'a self, id: &'a str, _: Lang) -> &'a str {
        id
    }

    fn label<'a>(&'a self, key: &'a Key, _: Lang) -> &'a str {
        if key.name.is_empty() { &key.section } else { &key.name }
    }
}

/// For whom a letter is written.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The game's one word.
    pub game: &'static str,
    /// The language.
    pub lang: Lang,
    /// What the game's things are called.
    pub words: Arc<dyn Vocabulary>,
    /// What the players are called, by seat. Who has no name is called P1 and so on.
    pub names: Vec<String>,
}

impl Reader {
    /// A reader at a table where nobody has a name.
    pub fn new(game: &'static str, lang: Lang, words: Arc<dyn Vocabulary>) -> Self {
        Self { game, lang, words, names: Vec::new() }
    }

    /// The same with the players' names, by seat.
    #[must_use]
    pub fn with_names(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.names = names.into_iter().map(Into::into).collect();
        self
    }

    /// What a seat is called, shown harmlessly.
    pub(super) fn seat(&self, seat: Seat) -> String {
        let name = self.names.get(seat.index()).map(|name| harmless(name).trim().to_owned());
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| seat.name().to_owned())
    }

    /// What an id is called: a seat by its player, anything else by the game's words.
    pub(super) fn name(&self, id: &str) -> String {
        match seat_of(id) {
            Some(seat) => self.seat(seat),
            None => self.words.name(id, self.lang).to_owned(),
        }
    }
}

/// The seat that goes by this id.
pub(super) fn seat_of(id: &str) -> Option<Seat> {
    Seat::all(crate::rules::seat::MAX_SEATS).find(|seat| seat.name() == id)
}
