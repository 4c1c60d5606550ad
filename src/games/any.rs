//! Type-erased games, for desks, terminals and letters.
//!
//! [`AnyGame`] and [`AnyContest`] are the same for every game, with states and events as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::Value as Json;
use smol_str::SmolStr;

use super::canvas::Canvas;
use super::card_texts::{CardText, CardTexts};
use super::cards::hash::SetHash;
use super::cards::sets::{AnySets, OPTION, SetAbout};
pub use super::playable::{
    CardsBefore, Edition, GameFiles, GameOption, Misfit, Playable, RANDOM, policy,
};
use super::simulation::{self, Plan, PlanError, SimulationStatistics};
use rules::contest::{Held, Resolution};
use rules::data::DataFault;
use rules::dice::Stream;
use rules::text::Lexicon;
use rules::{
    Act, Answer, BySeat, Clause, Contest, Declaration, Dice, Entry, Game, Interview, Item, Key,
    Label, LoadError, Place, Press, Procedure, Round, Saved, Seat, Side, Thrown, Value, Viewer,
    playout,
};

/// An option and its value at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetOption {
    pub option: GameOption,
    pub value: String,
}

/// Options that a game refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableOptionsError {
    /// The game cannot be played with this number of seats.
    #[error("{game} takes {least} to {most} seats, not {said}")]
    Seats { game: &'static str, least: usize, most: usize, said: usize },
    /// An option cannot be played with this number of seats.
    #[error(
        "{}={} is for {} to {} seats ({}), not {said}",
        .misfit.key, .misfit.value, .misfit.least, .misfit.most, .misfit.clause
    )]
    Misfit {
        game: &'static str,
        misfit: Misfit,
        /// The requested number of seats.
        said: usize,
    },
    /// An option is unknown, or has an unknown value.
    #[error("{0}")]
    Options(String),
    /// The deal did not come to an end.
    #[error(transparent)]
    Held(#[from] Held),
}

/// The default number of seats, if the game allows it.
const SEATS: usize = 4;

/// The result of a deal, the close of a window, an act or a move of the GM's.
#[derive(Clone, Debug)]
pub struct Told {
    /// The events and rulings in order, unfiltered; [`AnyContest::seen`] filters them for a viewer.
    pub entries: Vec<Entry<Json>>,
    /// The clauses met.
    pub met: BTreeSet<Clause>,
    /// The final standing, if the game is over.
    pub standing: Option<Vec<Place>>,
}

/// One contest of some game.
pub trait AnyContest: Debug + Send + Sync {
    /// The number of seats.
    fn seats(&self) -> usize;
    /// Returns the seats that are asked in the open window.
    fn asked(&self) -> Vec<Seat>;
    /// Returns the clauses of the procedure, under this table's options.
    fn procedure(&self) -> Procedure;
    /// The side of each seat; none in most games.
    fn sides(&self) -> BySeat<Option<Side>>;
    /// The other seats of a seat's side, in order; none in a game without sides.
    fn partners(&self, seat: Seat) -> Vec<Seat> {
        let sides = self.sides();
        let Some(side) = sides[seat] else { return Vec::new() };
        let is_partner = |of: &Seat| *of != seat && sides[*of] == Some(side);
        sides.seats().filter(is_partner).collect()
    }
    /// True if this act shows something hidden or uses something up, as far as this viewer can know. The
    /// player is asked to confirm such an act.
    fn is_for_good(&self, viewer: Viewer, said: &Declaration) -> bool;
    /// Returns the number of the open root window, counted from 0, which is the deal.
    fn round(&self) -> Round;
    /// True if the open window belongs to a root window that is being resolved.
    fn is_suspended(&self) -> bool;
    /// Checks a seat's draft against the state as the seat may know it.
    fn interview(&self, seat: Seat, draft: &Declaration) -> Interview;
    /// `None` if this viewer can know nothing of the draft. Checks a seat's draft against the state as this
    /// viewer may know it.
    fn interview_known_to(
        &self,
        viewer: Viewer,
        seat: Seat,
        draft: &Declaration,
    ) -> Option<Interview>;
    /// Returns the report of the state after these drafts, run in order on the view of a seat; `None` in the
    /// middle of a root window.
    fn planned(&self, seat: Seat, drafts: &[(Seat, &Declaration)]) -> Option<Json>;
    /// True if anything is hidden from this viewer.
    fn hides_from(&self, viewer: Viewer) -> bool;
    /// True if this viewer knows all that a seat knows.
    fn knows_all_of(&self, viewer: Viewer, seat: Seat) -> bool;
    /// Interviews a seat about its standing orders: the questions that they can answer, and their parsed
    /// text.
    fn ordering(&self, seat: Seat, orders: &Declaration) -> Interview;
    /// Returns a seat's declaration, with the answers of its standing orders to the questions that it leaves
    /// out.
    fn with_orders(&self, seat: Seat, said: &Declaration, orders: &Declaration) -> Declaration;
    /// Takes the declarations of the closed window.
    fn close(&mut self, declared: BySeat<Option<Declaration>>) -> Result<Told, Held>;
    /// Interviews a seat about an immediate act, as far as the act is declared.
    fn acting(&self, seat: Seat, said: &Declaration) -> Interview;
    /// Carries out an immediate act of a seat. An act that lacks an answer or is at fault is refused with its
    /// interview.
    fn act(&mut self, act: Act) -> Result<Told, Interview>;
    /// `None` if the policy does nothing, or no policy has this name. Lets a policy choose an immediate act.
    fn act_by(&self, seat: Seat, policy: &str, chance: Stream) -> Option<Act>;
    /// `None` if the policy does nothing. Lets the game's strongest policy, which plays for missing players,
    /// choose an immediate act.
    fn act_by_house(&self, seat: Seat, chance: Stream) -> Option<Act>;
    /// Returns the number of acts in the open window.
    fn acts_done(&self) -> usize;
    /// Returns the acts of a seat in the open window, after the first `behind` acts of all seats.
    fn acts_of(&self, seat: Seat, behind: usize) -> Vec<&Declaration>;
    /// Returns the seats that have acted in the open window, in the order of seats.
    fn actors(&self) -> BTreeSet<Seat>;
    /// Returns the seats that have kept the open window by acting: every actor if nothing is sealed in the
    /// window, otherwise none.
    fn kept_by_acts(&self) -> BTreeSet<Seat> {
        let mut opened = self.copy();
        opened.forget_acts();
        if opened.is_open_handed() { self.actors() } else { BTreeSet::new() }
    }
    /// True if nothing is sealed in the open window, because every question in it is an immediate, open act.
    fn is_open_handed(&self) -> bool {
        let none = Declaration::default();
        self.asked().first().is_some_and(|seat| {
            let acts = !self.acting(*seat, &none).asked.is_empty();
            acts && self.interview(*seat, &none).asked.is_empty()
        })
    }
    /// True if the GM has decided that a seat's turn of the open root window is skipped.
    fn is_skipped(&self, seat: Seat) -> bool;
    /// Returns the public answers to the one question that every seat is asked.
    fn common_answers(&self) -> Vec<Press>;
    /// Returns the immediate acts that some seat can do, as publicly known, in the order of the game's words.
    fn common_acts(&self) -> Vec<Press>;
    /// `None` if the open window has no act. Returns the seat of the last act.
    fn last_actor(&self) -> Option<Seat>;
    /// Undoes the last act of the open window. `Err` if the act stands, with the clause of the game's rules,
    /// `None` if they have none.
    fn take_back(&mut self) -> Result<(), Option<&'static str>>;
    /// Undoes all acts of the open window.
    fn forget_acts(&mut self);
    /// Clones the contest.
    fn copy(&self) -> Box<dyn AnyContest>;
    /// Returns the state as the letters show it to this viewer, with `dealing`: true during the deal.
    fn report(&self, viewer: Viewer) -> Json;
    /// Returns the ids of the cards that a seat holds, and of those on the table that concern it.
    fn cards_before(&self, seat: Seat) -> CardsBefore;
    /// `None` until the game is over. Returns the final standing.
    fn standing(&self) -> Option<Vec<Place>>;
    /// `None` if the game carries nothing over. Returns the state for the next game of its kind in the same
    /// channel.
    fn carried(&self) -> Option<Json>;
    /// `None` if no policy has this name. Lets a policy declare for a seat.
    fn declare(&self, seat: Seat, policy: &str, chance: Stream) -> Option<Declaration>;
    /// Sets the answer to a question of this root window, as decided by the GM.
    fn force(&mut self, seat: Seat, key: Key, answer: Answer);
    /// Sets a die of this root window, as decided by the GM; [`Label`] reads the labels of [`Self::thrown`].
    fn set_die(&mut self, label: &Label, value: Value);
    /// Skips a seat's turn of this root window, as decided by the GM.
    fn skip(&mut self, seat: Seat);
    /// Reverses the GM's decision to skip a seat's turn of this root window.
    fn unskip(&mut self, seat: Seat);
    /// Returns a part of a seat's declaration, as decided by the GM.
    fn return_part(&mut self, seat: Seat, key: &Key);
    /// Discards the GM's decisions since the last window closed.
    fn forget_decisions(&mut self);
    /// Returns every die that the resolution of the open window meets with these declarations, in order.
    fn thrown(&self, declared: BySeat<Option<Declaration>>) -> Vec<Thrown>;
    /// Returns the value of a die in another attempt. Nothing is changed.
    fn throw_again(&self, thrown: &Thrown, attempt: u32) -> Value;
    /// Reopens the open root window under another attempt, whose number is never used again at this table.
    /// `None` unless the deal is repeated.
    fn ask_again(&mut self, attempt: u32) -> Result<Option<Told>, Held>;
    /// Returns the attempt number of the open root window, counted from 0.
    fn attempt(&self) -> u32;
    /// Interviews the GM about a move, as far as this viewer may know the state.
    fn rehearse(&self, said: &Declaration, viewer: Viewer) -> Interview;
    /// Returns the events of a dry run of a GM's move, as far as this viewer may know the state.
    fn foresee(&self, said: &Declaration, viewer: Viewer) -> Vec<Entry<Json>>;
    /// True if two moves of the GM's have the same effect, as far as this viewer may know the state.
    fn comes_to_the_same(&self, one: &Declaration, other: &Declaration, viewer: Viewer) -> bool;
    /// Carries out a move of the GM's.
    fn amend(&mut self, said: &Declaration) -> Result<Told, Interview>;
    /// Ends the game in the state at the opening of the open root window.
    fn finish(&mut self);
    /// Serializes the contest; [`AnyGame::load`] restores it.
    fn save(&self) -> Saved;
    /// Returns the hash of the current state; [`Contest::state_hash`] defines the hashed bytes.
    fn state_hash(&self) -> [u8; 32];
    /// Returns the hash of the state at the opening of the open window, as [`Contest::opening_hash`] defines
    /// it.
    fn opening_hash(&self) -> [u8; 32];
    /// Filters stored entries for this viewer. An event that this game cannot parse is left out, because its
    /// secrets are unknown.
    fn seen(&self, entries: &[Entry<Json>], viewer: Viewer) -> Vec<Entry<Json>>;
    /// True if the picture of the table shows everything in these entries of an act, so that they need no
    /// letter.
    fn is_shown(&self, entries: &[Entry<Json>]) -> bool;
}

/// A newly dealt contest, and the result of its deal.
pub type OpenedContest = (Box<dyn AnyContest>, Told);

/// A game of the list, or one bound to a set of cards.
pub trait AnyGame: Debug + Send + Sync {
    /// Returns the game's key, one word.
    fn key(&self) -> &'static str;
    /// Returns the numbers of seats that can play.
    fn seats(&self) -> RangeInclusive<usize>;
    fn lexicon(&self) -> &'static Lexicon;
    /// Returns the sets of cards that it can be played with; `None` if its cards are no data.
    fn sets(&self) -> Option<&'static dyn AnySets>;
    /// Returns the set that it is bound to; `None` for the game of the list.
    fn set(&self) -> Option<&'static SetAbout>;
    /// Returns the game bound to a set, always the same one.
    fn bound_to(&self, set: &'static SetAbout) -> &'static dyn AnyGame;
    /// Returns the game bound to the set that these options name; itself if its cards are no data, it is
    /// bound already, or there is no such set.
    fn of_options(&'static self, options: &Json) -> &'static dyn AnyGame;
    /// Returns the rules for people, the text of `docs/rules/<game>.md`.
    fn rules(&self) -> &'static str;
    /// Returns the texts of its cards.
    fn cards(&self) -> &'static CardTexts;
    /// `None` if no card with a text has this name. Finds a card by its name in any language.
    fn card(&self, name: &str) -> Option<&'static CardText> {
        self.lexicon().called(name).find_map(|id| self.cards().of(id))
    }
    /// Lays out the picture of a table.
    fn board(&self, canvas: &Canvas<'_>) -> Result<Json, serde_json::Error>;
    /// Returns the names of its policies, the weakest first.
    fn policies(&self) -> Vec<&'static str>;
    /// Returns the version of its policies. Policies of the same version decide the same.
    fn policies_version(&self) -> u32;
    /// True if a house player declares for a seat after its player has left, unless the host sets this
    /// otherwise.
    fn house_for_gone(&self) -> bool;
    /// Returns one event of each kind, as JSON.
    fn sample_events(&self) -> Vec<Json>;
    /// `None` if no decision was made in a player's stead. Returns the clause by which this event was
    /// decided.
    fn decided_by(&self, event: &Json) -> Option<&'static str>;
    /// Counts the statistics for a game designer over stored entries. An event that this game cannot parse is
    /// not counted.
    fn tally(&self, entries: &[Entry<Json>], count: &mut dyn FnMut(&'static str, SmolStr));
    /// Returns the named groups and words that [`Self::tally`] can count.
    fn countable(&self) -> Vec<(&'static str, SmolStr)>;
    /// Returns every fault in its data files.
    fn check_data(&self) -> Vec<DataFault>;
    /// Returns the edition of the built-in rules.
    fn edition(&self) -> &'static Edition;
    /// Checks that the game can be dealt with these options for this number of seats.
    fn check_options(&self, options: &Json, seats: usize) -> Result<(), TableOptionsError>;
    /// Returns the numbers of seats that the game can be played with.
    fn seat_counts(&self) -> Vec<usize>;
    /// Returns the default number of seats: four, or the nearest number that the game and these options allow.
    fn seats_for(&self, options: &Json) -> usize;
    /// Returns the options with the value that fits this number of seats, where the option that determines it
    /// was not chosen.
    fn fitted(&self, options: &Json, seats: usize) -> Json;
    /// Returns every option with its value, given or default. Options that cannot be parsed count as default.
    fn options(&self, options: &Json) -> Vec<SetOption>;
    fn open(
        &self,
        options: &Json,
        seats: usize,
        dice: Dice,
    ) -> Result<OpenedContest, TableOptionsError>;
    /// Creates a table before the deal, for a position that the GM builds.
    fn bare(
        &self,
        options: &Json,
        seats: usize,
        dice: Dice,
    ) -> Result<Box<dyn AnyContest>, TableOptionsError>;
    /// Restores a saved contest with the same dice.
    fn load(&self, saved: &Saved, dice: Dice) -> Result<Box<dyn AnyContest>, LoadError>;
    /// Lets policies play the games with these numbers, and returns the statistics.
    fn simulate(
        &self,
        plan: &Plan,
        games: Range<u64>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<SimulationStatistics, PlanError>;
}

/// A game as a member of the list, or bound to a set of cards.
pub struct Listed<G> {
    set: Option<&'static SetAbout>,
    game: PhantomData<G>,
}

impl<G> Listed<G> {
    pub const fn new() -> Self {
        Self { set: None, game: PhantomData }
    }
}

/// The games that are bound to sets, by their key and the hash of the set.
static BOUND: Mutex<BTreeMap<(&str, SetHash), &dyn AnyGame>> = Mutex::new(BTreeMap::new());

impl<G: Playable> Listed<G> {
    /// Returns the options with the bound set in place of the word by which the host has named it.
    fn with_set(&self, options: &Json) -> Json {
        let Some(set) = self.set else { return options.clone() };
        let mut said = options.as_object().cloned().unwrap_or_default();
        said.insert(OPTION.to_owned(), set.hash.to_string().into());
        Json::Object(said)
    }

    /// Returns every option that a host can set: the set of cards, if they are data, and the game's own.
    fn offered() -> Vec<GameOption> {
        let set = G::sets().map(|sets| GameOption {
            key: OPTION,
            clause: sets.clause(),
            values: sets.words(),
        });
        set.into_iter().chain(G::OPTIONS.iter().copied()).collect()
    }
}

impl<G> Default for Listed<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Debug for Listed<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(G::KEY)
    }
}

impl<G: Playable> AnyGame for Listed<G> {
    fn key(&self) -> &'static str {
        G::KEY
    }

    fn seats(&self) -> RangeInclusive<usize> {
        G::seats()
    }

    fn lexicon(&self) -> &'static Lexicon {
        self.set.map_or_else(G::lexicon, |set| &set.lexicon)
    }

    fn sets(&self) -> Option<&'static dyn AnySets> {
        G::sets()
    }

    fn set(&self) -> Option<&'static SetAbout> {
        self.set
    }

    fn bound_to(&self, set: &'static SetAbout) -> &'static dyn AnyGame {
        let mut bound = BOUND.lock().unwrap_or_else(PoisonError::into_inner);
        *bound
            .entry((G::KEY, set.hash))
            .or_insert_with(|| Box::leak(Box::new(Self { set: Some(set), game: PhantomData })))
    }

    fn of_options(&'static self, options: &Json) -> &'static dyn AnyGame {
        let Some(sets) = G::sets().filter(|_| self.set.is_none()) else { return self };
        let said = options.get(OPTION).and_then(Json::as_str);
        let set = said.map_or_else(|| sets.offered().first().copied(), |said| sets.called(said));
        set.map_or(self, |set| self.bound_to(set))
    }

    fn rules(&self) -> &'static str {
        G::RULES
    }

    fn cards(&self) -> &'static CardTexts {
        self.set.map_or_else(G::cards, |set| &set.cards)
    }

    fn board(&self, canvas: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        G::board(canvas)
    }

    fn policies(&self) -> Vec<&'static str> {
        std::iter::once(RANDOM).chain(G::POLICIES.iter().map(|(name, _)| *name)).collect()
    }

    fn policies_version(&self) -> u32 {
        G::POLICIES_VERSION
    }

    fn house_for_gone(&self) -> bool {
        G::HOUSE_FOR_GONE
    }

    fn sample_events(&self) -> Vec<Json> {
        let (_, samples) = G::SAMPLES;
        let read = |sample: &str| serde_json::from_str::<G::Event>(sample).ok();
        samples.lines().filter_map(read).map(|event| json(&event)).collect()
    }

    fn decided_by(&self, event: &Json) -> Option<&'static str> {
        G::decided_by(&serde_json::from_value(event.clone()).ok()?)
    }

    fn countable(&self) -> Vec<(&'static str, SmolStr)> {
        G::countable()
    }

    fn tally(&self, entries: &[Entry<Json>], count: &mut dyn FnMut(&'static str, SmolStr)) {
        for entry in entries {
            if let Item::Event(event) = &entry.item
                && let Ok(event) = G::Event::deserialize(event)
            {
                G::tally(&event, count);
            }
        }
    }

    fn check_data(&self) -> Vec<DataFault> {
        G::data_faults().into_iter().chain(sample_faults::<G>()).collect()
    }

    fn edition(&self) -> &'static Edition {
        G::edition()
    }

    fn check_options(&self, options: &Json, seats: usize) -> Result<(), TableOptionsError> {
        fitting_options::<G>(&self.with_set(options), seats).map(drop)
    }

    fn seat_counts(&self) -> Vec<usize> {
        G::seats().filter(|seats| fitting_options::<G>(&Json::Null, *seats).is_ok()).collect()
    }

    fn seats_for(&self, options: &Json) -> usize {
        let seats = SEATS.clamp(*G::seats().start(), *G::seats().end());
        let misfit = read_options::<G>(&self.with_set(options), seats)
            .ok()
            .and_then(|set| G::misfit(&set, seats));
        misfit.map_or(seats, |misfit| seats.clamp(misfit.least, misfit.most))
    }

    fn fitted(&self, options: &Json, seats: usize) -> Json {
        fitted::<G>(options, seats)
    }

    fn options(&self, options: &Json) -> Vec<SetOption> {
        let said = self.with_set(options);
        let read = read_options::<G>(&said, *G::seats().start()).unwrap_or_default();
        let read = json(&read);
        let set = |option: GameOption| {
            let value = if option.key == OPTION {
                options
                    .get(OPTION)
                    .and_then(Json::as_str)
                    .or_else(|| option.values.first().copied())
            } else {
                read[option.key].as_str()
            };
            Some(SetOption { option, value: value?.to_owned() })
        };
        Self::offered().into_iter().filter_map(set).collect()
    }

    fn open(
        &self,
        options: &Json,
        seats: usize,
        dice: Dice,
    ) -> Result<OpenedContest, TableOptionsError> {
        let options = fitting_options::<G>(&self.with_set(options), seats)?;
        let (contest, resolution) = Contest::<G>::open(&options, seats, dice)?;
        let told = told(&contest, resolution);
        Ok((Box::new(contest), told))
    }

    fn bare(
        &self,
        options: &Json,
        seats: usize,
        dice: Dice,
    ) -> Result<Box<dyn AnyContest>, TableOptionsError> {
        let options = read_options::<G>(&self.with_set(options), seats)?;
        Ok(Box::new(Contest::<G>::at(G::bare(&options, seats), dice)))
    }

    fn load(&self, saved: &Saved, dice: Dice) -> Result<Box<dyn AnyContest>, LoadError> {
        Ok(Box::new(Contest::<G>::load(saved, dice)?))
    }

    fn simulate(
        &self,
        plan: &Plan,
        games: Range<u64>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<SimulationStatistics, PlanError> {
        let plan = Plan { options: self.with_set(&plan.options), ..plan.clone() };
        simulation::simulate::<G>(&plan, games, progress)
    }
}

/// Returns the faults in the samples of a game's events: unparsable samples, and kinds without one.
fn sample_faults<G: Playable>() -> Vec<DataFault> {
    let (file, text) = G::SAMPLES;
    let fault = |line, what| DataFault { file: file.to_owned(), line, what };
    let read = serde_json::from_str::<G::Event>;
    let unread = text.lines().zip(1..).filter_map(|(sample, line)| {
        let error = read(sample).err()?;
        Some(fault(line, error.to_string()))
    });
    // The error for an unknown kind lists every known kind.
    let unknown = read(r#"{"kind":""}"#).map_or_else(|error| error.to_string(), |_| String::new());
    let kinds = unknown.split('`').skip(3).step_by(2);
    let missing = kinds.filter(|kind| !text.contains(&format!("\"{kind}\"")));
    unread.chain(missing.map(|kind| fault(1, format!("there is no sample of {kind}")))).collect()
}

fn read_options<G: Game>(options: &Json, seats: usize) -> Result<G::Options, TableOptionsError> {
    let (least, most) = (*G::seats().start(), *G::seats().end());
    if !G::seats().contains(&seats) {
        return Err(TableOptionsError::Seats { game: G::KEY, least, most, said: seats });
    }
    if options.is_null() {
        return Ok(G::Options::default());
    }
    serde_json::from_value(options.clone())
        .map_err(|error| TableOptionsError::Options(error.to_string()))
}

/// `Err` if the game or an option cannot be played with this number of seats. Parses the options.
fn fitting_options<G: Playable>(
    options: &Json,
    seats: usize,
) -> Result<G::Options, TableOptionsError> {
    let options = read_options::<G>(&fitted::<G>(options, seats), seats)?;
    match G::misfit(&options, seats) {
        Some(misfit) => Err(TableOptionsError::Misfit { game: G::KEY, misfit, said: seats }),
        None => Ok(options),
    }
}

/// Returns the options with the value that fits this number of seats, where the option that determines it
/// was not chosen.
fn fitted<G: Playable>(options: &Json, seats: usize) -> Json {
    let misfit = |said: &Json| G::misfit(&read_options::<G>(said, seats).ok()?, seats);
    let Some(key) = misfit(options).map(|misfit| misfit.key) else { return options.clone() };
    let with = |value: &&str| {
        let mut fitted = options.as_object().cloned().unwrap_or_default();
        fitted.insert(key.to_owned(), (*value).into());
        Json::Object(fitted)
    };
    let is_chosen = options.get(key).is_some();
    let free = G::OPTIONS.iter().filter(|option| option.key == key && !is_chosen);
    let mut fitted = free.flat_map(|option| option.values).map(with);
    fitted.find(|said| misfit(said).is_none()).unwrap_or_else(|| options.clone())
}

/// Delegates methods to the contest's own methods of the same name.
macro_rules! by_its_own {
    () => {};
    (fn $name:ident(&mut $this:ident $(, $given:ident: $type:ty)*) $(-> $gives:ty)?; $($more:tt)*) => {
        fn $name(&mut $this $(, $given: $type)*) $(-> $gives)? {
            Self::$name($this $(, $given)*)
        }
        by_its_own! { $($more)* }
    };
    (fn $name:ident(&$this:ident $(, $given:ident: $type:ty)*) $(-> $gives:ty)?; $($more:tt)*) => {
        fn $name(&$this $(, $given: $type)*) $(-> $gives)? {
            Self::$name($this $(, $given)*)
        }
        by_its_own! { $($more)* }
    };
}

impl<G: Playable> AnyContest for Contest<G> {
    by_its_own! {
        fn asked(&self) -> Vec<Seat>;
        fn round(&self) -> Round;
        fn is_suspended(&self) -> bool;
        fn interview(&self, seat: Seat, draft: &Declaration) -> Interview;
        fn interview_known_to(&self, viewer: Viewer, seat: Seat, draft: &Declaration)
            -> Option<Interview>;
        fn hides_from(&self, viewer: Viewer) -> bool;
        fn knows_all_of(&self, viewer: Viewer, seat: Seat) -> bool;
        fn comes_to_the_same(&self, one: &Declaration, other: &Declaration, viewer: Viewer) -> bool;
        fn ordering(&self, seat: Seat, orders: &Declaration) -> Interview;
        fn with_orders(&self, seat: Seat, said: &Declaration, orders: &Declaration) -> Declaration;
        fn acting(&self, seat: Seat, said: &Declaration) -> Interview;
        fn is_skipped(&self, seat: Seat) -> bool;
        fn acts_done(&self) -> usize;
        fn acts_of(&self, seat: Seat, behind: usize) -> Vec<&Declaration>;
        fn actors(&self) -> BTreeSet<Seat>;
        fn common_answers(&self) -> Vec<Press>;
        fn last_actor(&self) -> Option<Seat>;
        fn take_back(&mut self) -> Result<(), Option<&'static str>>;
        fn forget_acts(&mut self);
        fn force(&mut self, seat: Seat, key: Key, answer: Answer);
        fn set_die(&mut self, label: &Label, value: Value);
        fn skip(&mut self, seat: Seat);
        fn unskip(&mut self, seat: Seat);
        fn return_part(&mut self, seat: Seat, key: &Key);
        fn forget_decisions(&mut self);
        fn thrown(&self, declared: BySeat<Option<Declaration>>) -> Vec<Thrown>;
        fn throw_again(&self, thrown: &Thrown, attempt: u32) -> Value;
        fn attempt(&self) -> u32;
        fn rehearse(&self, said: &Declaration, viewer: Viewer) -> Interview;
        fn finish(&mut self);
        fn save(&self) -> Saved;
        fn state_hash(&self) -> [u8; 32];
        fn opening_hash(&self) -> [u8; 32];
    }

    fn seats(&self) -> usize {
        G::asked(self.state()).count()
    }

    fn procedure(&self) -> Procedure {
        self.procedure()
    }

    fn sides(&self) -> BySeat<Option<Side>> {
        G::sides(self.state())
    }

    fn is_for_good(&self, viewer: Viewer, said: &Declaration) -> bool {
        G::is_for_good(&G::seen_by(self.state(), viewer), said)
    }

    fn close(&mut self, declared: BySeat<Option<Declaration>>) -> Result<Told, Held> {
        let resolution = self.close(declared)?;
        Ok(told(self, resolution))
    }

    fn act(&mut self, act: Act) -> Result<Told, Interview> {
        let resolution = self.act(act)?;
        Ok(told(self, resolution))
    }

    fn act_by(&self, seat: Seat, name: &str, chance: Stream) -> Option<Act> {
        let mut policy = policy::<G>(name, chance)?;
        self.act_by(seat, &mut *policy)
    }

    fn act_by_house(&self, seat: Seat, chance: Stream) -> Option<Act> {
        let strongest = G::POLICIES.last().map_or(RANDOM, |(name, _)| name);
        AnyContest::act_by(self, seat, strongest, chance)
    }

    fn common_acts(&self) -> Vec<Press> {
        let mut acts = self.common_acts();
        let place = |option: &SmolStr| G::lexicon().place(option);
        acts.sort_by_cached_key(|press| press.options.iter().map(place).collect::<Vec<_>>());
        acts
    }

    fn copy(&self) -> Box<dyn AnyContest> {
        Box::new(self.clone())
    }

    fn report(&self, viewer: Viewer) -> Json {
        let mut report = G::report(&G::seen_by(self.state(), viewer));
        report["dealing"] = (self.round() == Round::DEAL).into();
        report
    }

    fn planned(&self, seat: Seat, drafts: &[(Seat, &Declaration)]) -> Option<Json> {
        Some(G::report(&self.planned(seat, drafts)?))
    }

    fn cards_before(&self, seat: Seat) -> CardsBefore {
        G::cards_before(&G::seen_by(self.state(), Viewer::Seat(seat)), seat)
    }

    fn standing(&self) -> Option<Vec<Place>> {
        self.standing().map(<[_]>::to_vec)
    }

    fn carried(&self) -> Option<Json> {
        G::carried(self.state())
    }

    fn declare(&self, seat: Seat, name: &str, chance: Stream) -> Option<Declaration> {
        let mut policy = policy::<G>(name, chance)?;
        Some(playout::declare(self, seat, &mut *policy))
    }

    fn ask_again(&mut self, attempt: u32) -> Result<Option<Told>, Held> {
        let resolution = self.ask_again(attempt)?;
        Ok(resolution.map(|resolution| told(self, resolution)))
    }

    fn foresee(&self, said: &Declaration, viewer: Viewer) -> Vec<Entry<Json>> {
        seen::<G>(self.state(), &self.foresee(said, viewer), viewer)
    }

    fn amend(&mut self, said: &Declaration) -> Result<Told, Interview> {
        let resolution = self.amend(said)?;
        Ok(told(self, resolution))
    }

    fn seen(&self, entries: &[Entry<Json>], viewer: Viewer) -> Vec<Entry<Json>> {
        seen::<G>(self.state(), &read::<G>(entries), viewer)
    }

    fn is_shown(&self, entries: &[Entry<Json>]) -> bool {
        read::<G>(entries).iter().all(|entry| match &entry.item {
            Item::Event(event) => G::is_shown(event),
            Item::Ruling(_) => true,
        })
    }
}

fn told<G: Game>(contest: &Contest<G>, resolution: Resolution<G::Event>) -> Told {
    let Resolution { entries, met, standing, .. } = resolution;
    Told { entries: seen::<G>(contest.state(), &entries, Viewer::All), met, standing }
}

/// Parses stored entries, without the events that this game cannot parse.
fn read<G: Playable>(entries: &[Entry<Json>]) -> Vec<Entry<G::Event>> {
    let read = |entry: &Entry<Json>| {
        let item = match &entry.item {
            Item::Event(event) => Item::Event(G::Event::deserialize(event).ok()?),
            Item::Ruling(ruling) => Item::Ruling(ruling.clone()),
        };
        Some(Entry { turn: entry.turn, section: entry.section.clone(), item })
    };
    entries.iter().filter_map(read).collect()
}

/// Filters these entries for a viewer.
fn seen<G: Game>(
    state: &G::State,
    entries: &[Entry<G::Event>],
    viewer: Viewer,
) -> Vec<Entry<Json>> {
    let sealing = G::procedure(state).sealing;
    let seen = |entry: &Entry<G::Event>| {
        let item = match &entry.item {
            Item::Event(event) => Item::Event(json(&G::event_seen_by(state, event, viewer)?)),
            Item::Ruling(ruling) => Item::Ruling(ruling.seen_by(viewer, sealing)?),
        };
        Some(Entry { turn: entry.turn, section: entry.section.clone(), item })
    };
    entries.iter().filter_map(seen).collect()
}

fn json<T: serde::Serialize>(value: &T) -> Json {
    // Events are plain data: their maps have string keys only.
    serde_json::to_value(value).expect("an event is plain data")
}
