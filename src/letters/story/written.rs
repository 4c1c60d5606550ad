//! A story as it is written.

use smol_str::SmolStr;

use rules::text::Lang;
use rules::{Clause, Key, Seat};

/// All that a story says.
#[derive(Clone, Debug)]
pub struct Story {
    /// What it shows, in one sentence.
    pub title: String,
    pub game: SmolStr,
    /// The clauses it shows.
    pub clauses: Vec<Clause>,
    /// What it shows of the rulings that the rules follow, word for word as they are written.
    pub quotes: Vec<String>,
    /// Worked out on paper: its expected lines are never rewritten.
    pub by_hand: bool,
    /// How many play.
    pub seats: usize,
    /// The table's options.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// The language the players write.
    pub lang: Lang,
    /// How the table came to be.
    pub beginning: Beginning,
    /// The windows, in order.
    pub scenes: Vec<StoryScene>,
}

/// How a story's table came to be.
#[derive(Clone, Debug)]
pub enum Beginning {
    /// The GM's moves from a bare table, each with its line in the file.
    Given(Vec<(usize, String)>),
    /// Dealt from this seed; what the deal brought is expected like a window.
    Dealt {
        seed: u64,
        /// What must have happened.
        expected: Expected,
    },
}

/// One window of a story.
#[derive(Clone, Debug, Default)]
pub struct StoryScene {
    /// The dice that are decided in advance: whose, for which question, and what they show.
    pub dice: Vec<StoryOverride>,
    /// The questions that the GM decides.
    pub forced: Vec<StoryOverride>,
    /// The turns that the GM decides to be skipped, or not to be.
    pub skipped: Vec<(Seat, bool)>,
    /// The parts that the GM sends back.
    pub sent_back: Vec<(Seat, Key)>,
    /// The standing orders that seats leave before the window opens, in their own words.
    pub orders: Vec<(Seat, String)>,
    /// What is done at once while the window is open, in order, before anything is declared.
    pub acts: Vec<ActInWords>,
    /// What each seat declares, in its own words.
    pub said: Vec<(Seat, String)>,
    /// The pieces of a seat's text that cannot be read.
    pub misread: Vec<(Seat, String)>,
    /// What must have happened.
    pub expected: Expected,
}

/// Something that a seat does at once.
#[derive(Clone, Debug)]
pub struct ActInWords {
    pub seat: Seat,
    /// What, in the seat's own words.
    pub words: String,
    /// What must have happened at once; of an act that must be refused, `refused`.
    pub expected: Expected,
}

/// The expected line of an act that must be refused.
pub(super) const REFUSED: &str = "refused";

/// Something decided in advance.
#[derive(Clone, Debug)]
pub struct StoryOverride {
    /// The line in the file.
    pub line: usize,
    /// Whose question; none for a die of the whole table.
    pub seat: Option<Seat>,
    pub key: Key,
    /// The answer, in words.
    pub words: String,
}

/// The expected lines of a window.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The line of the file behind which they stand.
    pub after: usize,
    /// Their lines in the file, and what stands there.
    pub lines: Vec<(usize, String)>,
}
