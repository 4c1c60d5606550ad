//! Statistics over play-outs: how a game goes when policies play it many times.
//!
//! No clock and no I/O: the same plan gives the same [`Statistics`], however the games are spread
//! over threads. Everything is counted in whole numbers, so merging is exact; [`Summary`] is
//! where shares and averages are made of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use super::any::{Playable, policy};
use crate::rules::playout::{self, Room};
use crate::rules::{
    Clause, Dice, Entry, Game, Item, Key, Label, Offer, Outcome, Place, Policy, Reply, Seat,
};

/// A first place in its smallest parts: it can be shared by any number of up to eight.
const WHOLE_WIN: u64 = 840;
/// The most bins of a histogram.
const BINS: u64 = 24;
/// How far the limits of a 95 % confidence interval lie from the middle, in standard deviations.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

// --- The plan ---

/// How policies play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// On the fly.
    Quick,
    /// By sealed declarations, as people do.
    Sealed,
}

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// All chance follows from this number.
    pub seed: u64,
    /// How the policies play.
    pub mode: Mode,
    /// The names of the policies, one for each seat.
    pub policies: Vec<SmolStr>,
    /// Whether the policies move on by a seat from game to game.
    pub rotate: bool,
    /// What a host has set; what is not there is supposed.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub options: Json,
}

/// A plan that the game does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The game cannot be played by so many.
    #[error("{least} to {most} can play, not {said}")]
    Seats {
        /// At least.
        least: usize,
        /// At most.
        most: usize,
        /// What was said.
        said: usize,
    },
    /// The game has no policy of this name.
    #[error("there is no policy {0:?}")]
    Policy(SmolStr),
    /// The game does not take the options.
    #[error("{0}")]
    Options(String),
}

impl Plan {
    /// The position in the list of policies that has this seat in this game.
    fn position(&self, seat: Seat, game: u64) -> usize {
        let count = self.policies.len();
        let moved = if self.rotate { game % count as u64 } else { 0 };
        // Less than the count of seats.
        (seat.index() + usize::try_from(moved).unwrap_or_default()) % count
    }

    /// 32 bytes for one purpose in one game.
    fn seed(&self, purpose: &str, game: u64) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"shimekiri simulation v1\n");
        hash.update(purpose.as_bytes());
        hash.update(b"\n");
        hash.update(self.seed.to_le_bytes());
        hash.update(game.to_le_bytes());
        hash.finalize().into()
    }

    /// Who plays in this game, each with chance of its own.
    fn sit<G: Playable>(
        &self,
        game: u64,
        asked: &Arc<AtomicU64>,
        policies: &mut Vec<Box<dyn Policy<G>>>,
    ) -> Result<(), PlanError> {
        let chance = Dice::new(self.seed("policies", game), "policies").of_window(0, 0);
        policies.clear();
        for seat in Seat::all(self.policies.len()) {
            let name = &self.policies[self.position(seat, game)];
            let stream = chance.stream(&Label::of(seat, Key::part("policy")));
            let policy =
                policy::<G>(name, stream).ok_or_else(|| PlanError::Policy(name.clone()))?;
            policies.push(Box::new(Counting { policy, asked: Arc::clone(asked) }));
        }
        Ok(())
    }
}

/// A policy whose questions are counted.
struct Counting<G: Game> {
    policy: Box<dyn Policy<G>>,
    asked: Arc<AtomicU64>,
}

impl<G: Game> Policy<G> for Counting<G> {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> G::State) {
        self.policy.begin(seat, look);
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        // One thread plays a game, so nothing is lost between reading and writing.
        self.asked.store(self.asked.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.policy.reply(offer)
    }
}

/// Plays the games with these numbers. `progress` hears the number of each when it is over.
///
/// # Errors
/// If the game is not for so many seats, does not take the options, or has no policy of a name.
pub fn simulate<G: Playable>(
    plan: &Plan,
    games: Range<u64>,
    progress: &mut dyn FnMut(u64),
) -> Result<Statistics, PlanError> {
    let seats = plan.policies.len();
    if !G::seats().contains(&seats) {
        let (least, most) = (*G::seats().start(), *G::seats().end());
        return Err(PlanError::Seats { least, most, said: seats });
    }
    let options = match &plan.options {
        Json::Null => G::Options::default(),
        said => serde_json::from_value(said.clone())
            .map_err(|error| PlanError::Options(error.to_string()))?,
    };
    let asked = Arc::new(AtomicU64::new(0));
    let mut statistics = Statistics::new(plan);
    let mut policies = Vec::with_capacity(seats);
    let mut room = Room::<G>::default();
    for game in games {
        plan.sit::<G>(game, &asked, &mut policies)?;
        let dice = Dice::new(plan.seed("dice", game), "simulation");
        let played = match plan.mode {
            Mode::Quick => {
                let told = |record: &crate::rules::Record<G::Event>| {
                    statistics.count::<G>(record.entries());
                };
                let played = playout::quick(&options, &dice, &mut policies, &mut room, told);
                Some((played.windows, played.standing))
            }
            Mode::Sealed => {
                let seal = |_: &_, _, declaration| Some(declaration);
                let told = |_: &_, resolution: &crate::rules::contest::Resolution<G::Event>| {
                    statistics.count::<G>(&resolution.entries);
                };
                let played = playout::sealed(&options, dice, &mut policies, seal, told);
                played.ok().map(|played| (played.windows, played.standing))
            }
        };
        match played {
            Some((windows, standing)) if !standing.is_empty() => {
                statistics.end(plan, game, windows, &standing);
            }
            _ => statistics.unfinished.push(game),
        }
        progress(game);
    }
    statistics.questions = asked.load(Ordering::Relaxed);
    Ok(statistics)
}

// --- What is counted ---

/// How often each value came up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution(BTreeMap<i64, u64>);

impl Distribution {
    /// The value has come up once more.
    pub fn add(&mut self, value: i64) {
        *self.0.entry(value).or_default() += 1;
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.0.values().sum()
    }

    fn merge(&mut self, other: Self) {
        for (value, count) in other.0 {
            *self.0.entry(value).or_default() += count;
        }
    }

    /// The value below which this share of all values lies; between two, in proportion.
    fn quantile(&self, share: f64) -> f64 {
        let place = share * real(self.count().saturating_sub(1));
        let (below, part) = (place.floor(), place.fract());
        let at = |index: f64| {
            let mut passed = 0;
            let mut values = self.0.iter();
            let value = values.find(|(_, count)| {
                passed += **count;
                real(passed) > index
            });
            value.map_or(0.0, |(value, _)| signed(*value))
        };
        if part > 0.0 { at(below) * (1.0 - part) + at(below + 1.0) * part } else { at(below) }
    }

    /// The values in bins of the same width, a round one.
    fn histogram(&self) -> Vec<Bin> {
        let (Some((&least, _)), Some((&most, _))) =
            (self.0.first_key_value(), self.0.last_key_value())
        else {
            return Vec::new();
        };
        let rounds = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_i64.pow(power)));
        let fits = |width: &i64| most.div_euclid(*width).abs_diff(least.div_euclid(*width)) < BINS;
        let width = rounds.take(50).find(fits).unwrap_or(i64::MAX);
        (least.div_euclid(width)..=most.div_euclid(width))
            .map(|bin| {
                let (from, to) = (bin * width, bin * width + width - 1);
                Bin { from, to, count: self.0.range(from..=to).map(|(_, count)| count).sum() }
            })
            .collect()
    }

    /// What it comes to; nothing if no value has come up.
    pub fn spread(&self) -> Option<Spread> {
        let (min, max) = (*self.0.first_key_value()?.0, *self.0.last_key_value()?.0);
        let count = real(self.count());
        let sum = |of: fn(f64, f64) -> f64, middle: f64| -> f64 {
            self.0.iter().map(|(value, count)| of(signed(*value), middle) * real(*count)).sum()
        };
        let mean = sum(|value, _| value, 0.0) / count;
        let squares = sum(|value, mean| (value - mean).powi(2), mean);
        Some(Spread {
            min,
            lower_quartile: self.quantile(0.25),
            median: self.quantile(0.5),
            upper_quartile: self.quantile(0.75),
            max,
            mean,
            deviation: if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 0.0 },
            histogram: self.histogram(),
        })
    }
}

/// How it went for a seat or a policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Record {
    /// How many chairs there were in all games that came to an end.
    chairs: u64,
    scores: Distribution,
    /// Who was ranked without a score.
    unscored: u64,
    /// First places, in their smallest parts.
    wins: u64,
}

impl Record {
    fn add(&mut self, place: &Place, winners: u64) {
        self.chairs += 1;
        match place.score {
            Some(score) => self.scores.add(score),
            None => self.unscored += 1,
        }
        if place.rank == 1 {
            self.wins += WHOLE_WIN / winners;
        }
    }

    fn merge(&mut self, other: Self) {
        self.chairs += other.chairs;
        self.scores.merge(other.scores);
        self.unscored += other.unscored;
        self.wins += other.wins;
    }
}

/// Everything that was counted over some games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The games that came to no end, by their numbers.
    unfinished: Vec<u64>,
    windows: Distribution,
    /// In how many games everybody shared the first place.
    shared: u64,
    seats: Vec<Record>,
    /// By the names of the policies, each once, in the order of the plan.
    policies: Vec<(SmolStr, Record)>,
    /// By group and id.
    tallies: BTreeMap<(&'static str, SmolStr), u64>,
    /// By outcome and clause.
    rulings: BTreeMap<(&'static str, Clause), u64>,
    questions: u64,
}

impl Statistics {
    fn new(plan: &Plan) -> Self {
        let mut policies: Vec<(SmolStr, Record)> = Vec::new();
        for name in &plan.policies {
            if policies.iter().all(|(known, _)| known != name) {
                policies.push((name.clone(), Record::default()));
            }
        }
        Self {
            unfinished: Vec::new(),
            windows: Distribution::default(),
            shared: 0,
            seats: vec![Record::default(); plan.policies.len()],
            policies,
            tallies: BTreeMap::new(),
            rulings: BTreeMap::new(),
            questions: 0,
        }
    }

    fn count<G: Game>(&mut self, entries: &[Entry<G::Event>]) {
        for entry in entries {
            match &entry.item {
                Item::Event(event) => G::tally(event, &mut |group, id| {
                    *self.tallies.entry((group, id)).or_default() += 1;
                }),
                Item::Ruling(ruling) => {
                    let key = (word(&ruling.outcome), ruling.clause.clone());
                    *self.rulings.entry(key).or_default() += 1;
                }
            }
        }
    }

    fn end(&mut self, plan: &Plan, game: u64, windows: u32, standing: &[Place]) {
        self.windows.add(windows.into());
        let winners = standing.iter().filter(|place| place.rank == 1).count() as u64;
        self.shared += u64::from(winners == self.seats.len() as u64);
        for place in standing {
            self.seats[place.seat.index()].add(place, winners);
            let name = &plan.policies[plan.position(place.seat, game)];
            if let Some((_, record)) = self.policies.iter_mut().find(|(known, _)| known == name) {
                record.add(place, winners);
            }
        }
    }

    /// Takes over what was counted over later games of the same plan.
    pub fn merge(&mut self, other: Self) {
        self.unfinished.extend(other.unfinished);
        self.windows.merge(other.windows);
        self.shared += other.shared;
        for (record, other) in self.seats.iter_mut().zip(other.seats) {
            record.merge(other);
        }
        for ((_, record), (_, other)) in self.policies.iter_mut().zip(other.policies) {
            record.merge(other);
        }
        for (key, count) in other.tallies {
            *self.tallies.entry(key).or_default() += count;
        }
        for (key, count) in other.rulings {
            *self.rulings.entry(key).or_default() += count;
        }
        self.questions += other.questions;
    }

    /// How many games were played, to an end or not.
    pub fn games(&self) -> u64 {
        self.windows.count() + self.unfinished.len() as u64
    }

    /// How many questions were asked in all.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// The games that came to no end, by their numbers: each is a fault of the rules.
    pub fn unfinished(&self) -> &[u64] {
        &self.unfinished
    }

    /// What it comes to.
    pub fn summary(&self) -> Summary {
        let ended = self.windows.count();
        let games = self.games();
        let side = |name: SmolStr, record: &Record| Side {
            name,
            chairs: record.chairs,
            share: Share::of(real(record.wins) / real(WHOLE_WIN), ended),
            expected: ratio(record.chairs, ended * self.seats.len() as u64),
            unscored: record.unscored,
            scores: record.scores.spread(),
        };
        let mut all = Record::default();
        for record in &self.seats {
            all.merge(record.clone());
        }
        let seats = Seat::all(self.seats.len()).zip(&self.seats);
        let rulings = self.rulings.iter().map(|((outcome, clause), &total)| RulingCount {
            outcome,
            clause: clause.clone(),
            total,
            per_game: ratio(total, games),
        });
        Summary {
            games,
            unfinished: self.unfinished.clone(),
            windows: self.windows.spread(),
            scores: all.scores.spread(),
            unscored: all.unscored,
            shared: self.shared,
            seats: seats.map(|(seat, record)| side(seat.name().into(), record)).collect(),
            policies: self.policies.iter().map(|(name, of)| side(name.clone(), of)).collect(),
            tallies: self.groups(),
            rulings: rulings.collect(),
            questions_per_game: ratio(self.questions, games),
        }
    }

    fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for ((group, id), &total) in &self.tallies {
            if groups.last().is_none_or(|last| last.group != *group) {
                groups.push(Group { group, members: Vec::new() });
            }
            let of_group = self.tallies.iter().filter(|((other, _), _)| other == group);
            let share = Share::of(real(total), of_group.map(|(_, total)| total).sum());
            let per_game = ratio(total, self.games());
            if let Some(last) = groups.last_mut() {
                last.members.push(Tally { id: id.clone(), total, per_game, share });
            }
        }
        for group in &mut groups {
            // The sort is stable: what came up as often stays in the order of the ids.
            group.members.sort_by_key(|member| std::cmp::Reverse(member.total));
        }
        groups
    }
}

// --- What it comes to ---

/// What the statistics come to: the `statistics` of `shimekiri simulate --json`, whose field
/// names are those below. Numbers that no game gives any value for are `null`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// How many games were played.
    pub games: u64,
    /// The numbers of those that came to no end. They count in tallies, rulings and questions only.
    pub unfinished: Vec<u64>,
    /// How many root windows a game had, the deal included.
    pub windows: Option<Spread>,
    /// The scores of all seats.
    pub scores: Option<Spread>,
    /// How many seats were ranked without a score.
    pub unscored: u64,
    /// In how many games everybody shared the first place: in all, where all win or lose together.
    pub shared: u64,
    /// Seat by seat.
    pub seats: Vec<Side>,
    /// Policy by policy.
    pub policies: Vec<Side>,
    /// What the game counts, by group.
    pub tallies: Vec<Group>,
    /// What became of declarations, by outcome and clause.
    pub rulings: Vec<RulingCount>,
    /// How many questions a game asked on average.
    pub questions_per_game: f64,
}

/// How it went for a seat or a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// The seat or the policy.
    pub name: SmolStr,
    /// How many chairs it had in all games that came to an end.
    pub chairs: u64,
    /// Its share of the first places. The shares of all seats, and of all policies, sum to 1.
    pub share: Share,
    /// The share that its chairs alone would give it.
    pub expected: f64,
    /// How often it was ranked without a score.
    pub unscored: u64,
    /// Its scores.
    pub scores: Option<Spread>,
}

/// A share with its 95 % confidence interval (Wilson's).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The share. A first place shared by `k` counts `1/k`.
    pub value: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Share {
    /// So many of so many, with Wilson's interval. Of nothing, everything is possible.
    pub fn of(hits: f64, trials: u64) -> Self {
        if trials == 0 {
            return Self { value: 0.0, low: 0.0, high: 1.0 };
        }
        let trials = real(trials);
        let value = hits / trials;
        let square = DEVIATIONS * DEVIATIONS / trials;
        let middle = (value + square / 2.0) / (1.0 + square);
        let spread = (value * (1.0 - value) * square + square * square / 4.0).max(0.0).sqrt();
        let half = spread / (1.0 + square);
        Self { value, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }
}

/// How values are spread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The smallest.
    pub min: i64,
    /// A quarter lies below it.
    pub lower_quartile: f64,
    /// Half lies below it.
    pub median: f64,
    /// Three quarters lie below it.
    pub upper_quartile: f64,
    /// The largest.
    pub max: i64,
    /// The average.
    pub mean: f64,
    /// The standard deviation, of a sample.
    pub deviation: f64,
    /// How many lie where.
    pub histogram: Vec<Bin>,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Its smallest value.
    pub from: i64,
    /// Its largest value.
    pub to: i64,
    /// How many values lie in it.
    pub count: u64,
}

/// What a game counts of one group, the most frequent first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The group.
    pub group: &'static str,
    /// Its members that came up.
    pub members: Vec<Tally>,
}

/// How often something came up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tally {
    /// Its id in the game's words.
    pub id: SmolStr,
    /// In all games.
    pub total: u64,
    /// In a game on average.
    pub per_game: f64,
    /// Its share of the group.
    pub share: Share,
}

/// How often declarations had this outcome by this clause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulingCount {
    /// The outcome, as in a record.
    pub outcome: &'static str,
    /// The clause.
    pub clause: Clause,
    /// In all games.
    pub total: u64,
    /// In a game on average.
    pub per_game: f64,
}

/// The outcome's word in a record.
fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::ByDie => "by-die",
        Outcome::Only => "only",
        Outcome::Supposed => "supposed",
        Outcome::LargestFirst => "largest-first",
        Outcome::Trimmed => "trimmed",
        Outcome::Returned => "returned",
        Outcome::Skipped => "skipped",
        Outcome::Forced => "forced",
        Outcome::Unskipped => "unskipped",
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { real(part) / real(whole) }
}

#[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 here")]
fn real(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "no score is as large as 2^53")]
fn signed(value: i64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(values: &[i64]) -> Distribution {
        let mut distribution = Distribution::default();
        for &value in values {
            distribution.add(value);
        }
        distribution
    }

    /// Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    #[test]
    fn wilsons_interval_is_the_one_in_the_literature() {
        for (hits, trials, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let share = Share::of(hits, trials);
            assert!(
                (share.low - low).abs() < 5e-5 && (share.high - high).abs() < 5e-5,
                "{share:?}"
            );
        }
        assert_eq!(Share::of(0.0, 0), Share { value: 0.0, low: 0.0, high: 1.0 });
    }

    #[test]
    fn a_spread_is_that_of_the_values() {
        let spread = distribution(&[4, -2, 8, 6, 4]).spread().unwrap();
        assert_eq!((spread.min, spread.max), (-2, 8));
        let quartiles = [spread.lower_quartile, spread.median, spread.upper_quartile];
        assert_eq!(quartiles.map(|value| value.to_string()), ["4", "4", "6"]);
        assert!(
            (spread.mean - 4.0).abs() < 1e-12 && (spread.deviation - 14_f64.sqrt()).abs() < 1e-12
        );
        assert!((distribution(&[1, 2]).spread().unwrap().median - 1.5).abs() < 1e-12);
        assert_eq!(Distribution::default().spread(), None);
    }

    #[test]
    fn bins_are_round_and_hold_everything() {
        let bins = distribution(&[-7, 0, 3, 49]).spread().unwrap().histogram;
        assert_eq!(bins[0], Bin { from: -10, to: -6, count: 1 });
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), 4);
        assert_eq!(bins.len(), 12);
        let one = distribution(&[5, 5]).spread().unwrap().histogram;
        assert_eq!(one, [Bin { from: 5, to: 5, count: 2 }]);
    }

    #[test]
    fn policies_move_on_by_a_seat() {
        let policies = ["a", "b", "c"].map(SmolStr::new_static).to_vec();
        let mut plan =
            Plan { seed: 0, mode: Mode::Quick, policies, rotate: true, options: Json::Null };
        let at = |plan: &Plan, game| -> Vec<usize> {
            Seat::all(3).map(|seat| plan.position(seat, game)).collect()
        };
        assert_eq!(at(&plan, 4), [1, 2, 0]);
        plan.rotate = false;
        assert_eq!(at(&plan, 4), [0, 1, 2]);
    }
}
