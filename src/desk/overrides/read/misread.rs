//! What can be wrong with a decision in words.

use serde::Serialize;
use serde_json::json;

use crate::desk::model::overrides::Verb;
use crate::desk::overrides::bench::Bench;
use crate::desk::record::letter::moment;
use crate::letters::DecreeMisread;
use crate::letters::{LetterFault, Letters, Moment, Reader, UnreadPiece};
use crate::rules::{Fault, Round, Seat};
use crate::tables::PaceFault;
use crate::tables::absence::AbsenceFault;

/// At most so much of a text is quoted, in characters.
const QUOTED: usize = 40;

/// Why a text says no decision. What was said is quoted as it was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DecreeFault {
    /// Nothing that can be decided goes by this word.
    Unknown {
        said: String,
        /// Words that look like it, best first.
        nearest: Vec<String>,
    },
    /// Nothing has been rehearsed that could be decided.
    Nothing,
    /// What belongs behind the verb is not there.
    Lacks { verb: Verb },
    /// Nothing belongs behind the verb, or not so much.
    Surplus {
        verb: Verb,
        /// What stands there.
        said: String,
    },
    /// It is no point in time.
    NoTime {
        verb: Verb,
        /// What stands there.
        said: String,
    },
    /// Nobody sits there.
    NoSeat {
        /// What stands there.
        said: String,
        /// Names that look like it, best first.
        nearest: Vec<String>,
        seats: Vec<Seat>,
    },
    /// Nobody can be called this.
    NoName {
        /// What stands there.
        said: String,
        /// How long a name is at most, in characters.
        longest: usize,
    },
    /// It is no part of a declaration.
    NoPart {
        /// What stands there.
        said: String,
        /// The parts that are asked for.
        parts: Vec<String>,
    },
    /// It is no move of the game master's.
    NoMove {
        /// What stands there; nothing if nothing does.
        said: String,
        moves: Vec<MoveLine>,
    },
    /// A move of the game master's of which too little is said to do anything.
    Unfinished {
        /// The move, and what can still be said of it.
        part: MoveLine,
    },
    /// No such die is thrown.
    NoDie {
        /// What stands there.
        said: String,
        dice: Vec<String>,
    },
    /// A die does not show that.
    NoFace {
        /// What stands there.
        said: String,
        /// What the die is called.
        die: String,
        /// Whether it was named, and not the only one.
        is_named: bool,
        /// What it can show; nothing where that is not written.
        faces: Vec<String>,
    },
    /// The dice of the open window are none of a blind game master's business.
    Hidden,
    /// No window has been closed yet.
    NoLast,
    /// There is no such window.
    NoWindow {
        /// What stands there.
        said: String,
        windows: Vec<WindowLine>,
    },
    /// There is no decision of this number.
    NoDecision {
        /// What stands there.
        said: String,
        most: usize,
    },
    /// No house player plays like that.
    NoPolicy {
        /// What stands there.
        said: String,
        /// How they play.
        policies: Vec<String>,
    },
    /// It is no pace.
    #[serde(skip)]
    NoPace(PaceFault),
    /// It does not say what becomes of those who are missing.
    #[serde(skip)]
    NoAbsence(AbsenceFault),
    /// Something in the game's own words that cannot be read.
    #[serde(skip)]
    Unread(UnreadPiece),
    /// A move of the game master's that cannot be made.
    #[serde(skip)]
    Faulty(Box<Fault>),
}

/// A move of the game master's, as it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveLine {
    /// The word with which it begins.
    pub mark: String,
    pub asks: Vec<String>,
}

/// A window, as it is chosen by its number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WindowLine {
    /// The root window, counted from 0, which is the deal.
    pub window: Round,
    /// When it opened.
    pub at: Moment,
}

impl DecreeFault {
    pub(in crate::desk) fn no_window(bench: &Bench, said: &str) -> Self {
        let zone = bench.sight.pace.zone;
        let windows = bench
            .windows
            .iter()
            .map(|window| WindowLine { window: window.window, at: moment(window.at, zone) });
        Self::NoWindow { said: quote(said), windows: windows.collect() }
    }

    /// What is wrong, and what would be right.
    pub fn words(&self, letters: &Letters, reader: &Reader) -> Result<String, LetterFault> {
        match self {
            Self::NoPace(fault) => letters.pace_fault(reader, fault),
            Self::NoAbsence(fault) => letters.absence_fault(reader, fault),
            Self::Unread(unread) => letters.misread(reader, std::slice::from_ref(unread)),
            Self::Faulty(fault) => letters.faults(reader, std::slice::from_ref(&**fault)),
            fault => {
                let verb = match fault {
                    Self::Lacks { verb }
                    | Self::Surplus { verb, .. }
                    | Self::NoTime { verb, .. } => verb.word(reader.lang),
                    _ => "",
                };
                letters.write(reader, &DecreeMisread { fault: json!(fault), verb })
            }
        }
    }
}

/// What was said, as it is quoted.
pub(super) fn quote(text: &str) -> String {
    text.trim().chars().take(QUOTED).collect()
}
