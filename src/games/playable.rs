//! The additions to a game's rules that this program needs to play it.

use std::sync::LazyLock;

use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use smol_str::SmolStr;
use strum::VariantNames;

use super::canvas::Canvas;
use super::card_texts::CardTexts;
use super::cards::sets::AnySets;
use rules::data::{BuiltIn, DataFault};
use rules::dice::Stream;
use rules::playout::Random;
use rules::text::Lexicon;
use rules::{Game, Policy, Seat};

/// A file that is part of the program: its path and its text.
pub type BuiltInFile = (&'static str, &'static str);

/// The built-in files of a game, which `game!` finds by its key.
pub trait GameFiles: Game<Event: VariantNames> {
    /// The game's words.
    const WORDS: BuiltInFile;

    /// The game's data files without its words, in the order of their paths.
    const DATA: &'static [BuiltInFile];

    /// The paths of the data files whose text can be replaced ([`rules::data::replace`]).
    const REPLACEABLE: &'static [&'static str] = &[];

    /// The rules for people, the text of `docs/rules/<game>.md`.
    const RULES: &'static str;

    /// The samples: an event of each kind, one per line, to check the letters.
    const SAMPLES: BuiltInFile;

    /// Returns the edition, built once by [`Edition::of`] from its name and [`Self::DATA`].
    fn edition() -> &'static Edition;

    /// Returns the game's words, parsed once.
    fn lexicon() -> &'static Lexicon;

    /// Returns the file of the texts of the game's cards; `None` if it has no such file.
    fn card_file() -> Option<&'static BuiltIn<CardTexts>> {
        None
    }

    /// Returns the texts of the game's cards, parsed once.
    fn cards() -> &'static CardTexts {
        static NONE: LazyLock<CardTexts> = LazyLock::new(CardTexts::default);
        Self::card_file().map_or(&NONE, |cards| cards)
    }

    /// Returns the sets of cards that the game can be played with; `None` if its cards are not data.
    fn sets() -> Option<&'static dyn AnySets> {
        None
    }

    /// Returns every fault in the game's data files.
    fn data_faults() -> Vec<DataFault>;
}

/// The additions to a game's rules.
pub trait Playable: GameFiles {
    /// Returns the ids of the cards that a seat holds, and of those on the table that concern it. The state
    /// is filtered for the seat.
    fn cards_before(_: &Self::State, _: Seat) -> CardsBefore {
        CardsBefore::default()
    }

    /// The version of the policies, raised whenever one of them decides differently.
    const POLICIES_VERSION: u32 = 1;

    /// The policies apart from `random`, the weakest first, each with its name and constructor.
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)];

    /// Creates the policy `random`: any legal reply, within the rules for bot players.
    fn random(chance: Stream) -> Box<dyn Policy<Self>> {
        Box::new(Random::new(chance))
    }

    /// Returns the state as the letters show it, from a state filtered for the viewer.
    fn report(seen: &Self::State) -> Json;

    /// Lays out the picture of a table, which `board.svg` draws.
    ///
    /// # Errors
    /// If the report or the words of the picture lack something.
    fn board(_: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        Ok(Json::Null)
    }

    /// The options that a host can set: every field of [`Game::Options`] in the order of display, without
    /// `carried`.
    const OPTIONS: &'static [GameOption];

    /// `None` if the options fit the number of seats; otherwise an option that does not.
    fn misfit(_: &Self::Options, _seats: usize) -> Option<Misfit> {
        None
    }

    /// True if a bot player declares for a seat after its player has left, unless the host sets this
    /// otherwise: for games in which a silent seat spoils the game for all players.
    const HOUSE_FOR_GONE: bool = false;

    /// `None` if no decision was made in a player's stead; otherwise the clause of such a decision that an
    /// event, not a ruling, reports. Most games have no such event.
    fn decided_by(_: &Self::Event) -> Option<&'static str> {
        None
    }

    /// `None` if the game carries nothing over, as most do; otherwise the state for the next game of its kind
    /// in the same channel, which gets it as its option `carried`.
    fn carried(_: &Self::State) -> Option<Json> {
        None
    }
}

/// Creates a policy with this random stream.
pub type MakePolicy<G> = fn(Stream) -> Box<dyn Policy<G>>;

/// The name of the policy that every game has.
pub const RANDOM: &str = "random";

/// `None` if no policy has this name. Creates a policy of a game.
pub fn policy<G: Playable>(name: &str, chance: Stream) -> Option<Box<dyn Policy<G>>> {
    if name == RANDOM {
        return Some(G::random(chance));
    }
    let (_, make) = G::POLICIES.iter().find(|(known, _)| *known == name)?;
    Some(make(chance))
}

/// The distinct cards that concern a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardsBefore {
    pub held: Vec<SmolStr>,
    /// The open cards on the table that affect the seat.
    pub on_table: Vec<SmolStr>,
}

/// An option that a host can set for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOption {
    /// The field of the options.
    pub key: &'static str,
    /// The clause of the option.
    pub clause: &'static str,
    /// The possible values.
    pub values: &'static [&'static str],
    /// The values of another option with which this one counts; `None` if this one always counts.
    pub with: Option<(&'static str, &'static [&'static str])>,
}

impl GameOption {
    pub const fn new(
        key: &'static str,
        clause: &'static str,
        values: &'static [&'static str],
    ) -> Self {
        Self { key, clause, values, with: None }
    }

    /// Returns the option that this one depends on, or this one itself.
    pub fn with_key(&self) -> &'static str {
        self.with.map_or(self.key, |(key, _)| key)
    }

    /// Returns an option that counts only with these values of another.
    #[must_use]
    pub const fn with(self, key: &'static str, values: &'static [&'static str]) -> Self {
        Self { with: Some((key, values)), ..self }
    }
}

/// An option value that does not fit the number of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The field of the options.
    pub key: &'static str,
    /// The value of the option.
    pub value: &'static str,
    /// The clause that limits the number of seats.
    pub clause: &'static str,
    /// The minimum number of seats with this value.
    pub least: usize,
    /// The maximum number of seats with this value.
    pub most: usize,
}

/// The edition of the rules that a game was played by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// The name in the data files.
    pub name: String,
    /// The SHA-256 hash of the data files in the order of their paths. The input for each file: the path, a
    /// line feed, the length in bytes in decimal digits, a line feed, the bytes.
    pub data: [u8; 32],
}

impl Edition {
    /// Hashes the data files, each a path and its text, into an edition with this name.
    pub fn of(name: &str, mut files: Vec<(&str, &str)>) -> Self {
        files.sort_unstable();
        let mut hash = Sha256::new();
        for (path, text) in files {
            hash.update(format!("{path}\n{}\n", text.len()));
            hash.update(text);
        }
        Self { name: name.to_owned(), data: hash.finalize().into() }
    }
}
