//! One contest from the deal to the standing: its open window, and the resolution of each close.
//!
//! A root window is a round; the windows of a suspension belong to it. There is one snapshot per root window,
//! and a list of all answers since. [`Saved`] stores these, and never a stack: a suspended contest is
//! restored by running its rule again, and the new record must begin with the posted one.
//!
//! The decisions of a GM about a contest: answers and dice, whole turns and parts of them, a move, and a
//! window asked anew.
//!
//! The next run applies a decision. If two decisions contradict each other, the later counts. The posted part
//! of a suspension stays: a decision that would change it holds the table.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::engine::adjudication::{Rule, adjudicate, probe, reshuffled};
use crate::engine::interview::{Rehearsed, interview, planned, rehearse, with_reserves};
use crate::engine::throwing::throws;
use crate::{
    Act, Answer, Answers, BySeat, Clause, Declaration, Dice, Entry, Game, Interview, Key, Label,
    Place, Procedure, Question, Record, Round, Seat, Thrown, Turnout, Value, Viewer, WindowKind,
};

/// The maximum number of consecutive rounds without a question.
const IDLE_ROUNDS: usize = 1000;

/// The posted record of a suspension: the re-run must begin with the same entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Posted {
    pub(crate) entries: usize,
    pub(crate) hash: [u8; 32],
}

impl Posted {
    fn of<E: Serialize>(record: &[Entry<E>]) -> Self {
        Self { entries: record.len(), hash: hash(record) }
    }

    /// True if the record begins with the posted entries.
    pub(crate) fn begins<E: Serialize>(&self, record: &[Entry<E>]) -> bool {
        record.get(..self.entries).is_some_and(|record| hash(record) == self.hash)
    }
}

/// The GM's decisions since the last run, which the next run applies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decided {
    /// The GM's answers in place of the players'.
    pub(crate) forced: BySeat<Declaration>,
    /// The GM's values of dice, by label.
    pub(crate) dice: BTreeMap<String, Value>,
    /// The decisions about whole turns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) turnouts: BTreeMap<Seat, Turnout>,
    /// The parts sent back.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) sent_back: BTreeSet<(Seat, Key)>,
}

impl Decided {
    pub(crate) fn nothing(count: usize) -> Self {
        let forced = BySeat::new(count, |_| Declaration::default());
        Self { forced, ..Self::default() }
    }

    /// Adds these decisions to the answers, over earlier ones.
    fn join(self, answers: &mut Answers) {
        for (seat, forced) in self.forced.iter() {
            for (key, answer) in forced.iter() {
                answers.sent_back.remove(&(seat, key.whole()));
                answers.forced[seat].set(key.clone(), answer.clone());
            }
        }
        for (seat, part) in &self.sent_back {
            answers.forced[*seat].remove_part(part);
        }
        answers.dice.extend(self.dice);
        answers.turnouts.extend(self.turnouts);
        answers.sent_back.extend(self.sent_back);
    }
}

/// The result of a window's close.
#[derive(Clone, Debug)]
pub struct Resolution<E> {
    /// The entries since the last post.
    pub entries: Vec<Entry<E>>,
    /// The clauses that applied since the root window was opened.
    pub met: BTreeSet<Clause>,
    /// The final standing, `None` while the game is on.
    pub standing: Option<Vec<Place>>,
}

/// The reasons why a contest cannot go on without the GM.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Held {
    /// The re-run after a suspension did not begin with what was posted.
    #[error("the re-run of window {round} differs from what was posted before")]
    Differs {
        /// The root window.
        round: Round,
    },
    /// The rules do not end.
    #[error("the rules do not come to an end")]
    Endless,
    /// A rule failed outside of every turn.
    #[error("the rules failed: {0}")]
    Failed(Box<crate::vocabulary::record::Fault>),
}

/// One contest of a game.
#[derive(Clone, Debug)]
pub struct Contest<G: Game> {
    pub(crate) dice: Dice,
    /// The snapshot of the root window, with its acts done.
    pub(crate) root: G::State,
    /// The snapshot of the root window's opening, `None` if no act was done since.
    pub(crate) opened: Option<G::State>,
    /// The acts of the root window, in order.
    pub(crate) acts: Vec<Act>,
    /// The present state; during a suspension, the state at its questions.
    pub(crate) now: G::State,
    /// The root window, counted from 0, which is the setup.
    pub(crate) round: Round,
    pub(crate) attempt: u32,
    /// The answers of the last run of this root window.
    pub(crate) answers: Answers,
    pub(crate) decided: Decided,
    pub(crate) posted: Posted,
    /// The questions of a suspension, the first of each seat.
    pub(crate) open: Vec<Question>,
    pub(crate) standing: Option<Vec<Place>>,
}

impl<G: Game> Contest<G> {
    /// Deals, up to the first question.
    pub fn open(
        options: &G::Options,
        seats: usize,
        dice: Dice,
    ) -> Result<(Self, Resolution<G::Event>), Held> {
        let mut contest = Self::at(G::bare(options, seats), dice);
        contest.round = Round::DEAL;
        let resolution = contest.advance()?;
        Ok((contest, resolution))
    }

    /// Creates a contest at this state, with the next round to be declared.
    pub fn at(state: G::State, dice: Dice) -> Self {
        let count = G::asked(&state).count();
        Self {
            dice,
            standing: G::standing(&state),
            now: state.clone(),
            root: state,
            opened: None,
            acts: Vec::new(),
            round: Round::FIRST,
            attempt: 0,
            answers: Answers::new(count),
            decided: Decided::nothing(count),
            posted: Posted::default(),
            open: Vec::new(),
        }
    }

    /// Returns the whole present state: for the judge, never for a player.
    pub fn state(&self) -> &G::State {
        &self.now
    }

    /// Returns the root window, counted from 0, which is the setup.
    pub fn round(&self) -> Round {
        self.round
    }

    /// Returns the attempt of this root window, from 0.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Returns the final standing, `None` while the game is on.
    pub fn standing(&self) -> Option<&[Place]> {
        self.standing.as_deref()
    }

    /// True if the open window belongs to a suspended root window.
    pub fn is_suspended(&self) -> bool {
        !self.open.is_empty()
    }

    /// True if a seat is asked inside of a part whose beginning is not public yet. A game must end the part,
    /// announce its result, and ask then: a law of every game checks this.
    pub fn is_asked_in_part(&self) -> bool {
        let dice = self.dice.of_window(self.round.get(), self.attempt);
        let run = || adjudicate::<G>(self.rule(), &self.root, &self.answers, dice);
        self.is_suspended() && run().is_ok_and(|run| run.in_part)
    }

    /// Returns the procedure of the open window.
    pub fn procedure(&self) -> Procedure {
        let kind = match self.round {
            Round::DEAL => WindowKind::Setup,
            _ => G::procedure(&self.root).kind,
        };
        Procedure { kind, ..G::procedure(&self.now) }
    }

    /// Returns the seats that the open window asks.
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

    /// Interviews a seat's draft with the seat's knowledge.
    pub fn interview(&self, seat: Seat, draft: &Declaration) -> Interview {
        if self.is_suspended() {
            let dice = self.dice.of_window(self.round.get(), self.attempt);
            let mut answers = self.answers.clone();
            self.decided.clone().join(&mut answers);
            with_reserves(draft, |draft| {
                probe::<G>(self.rule(), &self.root, &answers, dice.clone(), seat, draft)
            })
        } else {
            interview::<G>(&self.root, seat, draft)
        }
    }

    /// Interviews a seat's draft with this viewer's knowledge. `None` during a suspension: its questions
    /// reveal the seat's hidden pieces.
    pub fn interview_known_to(
        &self,
        viewer: Viewer,
        seat: Seat,
        draft: &Declaration,
    ) -> Option<Interview> {
        let seen = || G::seen_by(&self.root, viewer);
        (!self.is_suspended()).then(|| interview::<G>(&seen(), seat, draft))
    }

    /// The state after these drafts of the open window, one after the other, as far as a seat can know.
    /// `None` in the middle of a root window.
    pub fn planned(&self, seat: Seat, drafts: &[(Seat, &Declaration)]) -> Option<G::State> {
        (!self.is_suspended()).then(|| planned::<G>(&self.root, seat, drafts))
    }

    /// True if anything is hidden from this viewer.
    pub fn hides_from(&self, viewer: Viewer) -> bool {
        let hides = |state: &G::State| G::seen_by(state, viewer) != *state;
        hides(&self.root) || hides(&self.now)
    }

    /// True if this viewer knows everything that a seat knows.
    pub fn knows_all_of(&self, viewer: Viewer, seat: Seat) -> bool {
        let own = |state: &G::State| G::seen_by(state, Viewer::Seat(seat));
        let knows = |state: &G::State| own(state) == own(&G::seen_by(state, viewer));
        knows(&self.root) && knows(&self.now)
    }

    /// Resolves the closed window with its declarations, up to the next question. The record of a re-run is
    /// compared with the posted one. After an error the contest is unusable; load the contest saved before.
    pub fn close(
        &mut self,
        declared: BySeat<Option<Declaration>>,
    ) -> Result<Resolution<G::Event>, Held> {
        self.answers = self.with(declared);
        self.decided = Decided::nothing(self.answers.forced.count());
        self.open.clear();
        self.advance()
    }

    /// Returns the answers with the declarations of the open window and the GM's decisions.
    pub(crate) fn with(&self, declared: BySeat<Option<Declaration>>) -> Answers {
        let mut answers = self.answers.clone();
        if self.is_suspended() {
            let open = self.open.iter().map(|question| (question.seat, question.key.clone()));
            answers.asked.extend(open);
            for (seat, declaration) in declared.iter() {
                if let Some(declaration) = declaration {
                    answers.later[seat].extend(self.answering(seat, declaration));
                }
            }
        } else {
            answers.declared = declared;
        }
        self.decided.clone().join(&mut answers);
        answers
    }

    /// Returns the answers of a declaration to the questions of a suspension. Other answers do not count:
    /// they could change decided and posted parts.
    fn answering(&self, seat: Seat, declaration: &Declaration) -> Declaration {
        let mut answering = declaration.clone();
        let is_open =
            |key: &Key| self.open.iter().any(|open| open.seat == seat && open.key == *key);
        if declaration.iter().all(|(key, _)| is_open(key)) {
            return answering;
        }
        for key in self.interview(seat, declaration).superfluous {
            answering.remove(&key);
        }
        answering
    }

    pub(crate) fn rule(&self) -> Rule<G> {
        if self.round == Round::DEAL { G::setup } else { G::round }
    }

    pub(crate) fn advance(&mut self) -> Result<Resolution<G::Event>, Held> {
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
        let dice = self.dice.of_window(self.round.get(), self.attempt);
        let run = adjudicate::<G>(self.rule(), &self.root, &self.answers, dice);
        let run = run.map_err(Held::Failed)?;
        let (mut record, mut clauses) = run.record.into_parts();
        if self.posted.entries > 0 && !self.posted.begins(&record) {
            return Err(Held::Differs { round: self.round });
        }
        met.append(&mut clauses);
        self.now = run.state;
        self.open = run.open;
        if self.is_suspended() {
            record.truncate(run.firm);
            let posted = Posted::of(&record);
            entries.extend(record.drain(self.posted.entries.min(record.len())..));
            self.posted = posted;
        } else {
            entries.extend(record.drain(self.posted.entries..));
            self.posted = Posted::default();
            self.root = self.now.clone();
            (self.opened, self.acts) = (None, Vec::new());
            self.answers = Answers::new(self.answers.declared.count());
            self.round = self.round.next();
            self.standing = G::standing(&self.now);
        }
        Ok(())
    }
}

/// Returns the hash of a record: SHA-256 over each entry as JSON, each followed by a line feed.
fn hash<E: Serialize>(entries: &[Entry<E>]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for entry in entries {
        // A record has no map with keys that are not strings, the only thing JSON cannot write.
        hash.update(serde_json::to_vec(entry).expect("a record is plain data"));
        hash.update(b"\n");
    }
    hash.finalize().into()
}

/// A saved contest. Equal contests are saved as equal bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// The state at the root window's opening, as JSON.
    pub root: String,
    /// The changes since, as JSON: the root window and its attempt, the acts, the answers, the GM's pending
    /// decisions, the number of posted entries and their hash, and the suspension.
    pub said: String,
}

/// The reasons why a saved contest cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The saved text is not one of this game.
    #[error("the stored {what} cannot be read: {error}")]
    Unreadable {
        /// The field of [`Saved`].
        what: &'static str,
        error: String,
    },
    /// The contest is held, and the GM must be called.
    #[error(transparent)]
    Held(#[from] Held),
}

/// The form of [`Saved::said`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedAnswers {
    #[serde(rename = "window")]
    round: Round,
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
    /// True if all its seats exist at a table with this number of seats.
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
    /// Saves the contest, to be loaded with [`Self::load`] and the same dice.
    pub fn save(&self) -> Saved {
        let changes = SavedAnswers {
            round: self.round,
            attempt: self.attempt,
            acts: self.acts.clone(),
            answers: self.answers.clone(),
            decided: self.decided.clone(),
            posted: PostedText { entries: self.posted.entries, hash: self.posted.hash },
            suspended: self.is_suspended(),
        };
        Saved { root: write(self.opening()), said: write(&changes) }
    }

    /// Loads a saved contest, which goes on as the saved one would have.
    ///
    /// # Errors
    /// If it cannot be read, or if its rule, run again, does not begin with what was posted or
    /// no longer stops where it did.
    pub fn load(saved: &Saved, dice: Dice) -> Result<Self, LoadError> {
        let root: G::State = read("root", &saved.root)?;
        let changes: SavedAnswers = read("said", &saved.said)?;
        let mut contest = Self::at(root, dice);
        if !changes.is_for(contest.answers.declared.count()) {
            let error = "it was declared at a table of another size".to_owned();
            return Err(LoadError::Unreadable { what: "said", error });
        }
        contest.round = changes.round;
        contest.attempt = changes.attempt;
        contest.redo(changes.acts).map_err(Held::Failed)?;
        contest.answers = changes.answers;
        contest.decided = changes.decided;
        contest.posted = Posted { entries: changes.posted.entries, hash: changes.posted.hash };
        if changes.suspended {
            contest.resume()?;
        }
        Ok(contest)
    }

    /// Returns the state at the root window's opening.
    fn opening(&self) -> &G::State {
        self.opened.as_ref().unwrap_or(&self.root)
    }

    /// Runs the rule again up to the questions of the suspension.
    fn resume(&mut self) -> Result<(), Held> {
        let dice = self.dice.of_window(self.round.get(), self.attempt);
        let run = adjudicate::<G>(self.rule(), &self.root, &self.answers, dice);
        let run = run.map_err(Held::Failed)?;
        if run.open.is_empty() || !self.posted.begins(run.record.entries()) {
            return Err(Held::Differs { round: self.round });
        }
        self.now = run.state;
        self.open = run.open;
        Ok(())
    }

    /// Returns SHA-256 over the present state as JSON in UTF-8: no space or line feed between its parts,
    /// fields in the order in which the game declares them, and only the escapes that JSON demands. During a
    /// suspension it is the state at its questions.
    pub fn state_hash(&self) -> [u8; 32] {
        Sha256::digest(write(self.state())).into()
    }

    /// Returns the hash of the state at the open window's opening, without the acts done since.
    pub fn opening_hash(&self) -> [u8; 32] {
        let began = if self.is_suspended() { self.state() } else { self.opening() };
        Sha256::digest(write(began)).into()
    }
}

/// Returns the number of acts in the window of a [`Saved::said`].
pub fn acts_in(changes: &str) -> Result<usize, LoadError> {
    read::<SavedAnswers>("said", changes).map(|changes| changes.acts.len())
}

fn write<T: Serialize>(value: &T) -> String {
    // A state has no map with keys that are not strings, the only thing JSON cannot write.
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

impl<G: Game> Contest<G> {
    /// Answers a question of this root window in the player's place. A part that was sent back is heard
    /// again.
    pub fn force(&mut self, seat: Seat, key: Key, answer: Answer) {
        self.decided.sent_back.remove(&(seat, key.whole()));
        self.decided.forced[seat].set(key, answer);
    }

    /// Sets a die of this root window to an option or a number. A value that the die does not have is
    /// ignored.
    pub fn set_die(&mut self, label: &Label, value: Value) {
        self.decided.dice.insert(label.to_string(), value);
    }

    /// Skips a seat's turn of this root window, whatever the seat declared.
    pub fn skip(&mut self, seat: Seat) {
        self.decided.turnouts.insert(seat, Turnout::Skipped);
    }

    /// True if the GM has skipped a seat's turn of this root window.
    pub fn is_skipped(&self, seat: Seat) -> bool {
        let turnout = |turnouts: &BTreeMap<Seat, Turnout>| turnouts.get(&seat).copied();
        let decided = turnout(&self.decided.turnouts).or_else(|| turnout(&self.answers.turnouts));
        decided == Some(Turnout::Skipped)
    }

    /// Plays a seat's turn of this root window in any case: without a declaration everything counts as left
    /// out, and a fault only returns its part.
    pub fn unskip(&mut self, seat: Seat) {
        self.decided.turnouts.insert(seat, Turnout::Played);
    }

    /// Sends a part of a seat's declaration back (差し戻し) although it could be carried out. The answers to a
    /// duty count as left out. Earlier decisions about the part's questions are dropped.
    pub fn return_part(&mut self, seat: Seat, key: &Key) {
        let part = key.whole();
        self.decided.forced[seat].remove_part(&part);
        self.decided.sent_back.insert((seat, part));
    }

    /// Drops the decisions made since the last window closed.
    pub fn forget_decisions(&mut self) {
        self.decided = Decided::nothing(self.answers.forced.count());
    }

    /// Returns every die and every choice by die in the resolution of the open window with these
    /// declarations, in order, without those already posted and without shuffles. The contest does not
    /// change.
    pub fn thrown(&self, declared: BySeat<Option<Declaration>>) -> Vec<Thrown> {
        if self.asked().is_empty() {
            return Vec::new();
        }
        let dice = self.dice.of_window(self.round.get(), self.attempt);
        throws::<G>(self.rule(), &self.root, &self.with(declared), dice, self.posted.entries)
    }

    /// Returns the value of a die of the open root window under another attempt. The contest does not change.
    pub fn throw_again(&self, thrown: &Thrown, attempt: u32) -> Value {
        thrown.again(&self.dice.of_window(self.round.get(), attempt))
    }

    /// Interviews the GM about a move, as far as this viewer may know: a hidden card is not offered. During
    /// the resolution of a root window no move is possible, and nothing is asked.
    pub fn rehearse(&self, declaration: &Declaration, viewer: Viewer) -> Interview {
        self.rehearsed(declaration, viewer).found
    }

    /// Returns the events of a GM's move, as far as this viewer may know the state.
    pub fn foresee(&self, declaration: &Declaration, viewer: Viewer) -> Vec<Entry<G::Event>> {
        self.rehearsed(declaration, viewer).record.into_parts().0
    }

    /// True if two moves of the GM lead to the same state, as far as this viewer may know the state.
    pub fn comes_to_the_same(
        &self,
        one: &Declaration,
        other: &Declaration,
        viewer: Viewer,
    ) -> bool {
        self.rehearsed(one, viewer).state == self.rehearsed(other, viewer).state
    }

    /// Carries out a move of the GM between two root windows.
    ///
    /// # Errors
    /// If the move has faults, or answers that no question asked for: the interview with all of them.
    pub fn amend(&mut self, declaration: &Declaration) -> Result<Resolution<G::Event>, Interview> {
        let Rehearsed { found, state, record } = self.rehearsed(declaration, Viewer::All);
        if !found.faults.is_empty() || !found.superfluous.is_empty() {
            return Err(found);
        }
        self.stand_at(state);
        let (entries, met) = record.into_parts();
        Ok(Resolution { entries, met, standing: None })
    }

    /// Ends the game at the state of the root window's opening. Later declarations and decisions do not
    /// count.
    pub fn finish(&mut self) {
        let mut state = self.root.clone();
        G::finish(&mut state);
        self.stand_at(state);
    }

    fn rehearsed(&self, declaration: &Declaration, viewer: Viewer) -> Rehearsed<G> {
        if self.is_suspended() {
            let mut found = Interview::default();
            found.note_superfluous(declaration);
            return Rehearsed { found, state: self.root.clone(), record: Record::default() };
        }
        rehearse::<G>(&G::seen_by(&self.now, viewer), declaration)
    }

    /// Opens the root window anew under another attempt. Declarations, decisions and posts of the window are
    /// dropped, its dice are new, and the unknown cards of the decks are shuffled ([`Game::reshuffle`]). A
    /// suspended contest goes back to its root window, and a deal is dealt again: only the deal returns a
    /// resolution.
    ///
    /// An attempt number must never come again at a table, not in a later window either: its dice may have
    /// been seen.
    ///
    /// # Errors
    /// If the deal does not come to an end.
    pub fn ask_again(&mut self, attempt: u32) -> Result<Option<Resolution<G::Event>>, Held> {
        let count = self.answers.declared.count();
        self.attempt = attempt;
        self.answers = Answers::new(count);
        self.decided = Decided::nothing(count);
        self.posted = Posted::default();
        self.open.clear();
        self.forget_acts();
        if self.round == Round::DEAL {
            self.stand_at(self.root.clone());
            return self.advance().map(Some);
        }
        let dice = self.dice.of_window(self.round.get(), attempt);
        self.stand_at(reshuffled::<G>(&self.root, dice));
        Ok(None)
    }

    /// Resets the open root window to this state, with no acts done in it.
    pub(crate) fn stand_at(&mut self, state: G::State) {
        (self.opened, self.acts) = (None, Vec::new());
        self.standing = G::standing(&state);
        self.root = state.clone();
        self.now = state;
    }
}
