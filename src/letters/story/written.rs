//! The parsed form of a story.

use smol_str::SmolStr;

use rules::text::Lang;
use rules::{Clause, Key, Seat};

/// A story, as written in its file.
#[derive(Clone, Debug)]
pub struct Story {
    /// The subject of the story, in one sentence.
    pub title: String,
    pub game: SmolStr,
    /// The clauses that the story must meet.
    pub clauses: Vec<Clause>,
    /// The rulings shown by the story, quoted word for word from the rules.
    pub quotes: Vec<String>,
    /// True if the story is worked out on paper: its expected lines are never rewritten.
    pub by_hand: bool,
    pub seats: usize,
    /// The table's options.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// The language of the players.
    pub lang: Lang,
    pub beginning: Beginning,
    /// The windows, in order.
    pub scenes: Vec<StoryScene>,
}

/// The beginning of a story's table.
#[derive(Clone, Debug)]
pub enum Beginning {
    /// The moves of the game master from a bare table, each with its line in the file.
    Given(Vec<(usize, String)>),
    /// A deal from this seed; its results are compared like those of a window.
    Dealt {
        seed: u64,
        /// The expected results of the deal.
        expected: Expected,
    },
}

/// One window of a story.
#[derive(Clone, Debug, Default)]
pub struct StoryScene {
    /// The dice set in advance: the seat, the question and the value of each.
    pub dice: Vec<StoryOverride>,
    /// The questions decided by the game master.
    pub forced: Vec<StoryOverride>,
    /// The turns that the game master decides to skip (true), or not to skip.
    pub skipped: Vec<(Seat, bool)>,
    /// The parts sent back by the game master.
    pub sent_back: Vec<(Seat, Key)>,
    /// The standing orders given before the window opens, in the seats' own words.
    pub orders: Vec<(Seat, String)>,
    /// The immediate acts in the open window, in order, before any declaration.
    pub acts: Vec<ActInWords>,
    /// The declaration of each seat, in its own words.
    pub declared: Vec<(Seat, String)>,
    /// The pieces of a seat's text that cannot be parsed.
    pub misread: Vec<(Seat, String)>,
    /// The notes on a seat's declaration, one each; `-` is none.
    pub noted: Vec<(Seat, String)>,
    /// The expected results of the window.
    pub expected: Expected,
}

/// An immediate act of a seat.
#[derive(Clone, Debug)]
pub struct ActInWords {
    pub seat: Seat,
    /// The act, in the seat's own words.
    pub words: String,
    /// The expected results; `refused` for an act that must be refused.
    pub expected: Expected,
}

/// The expected line of an act that must be refused.
pub(super) const REFUSED: &str = "refused";

/// A value set in advance.
#[derive(Clone, Debug)]
pub struct StoryOverride {
    /// The line number in the file.
    pub line: usize,
    /// The seat of the question; `None` for a die of the whole table.
    pub seat: Option<Seat>,
    pub key: Key,
    /// The answer, in words.
    pub words: String,
}

/// The expected lines of a window or an act.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The number of the file's line after which they stand.
    pub after: usize,
    /// The lines with their numbers in the file.
    pub lines: Vec<(usize, String)>,
}
