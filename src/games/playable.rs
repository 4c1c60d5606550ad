//! What a game adds to its rules to be played in this house.

use std::sync::LazyLock;

use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use super::canvas::Canvas;
use super::card_texts::CardTexts;
use rules::data::DataFault;
use rules::dice::Stream;
use rules::random::Random;
use rules::text::Lexicon;
use rules::{Game, Policy, Seat};

/// A file that is part of the program: its path and its text.
pub type BuiltInFile = (&'static str, &'static str);

/// The files of a game, which `game!` finds by its key.
pub trait GameFiles: Game {
    /// Its words.
    const WORDS: BuiltInFile;

    /// Its data files but its words, in the order of their paths.
    const DATA: &'static [BuiltInFile];

    /// Its rules for people, as `docs/rules/<game>.md` has them.
    const RULES: &'static str;

    /// What its cards do. A game may have no cards.
    const CARDS: Option<BuiltInFile> = None;

    /// An event of each kind, one in a line, for the letters' own check.
    const SAMPLES: BuiltInFile;

    /// Its edition, made once: [`Edition::of`] its name and [`Self::DATA`].
    fn edition() -> &'static Edition;

    /// Its words, read once.
    fn lexicon() -> &'static Lexicon;

    /// What its cards do, read once.
    fn cards() -> &'static CardTexts {
        static NONE: LazyLock<CardTexts> = LazyLock::new(CardTexts::default);
        &NONE
    }

    /// The fault in its data files.
    fn data_fault() -> Option<DataFault>;
}

/// What a game adds to its rules.
pub trait Playable: GameFiles {
    /// The cards that a seat holds, and those on the table, by their ids: of a state as that seat
    /// may know it.
    fn cards_before(_: &Self::State, _: Seat) -> CardsBefore {
        CardsBefore::default()
    }

    /// The version of its policies, which is another as soon as one of them decides otherwise.
    const POLICIES_VERSION: u32 = 1;

    /// Its policies beside `random`, the weakest first: the name of each, and how one is made.
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)];

    /// The policy `random`: anything that is legal, but for what the rules keep from a player
    /// without a person.
    fn random(chance: Stream) -> Box<dyn Policy<Self>> {
        Box::new(Random::new(chance))
    }

    /// The state as its letters show it, of a state as a viewer may know it.
    fn report(seen: &Self::State) -> Json;

    /// Where everything stands in the picture of a table: what its `board.svg` draws.
    ///
    /// # Errors
    /// If the report or the words of the picture lack something.
    fn board(_: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        Ok(Json::Null)
    }

    /// What a host can set for a table: every field of [`Game::Options`], in the order in which it
    /// is shown.
    const OPTIONS: &'static [GameOption];

    /// An option that cannot be played by so many, if there is one among these.
    fn misfit(_: &Self::Options, _seats: usize) -> Option<Misfit> {
        None
    }

    /// True if a house player declares for a seat that no window waits for, unless the host sets it
    /// otherwise: in a game in which a seat that says nothing spoils it for everybody.
    const HOUSE_FOR_GONE: bool = false;

    /// The clause by which something was decided in a player's stead, where an event tells it and
    /// no ruling does. In most games there is no such event.
    fn decided_by(_: &Self::Event) -> Option<&'static str> {
        None
    }

    /// How the game leaves things for the next of its kind in the same channel, which finds it in
    /// its options as `carried`. Most games leave nothing.
    fn carried(_: &Self::State) -> Option<Json> {
        None
    }
}

/// Makes a policy that has this chance.
pub type MakePolicy<G> = fn(Stream) -> Box<dyn Policy<G>>;

/// The policy that every game has.
pub const RANDOM: &str = "random";

/// A policy of a game, by its name.
pub fn policy<G: Playable>(name: &str, chance: Stream) -> Option<Box<dyn Policy<G>>> {
    if name == RANDOM {
        return Some(G::random(chance));
    }
    let (_, make) = G::POLICIES.iter().find(|(known, _)| *known == name)?;
    Some(make(chance))
}

/// The cards that somebody has before them, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardsBefore {
    pub held: Vec<SmolStr>,
    /// What lies open and acts on them.
    pub on_table: Vec<SmolStr>,
}

/// Something that a host can set for a table of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOption {
    /// The field of the options.
    pub key: &'static str,
    /// The clause that it is about.
    pub clause: &'static str,
    /// What it can be.
    pub values: &'static [&'static str],
}

/// An option that not everybody who could play the game can play it with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The field of the options.
    pub key: &'static str,
    /// What it is set to.
    pub value: &'static str,
    /// The clause that says for how many it is.
    pub clause: &'static str,
    /// So many play with it at least.
    pub least: usize,
    /// And at most.
    pub most: usize,
}

/// Which rules a game was played by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// What its data call it.
    pub name: String,
    /// SHA-256 over its data files in the order of their paths. Of each: the path, a line feed,
    /// its length in bytes in decimal digits, a line feed, its bytes.
    pub data: [u8; 32],
}

impl Edition {
    /// The edition with this name and these data files, each a path and its text.
    pub fn of(name: &str, files: &[(&str, &str)]) -> Self {
        let mut files = files.to_vec();
        files.sort_unstable();
        let mut hash = Sha256::new();
        for (path, text) in files {
            hash.update(format!("{path}\n{}\n", text.len()));
            hash.update(text);
        }
        Self { name: name.to_owned(), data: hash.finalize().into() }
    }
}
