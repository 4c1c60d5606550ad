//! A decision of a game master's in words, such as `extend 22:00` or `差し戻し 楓 3B`.
//!
//! Words are those of `commands/gm_*.toml`; seats go by their number or their player's name, times by
//! the table's zone, and everything of the game by the game's own words. Nothing is guessed: what
//! cannot be read is told with what would be right. Where arguments are said one by one, they are read
//! as they are on a line, and refused in the same words.

pub(in crate::desk) mod arguments;
pub(in crate::desk) mod complete;
pub(in crate::desk) mod dice;
pub(in crate::desk) mod grammar;
pub(in crate::desk) mod misread;
pub(in crate::desk) mod parts;
pub(in crate::desk) mod words;
pub(in crate::desk) mod write;

#[cfg(test)]
mod test_read;

use std::collections::{BTreeMap, BTreeSet};

use crate::desk::model::overrides::Override;
use crate::desk::overrides::bench::{Bench, Case};
use crate::desk::overrides::read::arguments::Argument;
use crate::desk::overrides::read::grammar::Verb;
use crate::desk::overrides::read::misread::{DecreeFault, MoveLine};
use crate::desk::overrides::read::words::Particle;
use crate::games::any::AnyContest;
use crate::ids::WindowNumber;
use crate::letters::UnreadPiece;
use crate::rules::text::{self, Reading, fold};
use crate::rules::{Declaration, Interview, Key, Seat};
use crate::tables::vocabulary::{behind, nearest};
use crate::time::Time;

/// At most so much of a text is quoted, in characters.
const QUOTED: usize = 40;

/// A decision, as it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverrideRequest {
    /// What is to be decided.
    pub what: Override,
    /// The name of who takes a seat, where somebody does.
    pub guest: Option<String>,
}

impl From<Override> for OverrideRequest {
    fn from(what: Override) -> Self {
        Self { what, guest: None }
    }
}

/// Reads a decision in whichever language.
///
/// # Errors
/// The first thing that cannot be read, and what would be right.
pub fn read(text: &str, bench: &Bench, now: Time) -> Result<OverrideRequest, DecreeFault> {
    let Some((verb, rest)) = Verb::read(text) else {
        let said = first(text);
        return Err(DecreeFault::Unknown { nearest: words::nearest(&said), said });
    };
    OverrideReader::new(verb, Said::Line(rest.trim()), bench, now).read()
}

/// Reads a decision whose arguments are said one by one, under the names that they have in the
/// manifest of its command.
///
/// # Errors
/// As [`read`].
pub fn read_options(
    verb: Verb,
    options: &OverrideOptions,
    bench: &Bench,
    now: Time,
) -> Result<OverrideRequest, DecreeFault> {
    OverrideReader::new(verb, Said::Options(options), bench, now).read()
}

/// Arguments by their names, as texts.
pub type OverrideOptions = BTreeMap<String, String>;

/// The argument that names the window of a turn, and what it says of the last one.
const WINDOW: &str = "window";
const LAST: &str = "last";

/// What is still to be read.
#[derive(Clone, Copy)]
enum Said<'b> {
    Line(&'b str),
    Options(&'b OverrideOptions),
}

pub(in crate::desk) struct OverrideReader<'b> {
    bench: &'b Bench,
    now: Time,
    verb: Verb,
    said: Said<'b>,
    /// Whether the last window is named, where there is an open one.
    last: bool,
    /// The window and the seat whose turn it is about, once they are read; no seat for the table.
    turn: Option<(&'b Case, Option<Seat>)>,
    guest: Option<String>,
}

impl<'b> OverrideReader<'b> {
    fn new(verb: Verb, said: Said<'b>, bench: &'b Bench, now: Time) -> Self {
        Self { bench, now, verb, said, last: false, turn: None, guest: None }
    }

    /// The next argument.
    fn next<A: Argument>(&mut self, option: &str) -> Result<A::Value, DecreeFault> {
        match self.said {
            Said::Line(text) => {
                let (value, behind) = A::take(self, text)?;
                self.said = Said::Line(behind);
                Ok(value)
            }
            Said::Options(options) => {
                A::of_option(self, options.get(option).map_or("", |said| said.trim()))
            }
        }
    }

    /// Whose turn it is about, and the number of the window: on a line that can be named before the
    /// seat and behind it.
    fn whose<A: Argument>(&mut self, option: &str) -> Result<(A::Value, WindowNumber), DecreeFault>
    where
        A::Value: Copy + Into<Option<Seat>>,
    {
        self.read_last();
        let seat = self.next::<A>(option)?;
        self.read_last();
        Ok((seat, self.judge(seat.into())?))
    }

    fn read_last(&mut self) {
        match self.said {
            Said::Line(text) => {
                if let Some(behind) = Particle::Last.strip(text) {
                    (self.last, self.said) = (true, Said::Line(behind));
                }
            }
            Said::Options(options) => {
                self.last = options.get(WINDOW).is_some_and(|said| said == LAST);
            }
        }
    }

    /// What follows is about this seat's turn in the window that was named. The window's number.
    fn judge(&mut self, seat: Option<Seat>) -> Result<WindowNumber, DecreeFault> {
        let case = self.bench.case(self.last).ok_or(DecreeFault::NoLast)?;
        self.turn = Some((case, seat));
        Ok(case.number)
    }

    fn turn(&self) -> Result<(&'b Case, Option<Seat>), DecreeFault> {
        self.turn.ok_or_else(|| self.lacks())
    }

    /// The turn of a seat, and not of the table.
    fn seat_turn(&self) -> Result<(&'b Case, Seat), DecreeFault> {
        let (case, seat) = self.turn()?;
        Ok((case, seat.ok_or_else(|| self.lacks())?))
    }

    /// Nothing more belongs there.
    fn end(&self) -> Result<(), DecreeFault> {
        match self.said {
            Said::Line(text) => self.nothing_in(text),
            Said::Options(_) => Ok(()),
        }
    }

    fn nothing_in(&self, text: &str) -> Result<(), DecreeFault> {
        if text.is_empty() {
            return Ok(());
        }
        Err(DecreeFault::Surplus { verb: self.verb, said: quote(text) })
    }

    fn lacks(&self) -> DecreeFault {
        DecreeFault::Lacks { verb: self.verb }
    }

    /// The seat at the beginning of a text, and what stands behind it.
    fn seat<'t>(&self, rest: &'t str) -> Result<(Seat, &'t str), DecreeFault> {
        if rest.is_empty() {
            return Err(self.lacks());
        }
        seat(self.bench, rest).ok_or_else(|| {
            let said = first(rest);
            let seats: Vec<Seat> = self.bench.seats().collect();
            let names = seats.iter().flat_map(|seat| names(self.bench, *seat));
            let nearest = nearest(&said, names.map(|name| (fold(name), name)));
            DecreeFault::NoSeat { said, nearest, seats }
        })
    }

    /// Reads what stands in the game's own words.
    fn text(
        &self,
        rest: &str,
        draft: &Declaration,
        form: &dyn Fn(&Declaration) -> Interview,
    ) -> Result<Reading, DecreeFault> {
        let mut reading = text::read(rest, draft, form, &self.bench.sight.words());
        if let Some(unread) = UnreadPiece::of(&reading).into_iter().next() {
            return Err(DecreeFault::Unread(unread));
        }
        if reading.lines.is_empty() {
            return Err(self.lacks());
        }
        for key in form(&reading.declaration).superfluous {
            reading.declaration.remove(&key);
        }
        Ok(reading)
    }

    fn edit(&self, rest: &str) -> Result<Declaration, DecreeFault> {
        let play = self.bench.sight.play.as_ref().ok_or_else(|| self.lacks())?;
        let form = |draft: &Declaration| play.contest.rehearse(draft, self.bench.viewer());
        let no_move = || DecreeFault::NoMove { said: quote(rest), moves: self.moves(&form) };
        if rest.is_empty() {
            return Err(no_move());
        }
        let said = self.text(rest, &Declaration::default(), &form).map_err(|fault| match fault {
            DecreeFault::Unread(unread) if unread.section.is_none() => no_move(),
            fault => fault,
        });
        let said = said?.declaration;
        let found = form(&said);
        if let Some(fault) = found.faults.first() {
            return Err(DecreeFault::Faulty(Box::new(fault.clone())));
        }
        match self.unfinished(&*play.contest, &said, &found) {
            Some(part) => Err(DecreeFault::Unfinished { part }),
            None => Ok(said),
        }
    }

    /// A move that has been begun and does nothing, as more has to be said: what can be.
    fn unfinished(
        &self,
        contest: &dyn AnyContest,
        said: &Declaration,
        found: &Interview,
    ) -> Option<MoveLine> {
        let outcome = |said: &Declaration| {
            let mut contest = contest.copy();
            contest.amend(said).ok().map(|_| contest.state_hash())
        };
        let parts: BTreeSet<Key> = said.iter().map(|(key, _)| key.whole()).collect();
        parts.into_iter().find_map(|part| {
            let asked = found.asked.iter().filter(|asked| asked.question.key.whole() == part);
            let unsaid = asked.filter(|asked| asked.answer.is_none()).map(|asked| &asked.question);
            let unsaid: Vec<&Key> = unsaid.map(|question| &question.key).collect();
            let mut others = Declaration::default();
            for (key, answer) in said.iter().filter(|(key, _)| key.whole() != part) {
                others.set(key.clone(), answer.clone());
            }
            // What is all said may change nothing because of something that nobody is told.
            if unsaid.is_empty() || outcome(said) != outcome(&others) {
                return None;
            }
            let (lexicon, lang) = (self.bench.sight.game.lexicon(), self.bench.lang);
            let asks = unsaid.into_iter().map(|key| lexicon.label(key, lang).to_owned()).collect();
            Some(MoveLine { mark: parts::mark(lexicon, &part, lang), asks })
        })
    }

    /// The moves of the game master's that there are, each once.
    fn moves(&self, form: &dyn Fn(&Declaration) -> Interview) -> Vec<MoveLine> {
        let lexicon = self.bench.sight.game.lexicon();
        let lang = self.bench.lang;
        let mut moves = Vec::new();
        for asked in form(&Declaration::default()).asked {
            let part = asked.question.key.whole().nth(1);
            let mark = parts::mark(lexicon, &part, lang);
            let asks = lexicon.labels(&part.section, lang).map(ToOwned::to_owned).collect();
            let line = MoveLine { mark, asks };
            if !moves.contains(&line) {
                moves.push(line);
            }
        }
        moves
    }
}

/// What a seat is called.
fn names(bench: &Bench, seat: Seat) -> impl Iterator<Item = &str> {
    let name = bench.sight.names.get(seat.index()).map(|name| name.trim());
    std::iter::once(seat.name()).chain(name.filter(|name| !name.is_empty()))
}

/// The seat at the beginning of a text, by the longest of its names, and what stands behind it.
fn seat<'t>(bench: &Bench, text: &'t str) -> Option<(Seat, &'t str)> {
    let all = bench.seats().flat_map(|seat| names(bench, seat).map(move |name| (seat, name)));
    let stands = |(seat, name): (Seat, &str)| {
        let rest = behind(text, name)?;
        let ends = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
        ends.then(|| (seat, trim(rest)))
    };
    all.filter_map(stands).min_by_key(|(_, rest)| rest.len())
}

/// What stands behind a seat or the name of a die.
fn trim(rest: &str) -> &str {
    rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | ',' | '、'))
}

/// The first word of a text, as it is quoted.
fn first(text: &str) -> String {
    quote(text.split_whitespace().next().unwrap_or_default())
}

fn quote(text: &str) -> String {
    text.trim().chars().take(QUOTED).collect()
}
