//! The remaining input of a decision: the rest of a line, or arguments by their names.

use std::collections::BTreeMap;

use crate::model::overrides::{Override, Verb};
use crate::overrides::bench::{Bench, Case};
use crate::overrides::read::misread::{DecisionFault, quote};
use crate::overrides::read::words::{self, Particle};
use letters::UnreadPiece;
use rules::text::{self, Reading, fold};
use rules::{Declaration, Interview, Seat};
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::vocabulary::{behind, nearest};

/// The parsed input of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverrideRequest {
    pub what: Override,
    /// The name of the person who takes a seat; `None` for other decisions.
    pub guest: Option<String>,
}

impl OverrideRequest {
    /// Parses a decision in any language.
    pub fn read(text: &str, bench: &Bench, now: Time) -> Result<Self, DecisionFault> {
        let Some((verb, rest)) = Verb::read(text) else {
            let word = first(text);
            return Err(DecisionFault::Unknown { nearest: words::nearest(&word), said: word });
        };
        OverrideReader::new(verb, Said::Line(rest.trim()), bench, now).read()
    }

    /// Parses a decision whose arguments are given one by one, with the names from the manifest of its
    /// command.
    pub fn read_options(
        verb: Verb,
        options: &OverrideOptions,
        bench: &Bench,
        now: Time,
    ) -> Result<Self, DecisionFault> {
        OverrideReader::new(verb, Said::Options(options), bench, now).read()
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
pub(super) enum Said<'b> {
    Line(&'b str),
    Options(&'b OverrideOptions),
}

pub(crate) struct OverrideReader<'b> {
    pub(super) bench: &'b Bench,
    pub(super) now: Time,
    pub(super) verb: Verb,
    pub(super) input: Said<'b>,
    /// True if the last window is named although another one is open.
    pub(super) last: bool,
    /// The window and the seat of the turn, once they are parsed; without a seat for the whole table.
    turn: Option<(&'b Case, Option<Seat>)>,
    pub(super) guest: Option<String>,
    /// The seat and the words of a turn that can be parsed only as the decision is made.
    pub(super) in_words: Option<(Seat, String)>,
}

impl<'b> OverrideReader<'b> {
    pub(super) fn new(verb: Verb, input: Said<'b>, bench: &'b Bench, now: Time) -> Self {
        let (turn, guest, in_words) = (None, None, None);
        Self { bench, now, verb, input, last: false, turn, guest, in_words }
    }

    pub(super) fn read_last(&mut self) {
        match self.input {
            Said::Line(text) => {
                if let Some(behind) = Particle::Last.strip(text) {
                    (self.last, self.input) = (true, Said::Line(behind));
                }
            }
            Said::Options(options) => {
                self.last = options.get(WINDOW).is_some_and(|value| value == LAST);
            }
        }
    }

    /// Sets the seat's turn in the named window for the next arguments. Returns the window's number.
    pub(super) fn judge(&mut self, seat: Option<Seat>) -> Result<WindowNumber, DecisionFault> {
        let case = self.bench.case(self.last).ok_or(DecisionFault::NoLast)?;
        self.turn = Some((case, seat));
        Ok(case.number)
    }

    pub(super) fn turn(&self) -> Result<(&'b Case, Option<Seat>), DecisionFault> {
        self.turn.ok_or_else(|| self.lacks())
    }

    /// Returns the turn of a seat, and refuses the whole table.
    pub(super) fn seat_turn(&self) -> Result<(&'b Case, Seat), DecisionFault> {
        let (case, seat) = self.turn()?;
        Ok((case, seat.ok_or_else(|| self.lacks())?))
    }

    /// Refuses surplus input.
    pub(super) fn end(&self) -> Result<(), DecisionFault> {
        match self.input {
            Said::Line(text) => self.nothing_in(text),
            Said::Options(_) => Ok(()),
        }
    }

    pub(super) fn nothing_in(&self, text: &str) -> Result<(), DecisionFault> {
        if text.is_empty() {
            return Ok(());
        }
        Err(DecisionFault::Surplus { verb: self.verb, said: quote(text) })
    }

    pub(super) fn lacks(&self) -> DecisionFault {
        DecisionFault::Lacks { verb: self.verb }
    }

    /// Parses the seat at the beginning of a text, and returns it with the rest.
    pub(super) fn seat<'t>(&self, rest: &'t str) -> Result<(Seat, &'t str), DecisionFault> {
        if rest.is_empty() {
            return Err(self.lacks());
        }
        seat(self.bench, rest).ok_or_else(|| {
            let word = first(rest);
            let seats: Vec<Seat> = self.bench.seats().collect();
            let names = seats.iter().flat_map(|seat| names(self.bench, *seat));
            let nearest = nearest(&word, names.map(|name| (fold(name), name)));
            DecisionFault::NoSeat { said: word, nearest, seats }
        })
    }

    /// Parses the words about a seat's turn in the game's own words. `None` if the decider may not know their
    /// meaning: the words are stored as typed.
    pub(super) fn text_of_turn(
        &mut self,
        (case, seat): (&Case, Seat),
        text: &str,
        draft: &Declaration,
    ) -> Result<Option<Reading>, DecisionFault> {
        let bench = self.bench;
        if !bench.is_covered(case, seat) {
            return self.text(text, draft, &|draft| case.contest.interview(seat, draft)).map(Some);
        }
        let form = |draft: &Declaration| bench.asked(case, seat, draft);
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
    ) -> Result<Reading, DecisionFault> {
        let mut reading = text::read(rest, draft, form, &self.bench.sight.words());
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
pub(super) fn names(bench: &Bench, seat: Seat) -> impl Iterator<Item = &str> {
    let name = bench.sight.names.get(seat.index()).map(|name| name.trim());
    std::iter::once(seat.name()).chain(name.filter(|name| !name.is_empty()))
}

/// Parses the seat at the beginning of a text, by the longest of its names, and returns it with the rest.
fn seat<'t>(bench: &Bench, text: &'t str) -> Option<(Seat, &'t str)> {
    let all = bench.seats().flat_map(|seat| names(bench, seat).map(move |name| (seat, name)));
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
