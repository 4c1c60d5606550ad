//! One contest from the deal to the standing: which window is open, and what its close brings.
//!
//! A root window is a round; the windows that a suspension opens belong to it. There is one
//! snapshot per root window, and everything said since is kept as a list of answers. That is what is
//! written down of it ([`Saved`]), and no stack ever: a contest that is suspended is brought back by
//! running its rule again, and what that tells must begin with what was posted.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::chance::dice::Dice;
use crate::engine::adjudication::{Answers, Rule, Turnout, adjudicate, probe};
use crate::engine::interview::{Interview, interview, planned, with_reserves};
use crate::vocabulary::clause::Clause;
use crate::vocabulary::declaration::{Act, Declaration, Value};
use crate::vocabulary::game::{Game, Place, Procedure};
use crate::vocabulary::question::{Key, Question};
use crate::vocabulary::record::Entry;
use crate::vocabulary::round::Round;
use crate::vocabulary::seat::{BySeat, Seat, Viewer};
use crate::vocabulary::window::WindowKind;

/// How many rounds in a row may pass without anybody being asked.
const IDLE_ROUNDS: usize = 1000;

/// What a suspension already posted: the re-run must begin with the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Posted {
    pub(crate) entries: usize,
    pub(crate) hash: [u8; 32],
}

impl Posted {
    fn of<E: Serialize>(told: &[Entry<E>]) -> Self {
        Self { entries: told.len(), hash: hash(told) }
    }

    /// True if this is how it begins.
    pub(crate) fn begins<E: Serialize>(&self, told: &[Entry<E>]) -> bool {
        told.get(..self.entries).is_some_and(|told| hash(told) == self.hash)
    }
}

/// What the GM has decided since the last run; the next run is the first to take it into account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decided {
    /// Instead of a player.
    pub(crate) forced: BySeat<Declaration>,
    /// Instead of a die, by its label.
    pub(crate) dice: BTreeMap<String, Value>,
    /// About whole turns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) turnouts: BTreeMap<Seat, Turnout>,
    /// The parts that are sent back.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) sent_back: BTreeSet<(Seat, Key)>,
}

impl Decided {
    pub(crate) fn nothing(count: usize) -> Self {
        let forced = BySeat::new(count, |_| Declaration::default());
        Self { forced, ..Self::default() }
    }

    /// The answers with these decisions among them, which count more than earlier ones.
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
    #[error("the re-run of window {round} differs from what was posted before")]
    Differs {
        /// The root window.
        round: Round,
    },
    /// The rules do not come to an end.
    #[error("the rules do not come to an end")]
    Endless,
    /// A rule failed outside of every turn.
    #[error("the rules failed: {0}")]
    Failed(Box<crate::vocabulary::ruling::Fault>),
}

/// One contest of a game.
#[derive(Clone, Debug)]
pub struct Contest<G: Game> {
    pub(crate) dice: Dice,
    /// The snapshot of the root window, with what was done in it.
    pub(crate) root: G::State,
    /// The snapshot with which the root window opened, if anything was done in it since.
    pub(crate) opened: Option<G::State>,
    /// What was done in the root window, in order.
    pub(crate) acts: Vec<Act>,
    /// Where it stands now; between a suspension and its answers, as far as it came.
    pub(crate) now: G::State,
    /// The root window, from 0, which is the setup.
    pub(crate) round: Round,
    pub(crate) attempt: u32,
    /// What the last run of this root window was made with, if there was one.
    pub(crate) answers: Answers,
    pub(crate) decided: Decided,
    pub(crate) posted: Posted,
    /// What a suspension waits for; each seat's first question.
    pub(crate) open: Vec<Question>,
    pub(crate) standing: Option<Vec<Place>>,
}

impl<G: Game> Contest<G> {
    /// Deals, as far as it goes without asking anybody.
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

    /// A contest that stands at this state, with the next round to be declared.
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

    /// Where it stands now, everything included: for the judge, never for a player.
    pub fn state(&self) -> &G::State {
        &self.now
    }

    /// The root window, counted from 0, which is the setup.
    pub fn round(&self) -> Round {
        self.round
    }

    /// Which attempt this root window is, from 0.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The final standing, once the game is over.
    pub fn standing(&self) -> Option<&[Place]> {
        self.standing.as_deref()
    }

    /// True if the window that is open belongs to a root window that is being resolved.
    pub fn is_suspended(&self) -> bool {
        !self.open.is_empty()
    }

    /// True if somebody is asked inside of a part, of which nobody has been told yet: a game ends the
    /// part, announces what came of it, and asks then. Nothing but a law of every game wants to know.
    pub fn is_asked_in_part(&self) -> bool {
        let dice = self.dice.of_window(self.round.get(), self.attempt);
        let run = || adjudicate::<G>(self.rule(), &self.root, &self.answers, dice);
        self.is_suspended() && run().is_ok_and(|run| run.in_part)
    }

    /// The procedure's clauses in the window that is open now.
    pub fn procedure(&self) -> Procedure {
        let kind = match self.round {
            Round::DEAL => WindowKind::Setup,
            _ => G::procedure(&self.root).kind,
        };
        Procedure { kind, ..G::procedure(&self.now) }
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

    /// Holds a seat's draft against what this viewer may know of it. None in the middle of a root
    /// window: what a seat is asked there comes of what it holds.
    pub fn interview_known_to(
        &self,
        viewer: Viewer,
        seat: Seat,
        draft: &Declaration,
    ) -> Option<Interview> {
        let seen = || G::seen_by(&self.root, viewer);
        (!self.is_suspended()).then(|| interview::<G>(&seen(), seat, draft))
    }

    /// The state that these drafts of the open window come to, one after the other, as far as a seat
    /// can know. None in the middle of a root window.
    pub fn planned(&self, seat: Seat, drafts: &[(Seat, &Declaration)]) -> Option<G::State> {
        (!self.is_suspended()).then(|| planned::<G>(&self.root, seat, drafts))
    }

    /// True if anything is hidden from this viewer.
    pub fn hides_from(&self, viewer: Viewer) -> bool {
        let hides = |state: &G::State| G::seen_by(state, viewer) != *state;
        hides(&self.root) || hides(&self.now)
    }

    /// True if this viewer knows all that a seat knows.
    pub fn knows_all_of(&self, viewer: Viewer, seat: Seat) -> bool {
        let own = |state: &G::State| G::seen_by(state, Viewer::Seat(seat));
        let knows = |state: &G::State| own(state) == own(&G::seen_by(state, viewer));
        knows(&self.root) && knows(&self.now)
    }

    /// Takes the declarations of the window that is now closed, and goes on as far as it can
    /// without asking anybody. What a re-run gives is compared with what was posted before. After
    /// an error the contest is of no use; the one that was saved before can be taken up again.
    pub fn close(
        &mut self,
        declared: BySeat<Option<Declaration>>,
    ) -> Result<Resolution<G::Event>, Held> {
        self.answers = self.with(declared);
        self.decided = Decided::nothing(self.answers.forced.count());
        self.open.clear();
        self.advance()
    }

    /// The answers with what is declared for the open window, and what the GM has decided.
    pub(crate) fn with(&self, declared: BySeat<Option<Declaration>>) -> Answers {
        let mut answers = self.answers.clone();
        if self.is_suspended() {
            let open = self.open.iter().map(|question| (question.seat, question.key.clone()));
            answers.asked.extend(open);
            for (seat, said) in declared.iter() {
                if let Some(said) = said {
                    answers.later[seat].extend(self.answering(seat, said));
                }
            }
        } else {
            answers.declared = declared;
        }
        self.decided.clone().join(&mut answers);
        answers
    }

    /// What a declaration answers of what a suspension asks. What nobody asked it does not count:
    /// it could answer what was decided and posted before.
    fn answering(&self, seat: Seat, said: &Declaration) -> Declaration {
        let mut answering = said.clone();
        let is_open =
            |key: &Key| self.open.iter().any(|open| open.seat == seat && open.key == *key);
        if said.iter().all(|(key, _)| is_open(key)) {
            return answering;
        }
        for key in self.interview(seat, said).superfluous {
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
        let (mut told, mut clauses) = run.record.into_parts();
        if self.posted.entries > 0 && !self.posted.begins(&told) {
            return Err(Held::Differs { round: self.round });
        }
        met.append(&mut clauses);
        self.now = run.state;
        self.open = run.open;
        if self.is_suspended() {
            told.truncate(run.firm);
            let posted = Posted::of(&told);
            entries.extend(told.drain(self.posted.entries.min(told.len())..));
            self.posted = posted;
        } else {
            entries.extend(told.drain(self.posted.entries..));
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

/// The hash of a record: SHA-256 over each entry as JSON with a line feed behind it.
fn hash<E: Serialize>(entries: &[Entry<E>]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for entry in entries {
        // A record holds no map with keys that are no strings, the one thing JSON cannot write.
        hash.update(serde_json::to_vec(entry).expect("a record is plain data"));
        hash.update(b"\n");
    }
    hash.finalize().into()
}

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
    /// True if it was said at a table of this many seats.
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
            round: self.round,
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
        contest.round = said.round;
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
