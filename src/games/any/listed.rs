//! The games of the list, and games bound to a set of cards.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::Value as Json;
use smol_str::SmolStr;
use strum::VariantNames;

use crate::canvas::Canvas;
use crate::card_texts::CardTexts;
use crate::cards::hash::SetHash;
use crate::cards::sets::{AnySets, OPTION, SetAbout};
use crate::simulation::{self, Plan, PlanError, SimulationStatistics};
use rules::data::{DataFault, parse_lines};
use rules::text::Lexicon;
use rules::{Contest, Dice, Entry, Game, Item, ItemCounter, LoadError, Saved};

use super::contest::{AnyContest, OpenedContest, json, resolved};
use super::game::{AnyGame, SetOption, TableOptionsError};
use crate::playable::{Edition, GameOption, Playable, RANDOM};

/// The default number of seats, if the game allows it.
const SEATS: usize = 4;

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
        let mut bound = options.as_object().cloned().unwrap_or_default();
        bound.insert(OPTION.to_owned(), set.hash.to_string().into());
        Json::Object(bound)
    }

    /// Returns every option that a host can set: the set of cards, if they are data, and the game's own.
    fn offered() -> Vec<GameOption> {
        let set = G::sets().map(|sets| GameOption::new(OPTION, sets.clause(), sets.words()));
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
        let word = options.get(OPTION).and_then(Json::as_str);
        let set = word.map_or_else(|| sets.offered().first().copied(), |word| sets.called(word));
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
        let samples = parse_lines::<G::Event>(G::SAMPLES).unwrap_or_default();
        samples.iter().map(json).collect()
    }

    fn decided_by(&self, event: &Json) -> Option<&'static str> {
        G::decided_by(&serde_json::from_value(event.clone()).ok()?)
    }

    fn event_kinds(&self) -> &'static [&'static str] {
        G::Event::VARIANTS
    }

    fn countable(&self) -> Vec<(&'static str, SmolStr)> {
        G::countable()
    }

    fn tally(&self, entries: &[Entry<Json>], count: &mut ItemCounter<'_>) {
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

    fn replaceable(&self) -> &'static [&'static str] {
        G::REPLACEABLE
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
        let bound = self.with_set(options);
        let read = read_options::<G>(&bound, *G::seats().start()).unwrap_or_default();
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
        let resolved = resolved(&contest, resolution);
        Ok((Box::new(contest), resolved))
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
    let unread = parse_lines::<G::Event>(G::SAMPLES).err();
    let missing = G::Event::VARIANTS.iter().filter(|kind| !text.contains(&format!("\"{kind}\"")));
    let missing = missing.map(|kind| {
        let what = format!("there is no sample of {kind}");
        DataFault { file: file.to_owned(), line: 1, what }
    });
    unread.into_iter().chain(missing).collect()
}

fn read_options<G: Game>(options: &Json, seats: usize) -> Result<G::Options, TableOptionsError> {
    let (least, most) = (*G::seats().start(), *G::seats().end());
    if !G::seats().contains(&seats) {
        return Err(TableOptionsError::Seats { game: G::KEY, least, most, seats });
    }
    if options.is_null() {
        return Ok(G::Options::default());
    }
    serde_json::from_value(options.clone())
        .map_err(|error| TableOptionsError::Options(error.to_string()))
}

/// `Err` if the game or an option cannot be played with this number of seats. Parses the options.
fn fitting_options<G: Playable>(
    chosen: &Json,
    seats: usize,
) -> Result<G::Options, TableOptionsError> {
    let options = read_options::<G>(&fitted::<G>(chosen, seats), seats)?;
    if let Some(misfit) = G::misfit(&options, seats) {
        return Err(TableOptionsError::Misfit { game: G::KEY, misfit, seats });
    }
    match idle::<G>(chosen) {
        Some((option, value)) => Err(TableOptionsError::Idle { game: G::KEY, option, value }),
        None => Ok(options),
    }
}

/// Returns the first option that was set to no effect, with its value; `None` if all count.
fn idle<G: Playable>(options: &Json) -> Option<(&'static GameOption, String)> {
    let plain = serde_json::to_value(G::Options::default()).ok()?;
    let value_of = |key: &str| options.get(key).or_else(|| plain.get(key));
    G::OPTIONS.iter().find_map(|option| {
        let (other, values) = option.with?;
        let value =
            options.get(option.key).filter(|value| plain.get(option.key) != Some(*value))?;
        let counts = value_of(other).is_some_and(|value| values.contains(&text_of(value).as_str()));
        (!counts).then(|| (option, text_of(value)))
    })
}

/// Returns a value of an option as the host types it.
fn text_of(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the options. An option that was not chosen and does not fit this number of seats gets its first
/// fitting value.
fn fitted<G: Playable>(options: &Json, seats: usize) -> Json {
    let misfit = |options: &Json| G::misfit(&read_options::<G>(options, seats).ok()?, seats);
    let Some(key) = misfit(options).map(|misfit| misfit.key) else { return options.clone() };
    let with = |value: &&str| {
        let mut fitted = options.as_object().cloned().unwrap_or_default();
        fitted.insert(key.to_owned(), (*value).into());
        Json::Object(fitted)
    };
    let is_chosen = options.get(key).is_some();
    let free = G::OPTIONS.iter().filter(|option| option.key == key && !is_chosen);
    let mut fitted = free.flat_map(|option| option.values).map(with);
    fitted.find(|options| misfit(options).is_none()).unwrap_or_else(|| options.clone())
}
