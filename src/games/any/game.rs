//! Any game, and the options of a table.

use std::fmt::Debug;
use std::ops::{Range, RangeInclusive};

use serde_json::Value as Json;
use smol_str::SmolStr;

use super::contest::{AnyContest, OpenedContest};
use crate::canvas::Canvas;
use crate::card_texts::{CardText, CardTexts};
use crate::cards::sets::{AnySets, SetAbout};
use crate::playable::{Edition, GameOption, Misfit};
use crate::simulation::{Plan, PlanError, SimulationStatistics};
use rules::contest::Held;
use rules::data::DataFault;
use rules::text::Lexicon;
use rules::{Dice, Entry, ItemCounter, LoadError, Saved};

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
    #[error("{game} takes {least} to {most} seats, not {seats}")]
    Seats { game: &'static str, least: usize, most: usize, seats: usize },
    /// An option cannot be played with this number of seats.
    #[error(
        "{}={} is for {} to {} seats ({}), not {seats}",
        .misfit.key, .misfit.value, .misfit.least, .misfit.most, .misfit.clause
    )]
    Misfit {
        game: &'static str,
        misfit: Misfit,
        /// The requested number of seats.
        seats: usize,
    },
    /// An option has no effect with the value of another.
    #[error("{}={value} counts only with another {} ({})", .option.key, .option.with_key(), .option.clause)]
    Idle { game: &'static str, option: &'static GameOption, value: String },
    /// An option is unknown, or has an unknown value.
    #[error("{0}")]
    Options(String),
    /// The deal did not end.
    #[error(transparent)]
    Held(#[from] Held),
}

/// A game of the list, or one bound to a set of cards.
pub trait AnyGame: Debug + Send + Sync {
    /// Returns the game's key, one word.
    fn key(&self) -> &'static str;
    /// Returns the numbers of seats that can play.
    fn seats(&self) -> RangeInclusive<usize>;
    fn lexicon(&self) -> &'static Lexicon;
    /// Returns the sets of cards that the game can be played with; `None` if its cards are not data.
    fn sets(&self) -> Option<&'static dyn AnySets>;
    /// Returns the set that the game is bound to; `None` for the game of the list.
    fn set(&self) -> Option<&'static SetAbout>;
    /// Returns the game bound to a set, always the same one.
    fn bound_to(&self, set: &'static SetAbout) -> &'static dyn AnyGame;
    /// Returns the game bound to the set that these options name; the same game if its cards are not data, if
    /// a set is bound already, or if there is no such set.
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
    /// True if a bot player declares for a seat after its player has left, unless the host sets this
    /// otherwise.
    fn house_for_gone(&self) -> bool;
    /// Returns one event of each kind, as JSON.
    fn sample_events(&self) -> Vec<Json>;
    /// `None` if no decision was made in a player's stead; otherwise the clause by which this event was
    /// decided.
    fn decided_by(&self, event: &Json) -> Option<&'static str>;
    /// Counts the statistics for a game designer over stored entries. An event that this game cannot parse is
    /// not counted.
    fn tally(&self, entries: &[Entry<Json>], count: &mut ItemCounter<'_>);
    /// Returns the named groups and words that [`Self::tally`] can count.
    fn countable(&self) -> Vec<(&'static str, SmolStr)>;
    /// Returns the kinds of its events, as they are serialized.
    fn event_kinds(&self) -> &'static [&'static str];
    /// Returns every fault in its data files.
    fn check_data(&self) -> Vec<DataFault>;
    /// Returns the paths of the data files whose text can be replaced.
    fn replaceable(&self) -> &'static [&'static str];
    /// Returns the edition of the rules in use.
    fn edition(&self) -> &'static Edition;
    /// Checks that the game can be dealt with these options for this number of seats.
    fn check_options(&self, options: &Json, seats: usize) -> Result<(), TableOptionsError>;
    /// Returns the numbers of seats that the game can be played with.
    fn seat_counts(&self) -> Vec<usize>;
    /// Returns the default number of seats: four, or the nearest number that the game and these options allow.
    fn seats_for(&self, options: &Json) -> usize;
    /// Returns the options. An option that was not chosen and does not fit this number of seats gets its
    /// first fitting value.
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
