//! What can be wrong with a decision in words.

use serde::Serialize;

use crate::model::overrides::Verb;
use crate::overrides::bench::Bench;
use letters::template::typed::{letters, sampled_from};
use letters::{
    DESK, FaultLines, LetterFault, Letters, Moment, Reader, UnreadLines, UnreadPiece, samples,
};
use rules::{Fault, Round, Seat};
use tables::PaceFault;
use tables::absence::AbsenceFault;

/// At most so much of a text is quoted, in characters.
const QUOTED: usize = 40;

/// Why a text says no decision. What was said is quoted as it was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DecisionFault {
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
        /// True if it was named, and not the only one.
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

impl DecisionFault {
    pub(crate) fn no_window(bench: &Bench, said: &str) -> Self {
        let zone = bench.sight.pace.zone;
        let windows = bench
            .windows
            .iter()
            .map(|window| WindowLine { window: window.round, at: Moment::at(window.at, zone) });
        Self::NoWindow { said: quote(said), windows: windows.collect() }
    }

    /// What is wrong, and what would be right.
    pub fn words(&self, letters: &Letters, reader: &Reader) -> Result<String, LetterFault> {
        match self {
            Self::NoPace(fault) => letters.pace_fault(reader, fault),
            Self::NoAbsence(fault) => letters.absence_fault(reader, fault),
            Self::Unread(unread) => {
                letters.write(reader, &UnreadLines { unread: std::slice::from_ref(unread) })
            }
            Self::Faulty(fault) => {
                letters.write(reader, &FaultLines { faults: std::slice::from_ref(&**fault) })
            }
            fault => {
                let verb = match fault {
                    Self::Lacks { verb }
                    | Self::Surplus { verb, .. }
                    | Self::NoTime { verb, .. } => verb.word(reader.lang),
                    _ => "",
                };
                letters.write(reader, &DecisionMisread { fault, verb })
            }
        }
    }
}

/// What was said, as it is quoted.
pub(super) fn quote(text: &str) -> String {
    text.trim().chars().take(QUOTED).collect()
}

letters! {
    /// What can be wrong with a decision in words.
    LETTERS in DESK;

    /// Why a text says no decision, and what would be right. The verb is the word that was said,
    /// as it is shown.
    "decision_fault" struct DecisionMisread<'a> {
        fault: &'a DecisionFault,
        verb: &'a str = ["", "close"],
    }
}

sampled_from! { DecisionFault: fault_samples(); }

/// Every way in which a text can say no decision.
fn fault_samples() -> Vec<DecisionFault> {
    use DecisionFault as Fault;
    let said = || "9 @here".to_owned();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (verb, seats) = (Verb::Close, vec![Seat::new(0), Seat::new(1)]);
    let part = |asks: &[&str]| MoveLine { mark: "give".to_owned(), asks: words(asks) };
    let window = |window| WindowLine { window: Round::new(window), at: samples::moment() };
    let die = |is_named, faces: &[&str]| Fault::NoFace {
        said: said(),
        die: "x".to_owned(),
        is_named,
        faces: words(faces),
    };
    let mut faults = vec![
        Fault::Unknown { said: said(), nearest: words(&["extend"]) },
        Fault::Unknown { said: String::new(), nearest: Vec::new() },
        Fault::Nothing,
        Fault::Surplus { verb, said: said() },
        Fault::NoTime { verb, said: said() },
        Fault::NoSeat { said: said(), nearest: words(&["kaede"]), seats: seats.clone() },
        Fault::NoSeat { said: said(), nearest: Vec::new(), seats },
        Fault::NoName { said: said(), longest: 32 },
        Fault::NoPart { said: said(), parts: words(&["3", "4"]) },
        Fault::NoPart { said: said(), parts: Vec::new() },
        Fault::NoMove { said: String::new(), moves: vec![part(&["who", "what"]), part(&[])] },
        Fault::NoMove { said: said(), moves: vec![part(&["who"])] },
        Fault::Unfinished { part: part(&["who"]) },
        Fault::NoDie { said: said(), dice: words(&["x", "y"]) },
        Fault::NoDie { said: said(), dice: Vec::new() },
        die(true, &["4A"]),
        die(false, &[]),
        Fault::Hidden,
        Fault::NoLast,
        Fault::NoWindow { said: said(), windows: vec![window(0), window(1)] },
        Fault::NoWindow { said: String::new(), windows: Vec::new() },
        Fault::NoDecision { said: said(), most: 2 },
        Fault::NoDecision { said: said(), most: 0 },
        Fault::NoPolicy { said: said(), policies: words(&["random"]) },
    ];
    faults.extend(Verb::ALL.iter().map(|verb| Fault::Lacks { verb: *verb }));
    faults
}
