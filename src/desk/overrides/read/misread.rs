//! The faults of decisions in words.

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

/// The maximum length of a quotation, in characters.
const QUOTED: usize = 40;

/// The reason why a text is not a decision. Input is quoted as typed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DecisionFault {
    /// The word is not a decision.
    Unknown {
        said: String,
        /// Similar words, the best first.
        nearest: Vec<String>,
    },
    /// No decision has had a dry run.
    Nothing,
    /// The arguments of the verb are missing.
    Lacks { verb: Verb },
    /// The verb takes fewer arguments, or none.
    Surplus {
        verb: Verb,
        /// The surplus input.
        said: String,
    },
    /// The input is not a point in time.
    NoTime {
        verb: Verb,
        /// The input.
        said: String,
    },
    /// The input is not a seat.
    NoSeat {
        /// The input.
        said: String,
        /// Similar names, the best first.
        nearest: Vec<String>,
        seats: Vec<Seat>,
    },
    /// The input cannot be a name.
    NoName {
        /// The input.
        said: String,
        /// The maximum length of a name, in characters.
        longest: usize,
    },
    /// The input is not a part of a declaration.
    NoPart {
        /// The input.
        said: String,
        /// The parts that the seat is asked for.
        parts: Vec<String>,
    },
    /// The input is not a move of the game master.
    NoMove {
        /// The input; empty if it is missing.
        said: String,
        moves: Vec<MoveLine>,
    },
    /// The move of the game master has too few arguments to do anything.
    Unfinished {
        /// The move, and its missing arguments.
        part: MoveLine,
    },
    /// The input names no die of the window.
    NoDie {
        /// The input.
        said: String,
        dice: Vec<String>,
    },
    /// The input is not a face of the die.
    NoFace {
        /// The input.
        said: String,
        /// The name of the die.
        die: String,
        /// True if the die was named, and was not the only one.
        is_named: bool,
        /// The faces of the die; empty if they are not listed.
        faces: Vec<String>,
    },
    /// The dice of the open window are hidden from the game master.
    Hidden,
    /// No window has been closed yet.
    NoLast,
    /// The window does not exist.
    NoWindow {
        /// The input.
        said: String,
        windows: Vec<WindowLine>,
    },
    /// The decision does not exist.
    NoDecision {
        /// The input.
        said: String,
        most: usize,
    },
    /// The house policy does not exist.
    NoPolicy {
        /// The input.
        said: String,
        /// The policies of the game.
        policies: Vec<String>,
    },
    /// The input is not a pace.
    #[serde(skip)]
    NoPace(PaceFault),
    /// The input is not a treatment of missing players.
    #[serde(skip)]
    NoAbsence(AbsenceFault),
    /// Input in the game's own words that cannot be parsed.
    #[serde(skip)]
    Unread(UnreadPiece),
    /// A move of the game master that cannot be made.
    #[serde(skip)]
    Faulty(Box<Fault>),
}

/// The form of a move of the game master.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveLine {
    /// The first word of the move.
    pub mark: String,
    pub asks: Vec<String>,
}

/// A window, as it is chosen by its number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WindowLine {
    /// The root window, counted from 0, which is the deal.
    pub window: Round,
    /// The opening time of the window.
    pub at: Moment,
}

impl DecisionFault {
    pub(crate) fn no_window(bench: &Bench, input: &str) -> Self {
        let zone = bench.sight.pace.zone;
        let windows = bench
            .windows
            .iter()
            .map(|window| WindowLine { window: window.round, at: Moment::at(window.at, zone) });
        Self::NoWindow { said: quote(input), windows: windows.collect() }
    }

    /// Writes the fault and suggestions.
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

/// Returns the input as it is quoted.
pub(in crate::overrides) fn quote(text: &str) -> String {
    text.trim().chars().take(QUOTED).collect()
}

letters! {
    /// The letter of faults of decisions in words.
    LETTERS in DESK;

    /// The fault of a decision and suggestions. The verb is shown as a word of the language.
    "decision_fault" struct DecisionMisread<'a> {
        fault: &'a DecisionFault,
        verb: &'a str = ["", "close"],
    }
}

sampled_from! { DecisionFault: fault_samples(); }

/// Returns samples of every fault.
fn fault_samples() -> Vec<DecisionFault> {
    use DecisionFault as Fault;
    let quoted = || "9 @here".to_owned();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (verb, seats) = (Verb::Close, vec![Seat::new(0), Seat::new(1)]);
    let part = |asks: &[&str]| MoveLine { mark: "give".to_owned(), asks: words(asks) };
    let window = |window| WindowLine { window: Round::new(window), at: samples::moment() };
    let die = |is_named, faces: &[&str]| Fault::NoFace {
        said: quoted(),
        die: "x".to_owned(),
        is_named,
        faces: words(faces),
    };
    let mut faults = vec![
        Fault::Unknown { said: quoted(), nearest: words(&["extend"]) },
        Fault::Unknown { said: String::new(), nearest: Vec::new() },
        Fault::Nothing,
        Fault::Surplus { verb, said: quoted() },
        Fault::NoTime { verb, said: quoted() },
        Fault::NoSeat { said: quoted(), nearest: words(&["kaede"]), seats: seats.clone() },
        Fault::NoSeat { said: quoted(), nearest: Vec::new(), seats },
        Fault::NoName { said: quoted(), longest: 32 },
        Fault::NoPart { said: quoted(), parts: words(&["3", "4"]) },
        Fault::NoPart { said: quoted(), parts: Vec::new() },
        Fault::NoMove { said: String::new(), moves: vec![part(&["who", "what"]), part(&[])] },
        Fault::NoMove { said: quoted(), moves: vec![part(&["who"])] },
        Fault::Unfinished { part: part(&["who"]) },
        Fault::NoDie { said: quoted(), dice: words(&["x", "y"]) },
        Fault::NoDie { said: quoted(), dice: Vec::new() },
        die(true, &["4A"]),
        die(false, &[]),
        Fault::Hidden,
        Fault::NoLast,
        Fault::NoWindow { said: quoted(), windows: vec![window(0), window(1)] },
        Fault::NoWindow { said: String::new(), windows: Vec::new() },
        Fault::NoDecision { said: quoted(), most: 2 },
        Fault::NoDecision { said: quoted(), most: 0 },
        Fault::NoPolicy { said: quoted(), policies: words(&["random"]) },
    ];
    faults.extend(Verb::ALL.iter().map(|verb| Fault::Lacks { verb: *verb }));
    faults
}
