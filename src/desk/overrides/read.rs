//! A decision of a game master's in words, such as `extend 22:00` or `差し戻し 楓 3B`.
//!
//! Words are those of `data/desk/gm.toml`; seats go by their number or their player's name, times by
//! the table's zone, and everything of the game by the game's own words. Nothing is guessed: what
//! cannot be read is told with what would be right.

pub(in crate::desk) mod complete;
pub(in crate::desk) mod dice;
pub(in crate::desk) mod misread;
pub(in crate::desk) mod parts;
pub(in crate::desk) mod words;
pub(in crate::desk) mod write;

#[cfg(test)]
mod test_read;

use std::collections::BTreeSet;

use crate::desk::model::overrides::{Change, Override};
use crate::desk::overrides::bench::{Bench, Case};
use crate::desk::overrides::read::misread::{DecreeFault, MoveLine};
use crate::desk::overrides::read::words::{Particle, Verb};
use crate::games::any::AnyContest;
use crate::ids::{OverrideNumber, WindowNumber};
use crate::letters::UnreadPiece;
use crate::rules::Round;
use crate::rules::text::{self, Reading, fold};
use crate::rules::{Declaration, Interview, Key, Seat};
use crate::tables::vocabulary::{behind, nearest};
use crate::tables::{Stage, pace};
use crate::time::Time;

/// At most so much of a text is quoted, in characters.
const QUOTED: usize = 40;

/// The longest name of a player, in characters: the longest of a Discord nickname.
const LONGEST_NAME: usize = 32;

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
    let Some((verb, rest)) = words::verb(text) else {
        let said = first(text);
        return Err(DecreeFault::Unknown { nearest: words::nearest(&said), said });
    };
    DecreeReader { bench, now, verb }.read(rest.trim())
}

struct DecreeReader<'b> {
    bench: &'b Bench,
    now: Time,
    verb: Verb,
}

impl DecreeReader<'_> {
    fn read(&self, rest: &str) -> Result<OverrideRequest, DecreeFault> {
        let what = match self.verb {
            Verb::Extend => Override::Extend { closes: self.time(rest, self.closes())? },
            Verb::Pause => Override::Pause { until: self.time(rest, self.now)? },
            Verb::Close => self.alone(rest, Override::Close)?,
            Verb::Resume => self.alone(rest, Override::Resume)?,
            Verb::Void => self.alone(rest, Override::Void)?,
            Verb::Hold => self.alone(rest, Override::Hold)?,
            Verb::Publish => self.alone(rest, Override::Publish)?,
            Verb::End => self.alone(rest, Override::End)?,
            Verb::Cancel => self.alone(rest, Override::Cancel)?,
            Verb::Open => self.alone(rest, Override::Open)?,
            Verb::Declare
            | Verb::AcceptLate
            | Verb::Return
            | Verb::Skip
            | Verb::Unskip
            | Verb::Die
            | Verb::Choose => self.judge(rest)?,
            Verb::Edit => Override::Edit { said: self.edit(rest)? },
            Verb::Rule => Override::Rule { words: self.said(rest)? },
            Verb::Say => self.say(rest)?,
            Verb::Replace => {
                let (seat, rest) = self.seat(rest)?;
                let guest = Some(self.name(rest)?);
                return Ok(OverrideRequest { what: Override::Replace { seat }, guest });
            }
            Verb::Invite => return self.invite(rest),
            Verb::Call | Verb::Recall | Verb::Kick => {
                let (seat, rest) = self.seat(rest)?;
                let what = match self.verb {
                    Verb::Call => Override::Call { seat },
                    Verb::Recall => Override::Recall { seat },
                    _ => Override::Kick { seat },
                };
                self.alone(rest, what)?
            }
            Verb::House => {
                let (seat, rest) = self.seat(rest)?;
                Override::House { seat, policy: self.policy(rest)? }
            }
            Verb::Swap => {
                let (a, rest) = self.seat(rest)?;
                let (b, rest) = self.seat(rest)?;
                self.alone(rest, Override::Swap { a, b })?
            }
            Verb::Rollback => {
                let number = self.window(rest)?;
                let round = self.bench.windows.iter().find(|window| window.number == number);
                Override::Rollback { number, round: round.map(|window| window.window) }
            }
            Verb::Undo => Override::Undo { number: self.decision(rest)? },
        };
        Ok(what.into())
    }

    fn lacks(&self) -> DecreeFault {
        DecreeFault::Lacks { verb: self.verb }
    }

    /// A decision behind which nothing more stands.
    fn alone(&self, rest: &str, what: Override) -> Result<Override, DecreeFault> {
        if rest.is_empty() {
            return Ok(what);
        }
        Err(DecreeFault::Surplus { verb: self.verb, said: quote(rest) })
    }

    /// Words of their own.
    fn said(&self, rest: &str) -> Result<String, DecreeFault> {
        if rest.is_empty() { Err(self.lacks()) } else { Ok(rest.to_owned()) }
    }

    /// What somebody is called.
    fn name(&self, rest: &str) -> Result<String, DecreeFault> {
        let name = self.said(rest)?;
        let plain = !name.contains(char::is_control) && name.parse::<Seat>().is_err();
        if plain && name.chars().count() <= LONGEST_NAME {
            return Ok(name);
        }
        Err(DecreeFault::NoName { said: quote(rest), longest: LONGEST_NAME })
    }

    /// Somebody is asked: before the game begins for any chair, and then for a seat.
    fn invite(&self, rest: &str) -> Result<OverrideRequest, DecreeFault> {
        let (seat, rest) = match self.bench.sight.stage {
            Stage::Forming => (None, rest),
            // One word is somebody's name: it is not said for which seat.
            _ if rest.split_whitespace().nth(1).is_none() => return Err(self.lacks()),
            _ => self.seat(rest).map(|(seat, rest)| (Some(seat), rest))?,
        };
        let guest = Some(self.name(rest)?);
        Ok(OverrideRequest { what: Override::Invite { seat }, guest })
    }

    /// From when on a deadline is put off.
    fn closes(&self) -> Time {
        let play = self.bench.sight.play.as_ref();
        play.map_or(self.now, |play| play.timing.closes.max(self.now))
    }

    fn time(&self, rest: &str, from: Time) -> Result<Time, DecreeFault> {
        if rest.is_empty() {
            return Err(self.lacks());
        }
        let zone = self.bench.sight.pace.zone;
        let no_time = |_| DecreeFault::NoTime { verb: self.verb, said: quote(rest) };
        pace::when(rest, zone, self.now, from).map_err(no_time)
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

    /// What is decided about one window.
    fn judge(&self, rest: &str) -> Result<Override, DecreeFault> {
        let (last, rest) = strip_last(rest);
        let of_table = Particle::Table.strip(rest).filter(|_| self.verb == Verb::Die);
        let (seat, rest) = match of_table {
            Some(rest) => (None, rest),
            None => self.seat(rest).map(|(seat, rest)| (Some(seat), rest))?,
        };
        let (also, rest) = strip_last(rest);
        let case = self.bench.case(last || also).ok_or(DecreeFault::NoLast)?;
        let change = match (self.verb, seat) {
            (Verb::Die, seat) => self.die(case, seat, rest)?,
            (Verb::AcceptLate, Some(seat)) => self.bare(rest, Change::AcceptLate { seat })?,
            (Verb::Skip, Some(seat)) => self.bare(rest, Change::Skip { seat })?,
            (Verb::Unskip, Some(seat)) => self.bare(rest, Change::Unskip { seat })?,
            (Verb::Return, Some(seat)) => {
                Change::Return { seat, part: self.part(case, seat, rest)? }
            }
            (Verb::Choose, Some(seat)) => self.choice(case, seat, rest)?,
            (_, Some(seat)) => {
                let form = |draft: &Declaration| case.contest.interview(seat, draft);
                let reading = self.text(rest, &Declaration::default(), &form)?;
                Change::Declare { seat, answers: reading.declaration }
            }
            (_, None) => return Err(self.lacks()),
        };
        Ok(Override::Judge { window: case.number, change })
    }

    fn bare(&self, rest: &str, change: Change) -> Result<Change, DecreeFault> {
        if rest.is_empty() {
            return Ok(change);
        }
        Err(DecreeFault::Surplus { verb: self.verb, said: quote(rest) })
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

    /// Decides every question that is answered in the text.
    fn choice(&self, case: &Case, seat: Seat, rest: &str) -> Result<Change, DecreeFault> {
        let form = |draft: &Declaration| case.contest.interview(seat, draft);
        let declared = case.declared.as_ref().and_then(|declared| declared[seat].clone());
        let reading = self.text(rest, &declared.unwrap_or_default(), &form)?;
        let mut answers = Declaration::default();
        for line in reading.lines {
            answers.set(line.key, line.answer);
        }
        Ok(Change::Choose { seat, answers })
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

    /// Who is named with an @ is told by name.
    fn say(&self, mut rest: &str) -> Result<Override, DecreeFault> {
        let mut to = Vec::new();
        while let Some(named) = rest.strip_prefix(['@', '＠']) {
            let (seat, behind) = self.seat(named)?;
            if !to.contains(&seat) {
                to.push(seat);
            }
            rest = behind;
        }
        Ok(Override::Say { words: self.said(rest)?, to })
    }

    fn policy(&self, rest: &str) -> Result<String, DecreeFault> {
        let policies = self.bench.sight.game.policies();
        let wanted = fold(rest);
        let found = match rest {
            "" => policies.last(),
            _ => policies.iter().find(|policy| **policy == wanted),
        };
        let policies = policies.iter().map(ToString::to_string);
        let no_policy =
            || DecreeFault::NoPolicy { said: quote(rest), policies: policies.collect() };
        found.map(ToString::to_string).ok_or_else(no_policy)
    }

    /// A window, by the number under which everybody is told of it.
    fn window(&self, rest: &str) -> Result<WindowNumber, DecreeFault> {
        let windows = &self.bench.windows;
        let closed = self.bench.last.as_ref().map(|case| case.number);
        if Particle::Last.strip(rest).is_some_and(str::is_empty) {
            return closed.ok_or(DecreeFault::NoLast);
        }
        let told = told(rest);
        let found = windows.iter().find(|opened| Some(opened.window) == told);
        found.map(|opened| opened.number).ok_or_else(|| DecreeFault::no_window(self.bench, rest))
    }

    /// A decision, counted from 1; if none is said, the last that stands.
    fn decision(&self, rest: &str) -> Result<OverrideNumber, DecreeFault> {
        let decided = &self.bench.decided;
        if rest.is_empty() {
            let stands = decided.iter().rfind(|logged| logged.undone.is_none());
            return stands.map(|logged| logged.number).ok_or_else(|| self.lacks());
        }
        let number = counted(rest);
        let found = decided.iter().find(|logged| Some(logged.number) == number);
        let most = decided.len();
        let no_decision = || DecreeFault::NoDecision { said: quote(rest), most };
        found.map(|logged| logged.number).ok_or_else(no_decision)
    }
}

/// A number that is counted from 1, as it is counted from 0.
fn counted(text: &str) -> Option<OverrideNumber> {
    fold(text.trim())
        .trim_start_matches('#')
        .parse::<u32>()
        .ok()?
        .checked_sub(1)
        .map(OverrideNumber::new)
}

/// The number of a window as it is told: `2`, `window 2`, and 0 for the setup.
fn told(text: &str) -> Option<Round> {
    if Particle::Setup.strip(text).is_some_and(str::is_empty) {
        return Some(Round::DEAL);
    }
    let text = fold(text);
    let (start, last) = (text.find(digit)?, text.rfind(digit)?);
    let around = format!("{}{}", text[..start].trim(), text[last + 1..].trim());
    let is_named = Particle::Window.strip(&around).is_some_and(str::is_empty);
    (is_named || matches!(around.as_str(), "" | "#")).then(|| text[start..=last].parse().ok())?
}

fn digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn strip_last(rest: &str) -> (bool, &str) {
    Particle::Last.strip(rest).map_or((false, rest), |rest| (true, rest))
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
