//! The remaining input of a decision: the rest of a line, or arguments by their names.

use std::collections::BTreeMap;

use chrono::DateTime;
use serde::Serialize;

use crate::model::{Override, Verb, Written};
use crate::overrides::gm_view::{self, GmView, JudgedWindow, OverrideReply, Particle};
use letters::template::typed::{letters, sampled_from};
use letters::{DESK, FaultLines, Letters, Moment, Reader, UnreadLines, UnreadPiece, samples};
use rules::text::{self, Completion, Lang, Lexicon, Reading, fold};
use rules::{Answer, Declaration, Fault, Interview, Key, Round, Seat, Value};
use tables::absence::AbsenceFault;
use tables::vocabulary::{behind, nearest};
use tables::{PaceFault, Time, WindowNumber};

/// The parsed input of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverrideRequest {
    pub what: Override,
    /// The name of the person who takes a seat; `None` for other decisions.
    pub guest: Option<String>,
}

impl OverrideRequest {
    /// Parses a decision in any language.
    pub fn read(text: &str, gm_view: &GmView, now: Time) -> Result<Self> {
        let Some((verb, rest)) = Verb::read(text) else {
            let word = first(text);
            return Err(DecisionFault::Unknown { nearest: gm_view::nearest(&word), said: word });
        };
        OverrideReader::new(verb, OverrideInput::Line(rest.trim()), gm_view, now).read()
    }

    /// Parses a decision whose arguments are given one by one, with the names from the manifest of its
    /// command.
    pub fn read_options(
        verb: Verb,
        options: &OverrideOptions,
        gm_view: &GmView,
        now: Time,
    ) -> Result<Self> {
        OverrideReader::new(verb, OverrideInput::Options(options), gm_view, now).read()
    }
}

impl From<Override> for OverrideRequest {
    fn from(what: Override) -> Self {
        Self { what, guest: None }
    }
}

/// Arguments by their names, as texts.
pub type OverrideOptions = BTreeMap<String, String>;

/// The argument that names the window of a turn, and its value for the last window.
pub(crate) const WINDOW: &str = "window";
pub(crate) const LAST: &str = "last";

/// The remaining input.
#[derive(Clone, Copy)]
pub(super) enum OverrideInput<'b> {
    Line(&'b str),
    Options(&'b OverrideOptions),
}

pub(crate) struct OverrideReader<'b> {
    pub(super) gm_view: &'b GmView,
    pub(super) now: Time,
    pub(super) verb: Verb,
    pub(super) input: OverrideInput<'b>,
    /// True if the last window is named although another one is open.
    pub(super) last: bool,
    /// The window and the seat of the turn, once they are parsed; without a seat for the whole table.
    turn: Option<(&'b JudgedWindow, Option<Seat>)>,
    pub(super) guest: Option<String>,
    /// The seat and the words of a turn that can be parsed only as the decision is made.
    pub(super) in_words: Option<(Seat, String)>,
}

impl<'b> OverrideReader<'b> {
    pub(super) fn new(
        verb: Verb,
        input: OverrideInput<'b>,
        gm_view: &'b GmView,
        now: Time,
    ) -> Self {
        let (turn, guest, in_words) = (None, None, None);
        Self { gm_view, now, verb, input, last: false, turn, guest, in_words }
    }

    pub(super) fn read_last(&mut self) {
        match self.input {
            OverrideInput::Line(text) => {
                if let Some(behind) = Particle::Last.strip(text) {
                    (self.last, self.input) = (true, OverrideInput::Line(behind));
                }
            }
            OverrideInput::Options(options) => {
                self.last = options.get(WINDOW).is_some_and(|value| value == LAST);
            }
        }
    }

    /// Sets the seat's turn in the named window for the next arguments. Returns the window's number.
    pub(super) fn judge(&mut self, seat: Option<Seat>) -> Result<WindowNumber> {
        let case = self.gm_view.case(self.last).ok_or(DecisionFault::NoLast)?;
        self.turn = Some((case, seat));
        Ok(case.number)
    }

    pub(super) fn turn(&self) -> Result<(&'b JudgedWindow, Option<Seat>)> {
        self.turn.ok_or_else(|| self.lacks())
    }

    /// Returns the turn of a seat, and refuses the whole table.
    pub(super) fn seat_turn(&self) -> Result<(&'b JudgedWindow, Seat)> {
        let (case, seat) = self.turn()?;
        Ok((case, seat.ok_or_else(|| self.lacks())?))
    }

    /// Refuses surplus input.
    pub(super) fn end(&self) -> Result<()> {
        match self.input {
            OverrideInput::Line(text) => self.nothing_in(text),
            OverrideInput::Options(_) => Ok(()),
        }
    }

    pub(super) fn nothing_in(&self, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        Err(DecisionFault::Surplus { verb: self.verb, said: quote(text) })
    }

    pub(super) fn lacks(&self) -> DecisionFault {
        DecisionFault::Lacks { verb: self.verb }
    }

    /// Parses the seat at the beginning of a text, and returns it with the rest.
    pub(super) fn seat<'t>(&self, rest: &'t str) -> Result<(Seat, &'t str)> {
        if rest.is_empty() {
            return Err(self.lacks());
        }
        seat(self.gm_view, rest).ok_or_else(|| {
            let word = first(rest);
            let seats: Vec<Seat> = self.gm_view.seats().collect();
            let names = seats.iter().flat_map(|seat| names(self.gm_view, *seat));
            let nearest = nearest(&word, names.map(|name| (fold(name), name)));
            DecisionFault::NoSeat { said: word, nearest, seats }
        })
    }

    /// Parses the words about a seat's turn in the game's own words. `None` if the decider may not know their
    /// meaning: the words are stored as typed.
    pub(super) fn text_of_turn(
        &mut self,
        (case, seat): (&JudgedWindow, Seat),
        text: &str,
        draft: &Declaration,
    ) -> Result<Option<Reading>> {
        let gm_view = self.gm_view;
        if !gm_view.is_covered(case, seat) {
            return self.text(text, draft, &|draft| case.contest.interview(seat, draft)).map(Some);
        }
        let form = |draft: &Declaration| gm_view.asked(case, seat, draft);
        let reading = self.text(text, draft, &form);
        match reading {
            Err(DecisionFault::Unread(unread)) if !matches!(unread.why, "unknown" | "too-long") => {
                self.in_words = Some((seat, text.to_owned()));
                Ok(None)
            }
            reading => reading.map(Some),
        }
    }

    /// Parses input in the game's own words.
    pub(super) fn text(
        &self,
        rest: &str,
        draft: &Declaration,
        form: &dyn Fn(&Declaration) -> Interview,
    ) -> Result<Reading> {
        let mut reading = text::read(rest, draft, form, &self.gm_view.sight.words());
        if let Some(unread) = UnreadPiece::of(&reading).into_iter().next() {
            return Err(DecisionFault::Unread(unread));
        }
        if reading.lines.is_empty() {
            return Err(self.lacks());
        }
        for key in form(&reading.declaration).superfluous {
            reading.declaration.remove(&key);
        }
        Ok(reading)
    }
}

/// Returns the names of a seat.
pub(super) fn names(gm_view: &GmView, seat: Seat) -> impl Iterator<Item = &str> {
    let name = gm_view.sight.names.get(seat.index()).map(|name| name.trim());
    std::iter::once(seat.name()).chain(name.filter(|name| !name.is_empty()))
}

/// Parses the seat at the beginning of a text, by the longest of its names, and returns it with the rest.
fn seat<'t>(gm_view: &GmView, text: &'t str) -> Option<(Seat, &'t str)> {
    let all = gm_view.seats().flat_map(|seat| names(gm_view, seat).map(move |name| (seat, name)));
    let stands = |(seat, name): (Seat, &str)| {
        let rest = behind(text, name)?;
        let ends = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
        ends.then(|| (seat, trim(rest)))
    };
    all.filter_map(stands).min_by_key(|(_, rest)| rest.len())
}

/// Removes the separators after a seat or the name of a die.
pub(super) fn trim(rest: &str) -> &str {
    rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | ',' | '、'))
}

/// Returns the first word of a text, as it is quoted.
pub(super) fn first(text: &str) -> String {
    quote(text.split_whitespace().next().unwrap_or_default())
}

/// The maximum number of completions, as in a menu.
pub(crate) const MOST: usize = 25;

/// Returns the completions of a decision. Completions for dice reveal nothing that the game master may not
/// know.
pub fn complete(text: &str, gm_view: &GmView, lang: Lang) -> Vec<Completion> {
    let read = Verb::read(text).filter(|(_, rest)| text.ends_with(' ') || !rest.is_empty());
    let mut found = if let Some((verb, rest)) = read {
        Completing::new(verb, OverrideInput::Line(rest), text, gm_view, lang).found()
    } else {
        let verbs = Verb::ALL.iter().map(|verb| verb.word(lang));
        begun(text, text, verbs.chain(OverrideReply::words(lang)).map(ToOwned::to_owned))
    };
    found.truncate(MOST);
    found
}

/// Returns the completions of one argument of a decision, given the other arguments.
pub fn complete_option(
    (option, text): (&str, &str),
    verb: Verb,
    others: &OverrideOptions,
    gm_view: &GmView,
    lang: Lang,
) -> Vec<Completion> {
    let completing = Completing::new(verb, OverrideInput::Options(others), text, gm_view, lang);
    let mut found = Completing { option: Some(option), ..completing }.found();
    found.truncate(MOST);
    found
}

/// The form of an argument, for front ends that ask for arguments one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentForm {
    Time,
    /// A seat, which more words can follow on a line.
    Seat,
    /// The game master's own words.
    Words,
    /// The game's words.
    GameWords,
    /// The open window, or the last one.
    Window,
    Policy,
    /// One of a few words, or nothing.
    Word,
    WindowBack,
    Decision,
    Somebody,
}

pub(crate) struct Completing<'a> {
    /// The reader of the input so far. The time of day is not used.
    pub(super) reader: OverrideReader<'a>,
    /// The whole text, or that of one argument.
    pub(super) text: &'a str,
    pub(super) option: Option<&'a str>,
    pub(super) lang: Lang,
}

/// Returns the words with the rest of the text as their beginning.
fn begun(text: &str, rest: &str, words: impl Iterator<Item = String>) -> Vec<Completion> {
    let (start, begun) = (text.len() - rest.len(), fold(rest));
    let fits = words.filter(|word| fold(word).starts_with(&begun));
    fits.map(|text| Completion::word(start, text)).collect()
}

impl<'a> Completing<'a> {
    fn new(
        verb: Verb,
        input: OverrideInput<'a>,
        text: &'a str,
        gm_view: &'a GmView,
        lang: Lang,
    ) -> Self {
        let reader = OverrideReader::new(verb, input, gm_view, Time::default());
        Self { reader, text, option: None, lang }
    }

    fn found(mut self) -> Vec<Completion> {
        self.behind().err().unwrap_or_default()
    }

    pub(super) fn words(&self, rest: &str, words: impl Iterator<Item = String>) -> Vec<Completion> {
        begun(self.text, rest, words)
    }

    pub(super) fn seats(&self, rest: &str) -> Vec<Completion> {
        let gm_view = self.reader.gm_view;
        self.words(
            rest,
            gm_view.seats().flat_map(|seat| names(gm_view, seat)).map(ToOwned::to_owned),
        )
    }

    /// Returns the completions by the game's own words.
    pub(super) fn game(
        &self,
        rest: &str,
        draft: &Declaration,
        form: &dyn Fn(&Declaration) -> Interview,
    ) -> Vec<Completion> {
        let offset = self.text.len() - rest.len();
        let words = self.reader.gm_view.sight.words();
        let found = text::complete(rest, draft, form, &words, self.lang).into_iter();
        found.map(|next| Completion { start: next.start + offset, ..next }).collect()
    }
}

/// The maximum length of a quotation, in characters.
const QUOTED: usize = 40;

/// A result, by default of reading a decision.
pub(super) type Result<T, E = DecisionFault> = std::result::Result<T, E>;

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
    pub(crate) fn no_window(gm_view: &GmView, input: &str) -> Self {
        let zone = gm_view.sight.pace.zone;
        let windows = gm_view
            .windows
            .iter()
            .map(|window| WindowLine { window: window.round, at: Moment::at(window.at, zone) });
        Self::NoWindow { said: quote(input), windows: windows.collect() }
    }

    /// Writes the fault and suggestions.
    pub fn words(&self, letters: &Letters, reader: &Reader) -> Written {
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

/// Writes a decision in a language, with times to the minute; `None` for a decision about a window that can
/// no longer be judged.
pub fn write(wish: &OverrideRequest, gm_view: &GmView, lang: Lang) -> Option<String> {
    let mut writer = OverrideWriter { gm_view, lang, guest: wish.guest.as_deref(), turn: None };
    let (verb, mut pieces) = writer.pieces(&wish.what)?;
    pieces.insert(0, verb.word(lang).to_owned());
    pieces.retain(|piece| !piece.is_empty());
    Some(pieces.join(" "))
}

pub(crate) struct OverrideWriter<'b> {
    pub(super) gm_view: &'b GmView,
    pub(super) lang: Lang,
    pub(super) guest: Option<&'b str>,
    /// The window and the seat of the turn; without a seat for the whole table.
    pub(super) turn: Option<(&'b JudgedWindow, Option<Seat>)>,
}

impl OverrideWriter<'_> {
    /// Sets the seat's turn in a window for the next arguments. Returns the word for the window, empty if it
    /// need not be named.
    pub(super) fn judge(&mut self, window: WindowNumber, seat: Option<Seat>) -> Option<String> {
        let (case, is_named) = self.gm_view.case_of(window)?;
        self.turn = Some((case, seat));
        Some(if is_named { Particle::Last.word(self.lang).to_owned() } else { String::new() })
    }

    pub(super) fn time(&self, at: Time) -> String {
        let at = DateTime::from_timestamp_millis(at.milliseconds()).unwrap_or_default();
        at.with_timezone(&self.gm_view.sight.pace.zone).format("%Y-%m-%d %H:%M").to_string()
    }

    pub(super) fn chosen(&self, key: &Key, answer: &Answer) -> String {
        let mark = mark(self.gm_view.sight.game.lexicon(), &key.whole(), self.lang);
        match answer.value() {
            Some(value) => format!("{mark}: {}", self.value(value)),
            None => format!("{mark}: -"),
        }
    }

    pub(super) fn value(&self, value: &Value) -> String {
        let lexicon = self.gm_view.sight.game.lexicon();
        let name = |id: &str| lexicon.name(id, self.lang).to_owned();
        match value {
            Value::Choice(id) => name(id),
            Value::Picks(ids) => ids.iter().map(|id| name(id)).collect::<Vec<_>>().join(", "),
            Value::Payment(pieces) => {
                let pieces = pieces.iter().map(|(id, count)| format!("{}×{count}", name(id)));
                pieces.collect::<Vec<_>>().join(" ")
            }
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.clone(),
        }
    }
}

/// Returns the name of a part in a declaration, with its number from the second on.
pub(crate) fn mark(lexicon: &Lexicon, part: &Key, lang: Lang) -> String {
    let mark = lexicon.mark(&part.section, lang).unwrap_or(&part.section);
    if part.number == 1 { mark.to_owned() } else { format!("{mark}#{}", part.number) }
}
