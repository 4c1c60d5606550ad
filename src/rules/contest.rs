//! One contest from the deal to the standing: which window is open, and what its close brings.
//!
//! A root window is a round; the windows that a suspension opens belong to it. There is one
//! snapshot per root window, and everything said since is kept as a list of answers.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::adjudication::{Answers, Rule, adjudicate, probe};
use super::clause::Clause;
use super::declaration::{Declaration, Value};
use super::dice::{Dice, Label};
use super::game::{Game, Place};
use super::interview::{Interview, interview, rehearse};
use super::question::{Key, Question};
use super::record::Entry;
use super::seat::{BySeat, Seat};

/// How many rounds in a row may pass without anybody being asked.
const IDLE_ROUNDS: usize = 1000;

/// What a suspension already posted: the re-run must begin with the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Posted {
    entries: usize,
    hash: [u8; 32],
}

/// What the close of a window brought.
#[derive(Clone, Debug)]
pub struct Resolution<E> {
    /// What happened since the last post.
    pub entries: Vec<Entry<E>>,
    /// The clauses met since the root window was opened.
    pub met: BTreeSet<Clause>,
    /// The final standing, if the game is over.
    pub standing: Option<Vec<Place>>,
}

/// The contest cannot go on by itself: the GM must be called.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Held {
    /// The re-run after a suspension did not begin with what was posted.
    #[error("the re-run of window {window} differs from what was posted before")]
    Differs {
        /// The root window.
        window: u32,
    },
    /// The rules do not come to an end.
    #[error("the rules do not come to an end")]
    Endless,
    /// A rule failed outside of every turn.
    #[error("the rules failed: {0}")]
    Failed(Box<super::ruling::Fault>),
}

/// One contest of a game.
#[derive(Clone, Debug)]
pub struct Contest<G: Game> {
    dice: Dice,
    /// The snapshot of the root window.
    root: G::State,
    /// Where it stands now; between a suspension and its answers, as far as it came.
    now: G::State,
    /// The root window, from 0, which is the setup.
    window: u32,
    attempt: u32,
    answers: Answers,
    posted: Posted,
    /// What a suspension waits for; each seat's first question.
    open: Vec<Question>,
    standing: Option<Vec<Place>>,
}

impl<G: Game> Contest<G> {
    /// Deals, as far as it goes without asking anybody.
    pub fn open(
        options: &G::Options,
        seats: usize,
        dice: Dice,
    ) -> Result<(Self, Resolution<G::Event>), Held> {
        let mut contest = Self::at(G::bare(options, seats), dice);
        contest.window = 0;
        let resolution = contest.advance()?;
        Ok((contest, resolution))
    }

    /// A contest that stands at this state, with the next round to be declared.
    pub fn at(state: G::State, dice: Dice) -> Self {
        let count = G::asked(&state).count();
        Self {
            dice,
            now: state.clone(),
            root: state,
            window: 1,
            attempt: 0,
            answers: Answers::new(count),
            posted: Posted::default(),
            open: Vec::new(),
            standing: None,
        }
    }

    /// Where it stands now, everything included: for the judge, never for a player.
    pub fn state(&self) -> &G::State {
        &self.now
    }

    /// The root window, counted from 0, which is the setup.
    pub fn window(&self) -> u32 {
        self.window
    }

    /// The final standing, once the game is over.
    pub fn standing(&self) -> Option<&[Place]> {
        self.standing.as_deref()
    }

    /// Whether the window that is open belongs to a root window that is being resolved.
    pub fn is_suspended(&self) -> bool {
        !self.open.is_empty()
    }

    /// Who is asked in the window that is open now.
    pub fn asked(&self) -> Vec<Seat> {
        if self.standing.is_some() {
            return Vec::new();
        }
        if self.is_suspended() {
            let seats: BTreeSet<Seat> = self.open.iter().map(|question| question.seat).collect();
            return seats.into_iter().collect();
        }
        G::asked(&self.root).iter().filter(|(_, asked)| **asked).map(|(seat, _)| seat).collect()
    }

    /// Holds a seat's draft against what the seat may know.
    pub fn interview(&self, seat: Seat, draft: &Declaration) -> Interview {
        if self.is_suspended() {
            let dice = self.dice.of_window(self.window, self.attempt);
            probe::<G>(self.rule(), &self.root, &self.answers, dice, seat, draft)
        } else {
            interview::<G>(&self.root, seat, draft)
        }
    }

    /// Takes the declarations of the window that is now closed, and goes on as far as it can
    /// without asking anybody. What a re-run gives is compared with what was posted before.
    pub fn close(
        &mut self,
        declared: BySeat<Option<Declaration>>,
    ) -> Result<Resolution<G::Event>, Held> {
        if self.is_suspended() {
            for question in self.open.drain(..) {
                self.answers.asked.insert((question.seat, question.key));
            }
            for seat in declared.seats() {
                if let Some(declaration) = &declared[seat] {
                    self.answers.later[seat].extend(declaration.clone());
                }
            }
        } else {
            self.answers.declared = declared;
        }
        self.advance()
    }

    /// The GM decides a question of this root window instead of its player.
    pub fn force(&mut self, seat: Seat, key: Key, answer: super::declaration::Answer) {
        self.answers.forced[seat].set(key, answer);
    }

    /// The GM decides a die of this root window: the option it shows, or the number.
    pub fn rig(&mut self, label: &Label, value: Value) {
        self.answers.dice.insert(label.to_string(), value);
    }

    /// What a move of the GM's would be asked, as far as it is said.
    pub fn rehearse(&self, said: &Declaration) -> Interview {
        rehearse::<G>(&self.now, said).0
    }

    /// Carries out a move of the GM's, between two windows. It is refused with all its faults.
    pub fn amend(&mut self, said: &Declaration) -> Result<(), Interview> {
        let (found, state) = rehearse::<G>(&self.now, said);
        if !found.faults.is_empty() || !found.superfluous.is_empty() {
            return Err(found);
        }
        self.root = state.clone();
        self.now = state;
        Ok(())
    }

    fn rule(&self) -> Rule<G> {
        if self.window == 0 { G::setup } else { G::round }
    }

    fn advance(&mut self) -> Result<Resolution<G::Event>, Held> {
        let mut entries = Vec::new();
        let mut met = BTreeSet::new();
        for _ in 0..IDLE_ROUNDS {
            self.adjudicate(&mut entries, &mut met)?;
            if self.standing.is_some() || !self.asked().is_empty() {
                let standing = self.standing.clone();
                return Ok(Resolution { entries, met, standing });
            }
        }
        Err(Held::Endless)
    }

    /// Runs the root window's rule once with all answers.
    fn adjudicate(
        &mut self,
        entries: &mut Vec<Entry<G::Event>>,
        met: &mut BTreeSet<Clause>,
    ) -> Result<(), Held> {
        let dice = self.dice.of_window(self.window, self.attempt);
        let run = adjudicate::<G>(self.rule(), &self.root, &self.answers, dice);
        let run = run.map_err(Held::Failed)?;
        let (mut told, clauses) = run.record.into_parts();
        let told_before = told.get(..self.posted.entries).map(hash);
        if told_before.is_none_or(|hash| hash != self.posted.hash) && self.posted.entries > 0 {
            return Err(Held::Differs { window: self.window });
        }
        met.extend(clauses);
        self.now = run.state;
        self.open = run.open;
        if self.is_suspended() {
            told.truncate(run.firm);
            let posted = Posted { entries: told.len(), hash: hash(&told) };
            entries.extend(told.drain(self.posted.entries.min(told.len())..));
            self.posted = posted;
        } else {
            entries.extend(told.drain(self.posted.entries..));
            self.posted = Posted::default();
            self.root = self.now.clone();
            self.answers = Answers::new(self.answers.declared.count());
            self.window += 1;
            self.standing = G::standing(&self.now);
        }
        Ok(())
    }
}

/// The hash of a record: SHA-256 over each entry as JSON with a line feed behind it.
fn hash<E: serde::Serialize>(entries: &[Entry<E>]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for entry in entries {
        // A record holds no map with keys that are no strings, the one thing JSON cannot write.
        hash.update(serde_json::to_vec(entry).expect("a record is plain data"));
        hash.update(b"\n");
    }
    hash.finalize().into()
}
