//! A contest that is kept and taken up again.
//!
//! No stack is ever stored: what is kept is the snapshot of the root window, and what was said
//! since. A contest that is suspended is brought back by running its rule again, and what that
//! tells must begin with what was posted.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::rules::chance::dice::Dice;
use crate::rules::engine::adjudication::{Answers, adjudicate};
use crate::rules::engine::contest::{Contest, Decided, Held, Posted};
use crate::rules::vocabulary::declaration::Act;
use crate::rules::vocabulary::game::Game;
use crate::rules::vocabulary::round::Round;
use crate::rules::vocabulary::seat::Seat;

/// A contest, written down. The same contest is always written as the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// The state that the root window was opened with, as JSON.
    pub root: String,
    /// What was said since, as JSON: the root window and its attempt, what was done in it, the answers, what the GM
    /// has decided and no run has heard yet, how much was posted with its hash, and whether it
    /// is suspended.
    pub said: String,
}

/// A contest that cannot be taken up again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// What was kept is not what this game writes.
    #[error("the {what} that was kept cannot be read: {error}")]
    Unreadable {
        /// Which field of [`Saved`].
        what: &'static str,
        error: String,
    },
    /// The GM must be called.
    #[error(transparent)]
    Held(#[from] Held),
}

/// How [`Saved::said`] is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedAnswers {
    window: Round,
    attempt: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    acts: Vec<Act>,
    answers: Answers,
    decided: Decided,
    posted: PostedText,
    suspended: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PostedText {
    entries: usize,
    #[serde(serialize_with = "write_hash", deserialize_with = "read_hash")]
    hash: [u8; 32],
}

impl SavedAnswers {
    /// Whether it was said at a table of this many seats.
    fn is_for(&self, count: usize) -> bool {
        let answers = &self.answers;
        let is_there = |seat: &Seat| seat.index() < count;
        [
            answers.declared.count(),
            answers.later.count(),
            answers.forced.count(),
            self.decided.forced.count(),
        ]
        .iter()
        .all(|&seats| seats == count)
            && self.acts.iter().all(|act| is_there(&act.seat))
            && answers.asked.iter().all(|(seat, _)| is_there(seat))
            && answers.turnouts.keys().chain(self.decided.turnouts.keys()).all(is_there)
            && answers
                .sent_back
                .iter()
                .chain(&self.decided.sent_back)
                .all(|(seat, _)| is_there(seat))
    }
}

impl<G: Game> Contest<G> {
    /// Writes it down, to be taken up again with [`Self::load`] and the same dice.
    pub fn save(&self) -> Saved {
        let said = SavedAnswers {
            window: self.window,
            attempt: self.attempt,
            acts: self.acts.clone(),
            answers: self.answers.clone(),
            decided: self.decided.clone(),
            posted: PostedText { entries: self.posted.entries, hash: self.posted.hash },
            suspended: self.is_suspended(),
        };
        Saved { root: write(self.opening()), said: write(&said) }
    }

    /// Takes up a contest that was written down. It goes on as the one that was saved would have.
    ///
    /// # Errors
    /// If it cannot be read, or if its rule, run again, does not begin with what was posted or
    /// no longer stops where it did.
    pub fn load(saved: &Saved, dice: Dice) -> Result<Self, LoadError> {
        let root: G::State = read("root", &saved.root)?;
        let said: SavedAnswers = read("said", &saved.said)?;
        let mut contest = Self::at(root, dice);
        if !said.is_for(contest.answers.declared.count()) {
            let error = "it was said at a table of another size".to_owned();
            return Err(LoadError::Unreadable { what: "said", error });
        }
        contest.window = said.window;
        contest.attempt = said.attempt;
        contest.redo(said.acts).map_err(Held::Failed)?;
        contest.answers = said.answers;
        contest.decided = said.decided;
        contest.posted = Posted { entries: said.posted.entries, hash: said.posted.hash };
        if said.suspended {
            contest.resume()?;
        }
        Ok(contest)
    }

    /// The state with which the root window opened.
    fn opening(&self) -> &G::State {
        self.opened.as_ref().unwrap_or(&self.root)
    }

    /// Runs the rule again up to where it waits.
    fn resume(&mut self) -> Result<(), Held> {
        let dice = self.dice.of_window(self.window.get(), self.attempt);
        let run = adjudicate::<G>(self.rule(), &self.root, &self.answers, dice);
        let run = run.map_err(Held::Failed)?;
        if run.open.is_empty() || !self.posted.begins(run.record.entries()) {
            return Err(Held::Differs { window: self.window });
        }
        self.now = run.state;
        self.open = run.open;
        Ok(())
    }

    /// SHA-256 over the state as it stands now, as JSON in UTF-8: no space or line feed between
    /// its parts, fields in the order in which the game declares them, and no escapes but those
    /// that JSON demands. Between a suspension and its answers that is as far as it came.
    pub fn state_hash(&self) -> [u8; 32] {
        Sha256::digest(write(self.state())).into()
    }

    /// The hash of the state with which the open window began, whatever has been done at
    /// once in it since.
    pub fn opening_hash(&self) -> [u8; 32] {
        let began = if self.is_suspended() { self.state() } else { self.opening() };
        Sha256::digest(write(began)).into()
    }
}

/// How many acts there were in the window of which this is [`Saved::said`].
pub fn acts_in(said: &str) -> Result<usize, LoadError> {
    read::<SavedAnswers>("said", said).map(|said| said.acts.len())
}

fn write<T: Serialize>(value: &T) -> String {
    // A state holds no map with keys that are no strings, the one thing JSON cannot write.
    serde_json::to_string(value).expect("a state is plain data")
}

fn read<T: DeserializeOwned>(what: &'static str, text: &str) -> Result<T, LoadError> {
    serde_json::from_str(text)
        .map_err(|error| LoadError::Unreadable { what, error: error.to_string() })
}

fn write_hash<S: Serializer>(hash: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex::encode(hash))
}

fn read_hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
    let mut hash = [0; 32];
    let text = String::deserialize(deserializer)?;
    hex::decode_to_slice(&text, &mut hash).map_err(serde::de::Error::custom)?;
    Ok(hash)
}
