//! Ballots, and their results.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use strum::EnumCount;

use crate::model::{
    Desk, Override, Result, Stored, Verb, Vote, Written, about, announced_stage, contest, in_play,
    refuse_if,
};
use crate::overrides::judge::take_back_act;
use crate::overrides::making::{count_open, count_up, open_vote, tell_open};
use crate::overrides::read::reader::quote;
use crate::overrides::vote::{self, voters};
use crate::view::see::Sight;
use letters::template::typed::{letters, sampled_from};
use letters::{
    Ballots, DESK, Letters, Moment, Reader, Refused, Voice, VoteRefused, Voting, follow,
};
use rules::Seat;
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::{Lang, fold};
use store::{SeatRow, Touched, VoteRow, WindowRow, absences, people, read_json, votes};
use tables::absence::AbsenceFault;
use tables::vocabulary::{WordForms, all_said, found, sound};
use tables::{Absence, AccountId, Pace, PaceFault, PersonId, TableCode, Time, VoteNumber, pace};

/// The input of a player about the votes of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ballot {
    /// The question for the open votes.
    Show,
    /// A decision to be put to the vote.
    Propose(Override),
    Voice {
        yes: bool,
        /// The kind of vote; `None` if only one is open.
        kind: Option<Verb>,
    },
}

/// The result of a ballot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Balloted {
    /// The open votes.
    Shown(Vec<Vote>),
    Proposed(Vote),
    /// The voice counts.
    Counted {
        yes: bool,
        vote: Vote,
    },
    /// The ballot fits several votes.
    Several(Vec<Vote>),
}

/// Carries out a ballot.
/// Refused as by [`propose_vote`] and [`give_voice`], or if no such vote is open.
pub async fn ballot(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    ballot: &Ballot,
    now: Time,
) -> Result<Balloted> {
    let (yes, kind) = match ballot {
        Ballot::Propose(what) => {
            let vote = propose_vote(desk, code, account, what.clone(), now).await?;
            return Ok(Balloted::Proposed(vote));
        }
        Ballot::Show => return Ok(Balloted::Shown(open_votes(desk, code).await?)),
        Ballot::Voice { yes, kind } => (*yes, *kind),
    };
    let mut open = open_votes(desk, code).await?;
    open.retain(|vote| kind.is_none_or(|kind| vote.what.verb() == kind));
    match open.as_slice() {
        [] => Err(VoteRefused::NoVote.into()),
        [vote] => {
            let vote = give_voice(desk, code, account, vote.number, yes, now).await?;
            Ok(Balloted::Counted { yes, vote })
        }
        _ => Ok(Balloted::Several(open)),
    }
}

async fn open_votes(desk: &Desk, code: &TableCode) -> Stored<Vec<Vote>> {
    let mut votes = vote::votes(desk, code).await?;
    votes.retain(|vote| vote.outcome.is_none());
    Ok(votes)
}

/// Gives a voice in a vote, in place of the person's former one. A vote that passes is carried out.
/// Refused if the person is not seated, the vote is about their own seat, or is over.
pub async fn give_voice(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    number: VoteNumber,
    yes: bool,
    now: Time,
) -> Result<Vote> {
    let ballot = (desk.games, account.to_owned(), number, yes);
    desk.at_table(code, now, ballot, |&(games, ref account, number, yes), tx| {
        Box::pin(async move {
            let (person, own, _) = voter(tx, account).await?;
            games.of(&tx.table)?;
            let mut rows = votes::all(tx.db, &tx.table.code).await?.into_iter();
            let is_it = |row: &VoteRow| row.number == number && row.ended.is_none();
            let row = rows.find(is_it).ok_or(VoteRefused::VoteOver)?;
            refuse_if(count_up(tx, games, &row).await?.outcome.is_some(), VoteRefused::VoteOver)?;
            let window = tx.open_window().await?.ok_or(VoteRefused::VoteOver)?;
            refuse_if(tx.now < window.opens_at, Refused::NotYet)?;
            refuse_if(has_run_out(tx, &window), VoteRefused::VoteOver)?;
            let what: Override = read_json(&row.what)?;
            refuse_if(about(&what) == Some(own), VoteRefused::NoVoice)?;
            votes::keep_voice(tx, row.number, &person, yes).await?;
            votes::stir_vote(tx, row.number).await?;
            Ok(count_up(tx, games, &row).await?)
        })
    })
    .await
}

/// Returns the person of an account, their seat, and the players.
async fn voter(
    tx: &mut Touched<'_>,
    account: &AccountId,
) -> Result<(PersonId, Seat, Vec<SeatRow>)> {
    let person = people::person(tx.db, account).await?.ok_or(Refused::NotSeated)?;
    let seats = tx.seats().await?;
    let own = seats.iter().find(|row| row.is_of(Some(&person))).ok_or(Refused::NotSeated)?.seat;
    Ok((person, own, seats))
}

/// True if the deadline of a window has passed, which is handled by the clock, as for a declaration.
fn has_run_out(tx: &Touched<'_>, window: &WindowRow) -> bool {
    tx.table.held.is_none() && !window.timing().takes(tx.now)
}

/// Puts a decision to the vote, and votes for it. A vote that needs no other voice is carried out immediately.
/// Refused if the account has no seat, the vote could not be carried out now, or a vote of the same kind
/// is open.
pub async fn propose_vote(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    what: Override,
    now: Time,
) -> Result<Vote> {
    let ballot = (desk.games, account.to_owned(), what);
    desk.at_table(code, now, ballot, |&(games, ref account, ref what), tx| {
        Box::pin(async move {
            count_open(tx, games).await?;
            let (person, own, seats) = voter(tx, account).await?;
            let game = games.of(&tx.table)?;
            let window = announced(tx).await?;
            refuse_if(about(what) == Some(own), VoteRefused::NoVoice)?;
            if matches!(what, Override::TakeBack { .. }) {
                let mut contest = contest(tx.db, game, &tx.table, &seats, &window).await?;
                take_back_act(&mut *contest, what)?;
            }
            check_voices(tx, &seats, what).await?;
            let (row, _) = open_vote(tx, &window, &person, what.clone(), "", false).await?;
            let vote = count_up(tx, games, &row).await?;
            if vote.outcome.is_none() {
                tell_open(tx, &row, &vote).await?;
            }
            Ok(vote)
        })
    })
    .await
}

/// Refuses a vote of a single voter about the seat of a player who is there.
async fn check_voices(tx: &mut Touched<'_>, seats: &[SeatRow], what: &Override) -> Result<()> {
    let Some(seat) = about(what) else { return Ok(()) };
    let presences = absences::presences(tx.db, &tx.table.code).await?;
    let row = presences.iter().find(|row| row.seat == seat);
    let is_gone = row.is_some_and(|row| row.inactive_at.is_some());
    let alone = voters(seats, Some(seat)).len() < 2;
    if alone && !is_gone { Err(VoteRefused::OneVoice.into()) } else { Ok(()) }
}

/// Returns the open window, if it has been announced.
async fn announced(tx: &mut Touched<'_>) -> Result<WindowRow> {
    let open = tx.open_window().await?;
    in_play(announced_stage(&tx.table, open.as_ref(), tx.now))?;
    let window = open.ok_or(Refused::NotBegun)?;
    refuse_if(tx.now < window.opens_at, Refused::NotYet)?;
    // A passed deadline is handled by the clock, as for a declaration.
    refuse_if(tx.table.held.is_none() && !window.timing().takes(tx.now), Refused::NotYet)?;
    Ok(window)
}

const FILE: &str = "data/desk/vote.toml";
const TEXT: &str = include_str!("../../../data/desk/vote.toml");

/// A voice on a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
enum VoiceWord {
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
fn voiced(voice: VoiceWord, rest: &str) -> Result<Ballot, VoteFault> {
    let yes = voice == VoiceWord::Yes;
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
    voice: BTreeMap<VoiceWord, WordForms>,
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

impl Vote {
    /// Writes the count or the outcome of the vote.
    pub fn words(&self, letters: &Letters, reader: &Reader, zone: Tz) -> Written {
        let vote = Ballots {
            by: self.by,
            about: self.about.as_deref(),
            decision: self.what.shown(&self.reason, zone),
            closes: Moment::at(self.closes, zone),
            tally: self.tally(),
            second: self.second,
            outcome: self.outcome.map(Into::into),
        };
        letters.write(reader, &vote)
    }
}

impl Balloted {
    /// Writes the reply to the player.
    pub fn words(&self, letters: &Letters, reader: &Reader, zone: Tz) -> Written {
        match self {
            Self::Shown(open) => {
                let mut text = String::new();
                for vote in open {
                    follow(&mut text, &vote.words(letters, reader, zone)?);
                }
                follow(&mut text, &letters.write(reader, &Voting {})?);
                Ok(text)
            }
            // The vote is announced to everybody, including its proposer.
            Self::Proposed(vote) => {
                let (tally, outcome) = (vote.tally(), vote.outcome.map(Into::into));
                letters.write(reader, &Voice { agrees: true, tally, outcome })
            }
            Self::Counted { yes, vote } => {
                let (tally, outcome) = (vote.tally(), vote.outcome.map(Into::into));
                letters.write(reader, &Voice { agrees: *yes, tally, outcome })
            }
            Self::Several(open) => {
                let open = open.iter().map(|vote| vote.what.verb()).collect();
                VoteFault::Several { open }.words(letters, reader)
            }
        }
    }
}

impl VoteFault {
    /// Writes the fault and suggestions.
    pub fn words(&self, letters: &Letters, reader: &Reader) -> Written {
        match self {
            Self::NoPace(fault) => letters.pace_fault(reader, fault),
            Self::NoAbsence(fault) => letters.absence_fault(reader, fault),
            fault => letters.write(reader, &VoteMisread { fault }),
        }
    }
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
