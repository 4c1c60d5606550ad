//! Votes of a table, in words.

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::letters::checking::samples;
use crate::letters::decrees::Decree;
use crate::letters::template::letters::{DESK, LetterFault, Letters};
use crate::letters::template::reader::Reader;
use crate::letters::template::views::Moment;
use crate::rules::Seat;

/// How a vote stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct VoteTally {
    /// How many agree.
    pub yes: usize,
    /// How many do not.
    pub no: usize,
    /// How many of those who can vote have to agree.
    pub needed: usize,
}

/// A vote, as it is told.
#[derive(Clone, Debug, Serialize)]
pub struct Ballots<'a> {
    /// Where the one sits who proposed it, if they sit there still.
    pub by: Option<Seat>,
    /// What was proposed.
    pub decree: Decree<'a>,
    pub closes: Moment,
    /// How it stands.
    pub tally: VoteTally,
    /// Whether one voice beside that of who proposed it is enough, as they decide at the table.
    pub second: bool,
    /// The word for what came of it; none while it is open.
    pub outcome: Option<&'a str>,
}

/// Something that can be done to a table on demand only so much, and how much of it is left, in
/// milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum Spent {
    /// A window can be put off.
    Extension {
        /// By so much more.
        left: i64,
    },
    /// A table can stand still.
    Pause {
        /// For so much longer.
        left: i64,
    },
}

/// What can come of a vote, by its word.
const OUTCOMES: [&str; 4] = ["passed", "rejected", "expired", "overtaken"];

impl Letters {
    /// A vote of the table: how it stands, or what came of it.
    pub fn vote(&self, reader: &Reader, vote: &Ballots<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "vote", vote)
    }

    /// A voice has been counted.
    pub fn voice(
        &self,
        reader: &Reader,
        agrees: bool,
        tally: VoteTally,
        outcome: Option<&str>,
    ) -> Result<String, LetterFault> {
        let context = json!({ "agrees": agrees, "tally": tally, "outcome": outcome });
        self.letter(DESK, reader, "voice", context)
    }

    /// What a table can decide by a vote, and how.
    pub fn voting(&self, reader: &Reader) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "voting", ())
    }

    /// Why a text says nothing of a vote, and what would be right.
    pub fn vote_fault(&self, reader: &Reader, fault: &Json) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "vote_fault", json!({ "fault": fault }))
    }

    /// What a game master who plays wanted is put to the vote.
    pub fn second(&self, reader: &Reader) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "second", ())
    }

    /// What can be done only so much would be too much by now.
    pub fn spent(&self, reader: &Reader, spent: Spent) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "spent", json!({ "spent": spent }))
    }

    /// Everything of this, once, for the letters' own check.
    pub(super) fn check_votes(
        &self,
        reader: &Reader,
        decrees: &[Decree<'_>],
    ) -> Vec<Result<String, LetterFault>> {
        let plain = reader.clone().in_plain_text();
        let readers = [reader, &plain].into_iter();
        readers.flat_map(|reader| self.check_votes_for(reader, decrees)).collect()
    }

    fn check_votes_for(
        &self,
        reader: &Reader,
        decrees: &[Decree<'_>],
    ) -> Vec<Result<String, LetterFault>> {
        let tally = VoteTally { yes: 1, no: 0, needed: 2 };
        let mut all = vec![self.voting(reader), self.second(reader)];
        for outcome in OUTCOMES.map(Some).into_iter().chain([None]) {
            for decree in proposals(decrees) {
                for (by, second) in [(Some(Seat::new(0)), true), (None, false)] {
                    let (decree, closes) = (decree.clone(), samples::moment());
                    let vote = Ballots { by, decree, closes, tally, second, outcome };
                    all.push(self.vote(reader, &vote));
                }
            }
            all.extend([true, false].map(|agrees| self.voice(reader, agrees, tally, outcome)));
        }
        all.extend(faults().iter().map(|fault| self.vote_fault(reader, fault)));
        for left in [0, 3_600_000] {
            all.push(self.spent(reader, Spent::Extension { left }));
            all.push(self.spent(reader, Spent::Pause { left }));
        }
        all
    }
}

/// One of everything that can be proposed: with a reason, and without.
fn proposals<'a>(decrees: &[Decree<'a>]) -> Vec<Decree<'a>> {
    let mut all = decrees.to_vec();
    all.retain(|decree| {
        ["extend", "pause", "house", "end"].contains(&decree.what["does"].as_str().unwrap_or(""))
    });
    let silent = all.iter().map(|decree| Decree { reason: "", ..decree.clone() });
    silent.collect::<Vec<_>>().into_iter().chain(all).collect()
}

/// Every way in which a text can say nothing of a vote.
fn faults() -> Vec<Json> {
    let kinds = ["extend", "pause", "replace", "draw"];
    vec![
        json!({ "kind": "unknown", "said": "extnd@here" }),
        json!({ "kind": "no-time", "said": "" }),
        json!({ "kind": "no-time", "said": "25:00" }),
        json!({ "kind": "no-seat", "said": "P9", "seats": [0, 1] }),
        json!({ "kind": "several", "open": kinds }),
    ]
}
