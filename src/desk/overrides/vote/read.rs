//! The parsing of votes in words, such as `extend 24h` or `反対`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::EnumCount;

use crate::model::overrides::{Override, Verb};
use crate::overrides::read::misread::quote;
use crate::overrides::vote::ballot::Ballot;
use crate::view::see::Sight;
use letters::DESK;
use letters::template::typed::{letters, sampled_from};
use rules::Seat;
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::{Lang, fold};
use tables::absence::AbsenceFault;
use tables::time::Time;
use tables::vocabulary::{WordForms, all_said, found, sound};
use tables::{Absence, Pace, PaceFault, pace};

const FILE: &str = "data/desk/vote.toml";
const TEXT: &str = include_str!("../../../../data/desk/vote.toml");

/// A voice on a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
enum Voice {
    Yes,
    No,
}

/// The reason why a text is not input about votes. Input is quoted as typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum VoteFault {
    /// The input is not a subject of votes.
    Unknown {
        /// The input.
        said: String,
    },
    /// The input is not a point in time.
    NoTime {
        /// The input.
        said: String,
    },
    /// The input is not a seat.
    NoSeat {
        /// The input.
        said: String,
        seats: Vec<Seat>,
    },
    /// The input is not a pace.
    #[serde(skip)]
    NoPace(PaceFault),
    /// The input is not a treatment of missing players.
    #[serde(skip)]
    NoAbsence(AbsenceFault),
    /// Several votes are open.
    Several {
        /// The kind of each vote.
        open: Vec<Verb>,
    },
}

letters! {
    /// The letter about invalid input for a vote.
    LETTERS in DESK;

    /// The fault of the input, and suggestions.
    "vote_fault" pub(super) struct VoteMisread<'a> { pub(super) fault: &'a VoteFault }
}

sampled_from! {
    VoteFault: [
        VoteFault::Unknown { said: "extnd@here".to_owned() },
        VoteFault::NoTime { said: String::new() },
        VoteFault::NoTime { said: "25:00".to_owned() },
        VoteFault::NoSeat { said: "P9".to_owned(), seats: vec![Seat::new(0), Seat::new(1)] },
        VoteFault::NoSeat { said: String::new(), seats: vec![Seat::new(0)] },
        VoteFault::Several {
            open: vec![
                Verb::Extend,
                Verb::Pause,
                Verb::House,
                Verb::Pace,
                Verb::Absence,
                Verb::TakeBack,
                Verb::End,
            ],
        },
    ];
}

/// Parses input about the votes of a table, in any language.
pub fn read(text: &str, sight: &Sight, now: Time) -> Result<Ballot, VoteFault> {
    read_about(text.trim(), None, sight, now)
}

/// Parses input whose first word and seat are given apart: the rest is a time, a pace, a treatment of missing
/// players, or the name of the seat.
pub fn read_options(
    what: &str,
    rest: &str,
    seat: Option<Seat>,
    sight: &Sight,
    now: Time,
) -> Result<Ballot, VoteFault> {
    match (what, rest.trim()) {
        ("", "") => Ok(Ballot::Show),
        ("", rest) => Err(VoteFault::Unknown { said: quote(rest) }),
        (what, rest) => read_about(format!("{what} {rest}").trim(), seat, sight, now),
    }
}

/// Parses input, about this seat if it is known already.
fn read_about(
    text: &str,
    seat: Option<Seat>,
    sight: &Sight,
    now: Time,
) -> Result<Ballot, VoteFault> {
    if text.is_empty() {
        return Ok(Ballot::Show);
    }
    if let Some((voice, rest)) = found(&WORDS.voice, text) {
        return voiced(voice, rest);
    }
    let Some((verb, rest)) = found(&WORDS.motion, text) else {
        return Err(VoteFault::Unknown { said: quote(text) });
    };
    proposed(verb, rest, seat, sight, now)
}

/// Parses a voice, in the vote of the named kind if there is one.
fn voiced(voice: Voice, rest: &str) -> Result<Ballot, VoteFault> {
    let yes = voice == Voice::Yes;
    match found(&WORDS.motion, rest) {
        Some((kind, "")) => Ok(Ballot::Voice { yes, kind: Some(kind) }),
        _ if rest.is_empty() => Ok(Ballot::Voice { yes, kind: None }),
        _ => Err(VoteFault::Unknown { said: quote(rest) }),
    }
}

/// Parses a proposal, whose seat is known already or is parsed.
fn proposed(
    verb: Verb,
    rest: &str,
    about: Option<Seat>,
    sight: &Sight,
    now: Time,
) -> Result<Ballot, VoteFault> {
    let (zone, play) = (sight.pace.zone, sight.play.as_ref());
    let time = |from: Time| {
        let at = pace::when(rest, zone, now, from);
        at.map_err(|_| VoteFault::NoTime { said: quote(rest) })
    };
    let closes = play.map_or(now, |play| play.timing.closes);
    let what = match verb {
        Verb::Extend if rest.is_empty() => {
            Override::Extend { closes: sight.window_pace().deadline(closes) }
        }
        Verb::Extend => Override::Extend { closes: time(closes.max(now))? },
        Verb::Pause => Override::Pause { until: time(now)? },
        Verb::House => {
            let seat = about.map_or_else(|| seat(rest, sight), Ok)?;
            let policy = sight.game.policies().last().copied().unwrap_or_default().to_owned();
            Override::House { seat, policy }
        }
        Verb::Pace => {
            let read = Pace::read(rest, zone).map_err(VoteFault::NoPace)?;
            Override::Pace { pace: Box::new(read) }
        }
        Verb::Absence => {
            let read = Absence::read(rest, &sight.supposed_absence());
            Override::Absence { absence: read.map_err(VoteFault::NoAbsence)? }
        }
        Verb::Resume if rest.is_empty() => Override::Resume,
        Verb::TakeBack if rest.is_empty() => play
            .map_or(Override::TakeBack { seat: None, act: 0 }, |play| {
                Override::of_last_act(&*play.contest)
            }),
        Verb::End if rest.is_empty() => Override::End,
        _ => return Err(VoteFault::Unknown { said: quote(rest) }),
    };
    Ok(Ballot::Propose(what))
}

/// Parses a seat, by its number or its player's name.
fn seat(text: &str, sight: &Sight) -> Result<Seat, VoteFault> {
    let named = fold(text.trim());
    let is_called = |seat: &Seat| {
        let number = (seat.index() + 1).to_string();
        let name = sight.names.get(seat.index()).map(|name| fold(name.trim()));
        let name = name.filter(|name| !name.is_empty());
        named == number || named == fold(seat.name()) || Some(&named) == name.as_ref()
    };
    let seats: Vec<Seat> = Seat::all(sight.chairs).collect();
    let found = seats.iter().find(|seat| is_called(seat)).copied();
    found.ok_or_else(|| VoteFault::NoSeat { said: quote(text), seats })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct VoteWords {
    /// The decisions that can be put to the vote.
    motion: BTreeMap<Verb, WordForms>,
    voice: BTreeMap<Voice, WordForms>,
}

static WORDS: BuiltIn<VoteWords> = BuiltIn::new(|| read_words(FILE, TEXT));

fn read_words(file_name: &str, text: &str) -> Result<VoteWords, DataFault> {
    let words: VoteWords = parse(file_name, text)?;
    let at = (file_name, text);
    all_said(at, "[voice]", &words.voice)?;
    sound(at, words.motion.values().chain(words.voice.values()))?;
    Ok(words)
}

/// Returns every fault in the words of votes.
pub fn check() -> Vec<DataFault> {
    WORDS.fault().into_iter().collect()
}

/// Returns every word that can begin input about votes, in a language.
pub fn words_of(lang: Lang) -> impl Iterator<Item = &'static str> {
    let motions = WORDS.motion.values().map(move |forms| forms.shown(lang));
    motions.chain(WORDS.voice.values().map(move |forms| forms.shown(lang)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sound() {
        assert_eq!(check(), []);
    }

    #[test]
    fn a_fault_has_its_line() {
        let twice = TEXT.replace("\"yes\"", "\"draw\"");
        assert!(read_words(FILE, &twice).unwrap_err().what.contains("two places"));
        let missing: String =
            TEXT.split_inclusive('\n').filter(|line| !line.starts_with("no =")).collect();
        assert!(read_words(FILE, &missing).unwrap_err().what.starts_with("1 of 2"));
    }
}
