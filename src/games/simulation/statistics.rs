//! The counts over many games.

use crate::cards::hash::MARK_SIGN;
use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::distribution::{Distribution, Share, real};
use super::plan::Plan;
use super::summary::{Group, RulingCount, Side, SimulationTally, Summary, UseOutcome, Worth};
use rules::{Clause, Entry, Game, Item, Outcome, Place, Seat};

/// The number of parts of a first place: divisible by every number up to eight, for sharing.
const WHOLE_WIN: u64 = 840;

/// The counts of a game, by group and id.
pub type Tallies = BTreeMap<(&'static str, SmolStr), u64>;

/// The results of a seat or a policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PlayRecord {
    /// The number of seats in all finished games.
    chairs: u64,
    scores: Distribution,
    /// The number of rankings without a score.
    unscored: u64,
    /// The first places, in parts of [`WHOLE_WIN`].
    wins: u64,
}

impl PlayRecord {
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

    /// Returns the record without a part of it.
    fn without(&self, part: &Self) -> Self {
        Self {
            chairs: self.chairs - part.chairs,
            scores: self.scores.without(&part.scores),
            unscored: self.unscored - part.unscored,
            wins: self.wins - part.wins,
        }
    }

    fn outcome(&self) -> UseOutcome {
        UseOutcome {
            chairs: self.chairs,
            wins: Share::of(real(self.wins) / real(WHOLE_WIN), self.chairs),
            score: self.scores.mean(),
        }
    }
}

/// The counts over some games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationStatistics {
    /// The numbers of the unfinished games.
    unfinished: Vec<u64>,
    windows: Distribution,
    /// The number of games in which all seats shared the first place.
    shared: u64,
    seats: Vec<PlayRecord>,
    /// The results by policy name, each once, in the order of the plan.
    policies: Vec<(SmolStr, PlayRecord)>,
    tallies: Tallies,
    /// The items that each seat has used in the game under way.
    in_game: BTreeSet<(Seat, &'static str, SmolStr)>,
    /// The results of the seats that have used an item, by the group and the id of the item.
    users: BTreeMap<(&'static str, SmolStr), PlayRecord>,
    /// The counts by outcome and clause.
    rulings: BTreeMap<(&'static str, Clause), u64>,
    pub(super) questions: u64,
}

impl SimulationStatistics {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut policies: Vec<(SmolStr, PlayRecord)> = Vec::new();
        for name in &plan.policies {
            if policies.iter().all(|(known, _)| known != name) {
                policies.push((name.clone(), PlayRecord::default()));
            }
        }
        Self {
            unfinished: Vec::new(),
            windows: Distribution::default(),
            shared: 0,
            seats: vec![PlayRecord::default(); plan.policies.len()],
            policies,
            tallies: Tallies::new(),
            in_game: BTreeSet::new(),
            users: BTreeMap::new(),
            rulings: BTreeMap::new(),
            questions: 0,
        }
    }

    pub(super) fn count<G: Game>(&mut self, entries: &[Entry<G::Event>]) {
        for entry in entries {
            match &entry.item {
                Item::Event(event) => G::tally(event, &mut |seat, group, id| {
                    self.in_game.extend(seat.map(|seat| (seat, group, id.clone())));
                    *self.tallies.entry((group, id)).or_default() += 1;
                }),
                Item::Ruling(ruling) => {
                    let key = (word(&ruling.outcome), ruling.clause.clone());
                    *self.rulings.entry(key).or_default() += 1;
                }
            }
        }
    }

    /// Adds a count of 0 for everything countable that never came up.
    pub(super) fn close<G: Game>(&mut self) {
        count_nothing(&mut self.tallies, G::countable());
    }

    pub(super) fn end(&mut self, plan: &Plan, game: u64, windows: u32, standing: &[Place]) {
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
        for (seat, group, id) in std::mem::take(&mut self.in_game) {
            if let Some(place) = standing.iter().find(|place| place.seat == seat) {
                self.users.entry((group, id)).or_default().add(place, winners);
            }
        }
    }

    /// Counts a game that did not end.
    pub(super) fn give_up(&mut self, game: u64) {
        self.unfinished.push(game);
        self.in_game.clear();
    }

    /// Merges the counts of later games of the same plan.
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
        for (key, record) in other.users {
            self.users.entry(key).or_default().merge(record);
        }
        for (key, count) in other.rulings {
            *self.rulings.entry(key).or_default() += count;
        }
        self.questions += other.questions;
    }

    /// The number of games played, finished or not.
    pub fn games(&self) -> u64 {
        self.windows.count() + self.unfinished.len() as u64
    }

    /// The number of questions asked in all.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// The numbers of the unfinished games: each is a fault of the rules.
    pub fn unfinished(&self) -> &[u64] {
        &self.unfinished
    }

    /// Returns the results of seats with and without each item that some seats used and others did not.
    fn worth(&self, all: &PlayRecord) -> Vec<Worth> {
        let told = self.users.iter().filter(|(_, with)| with.chairs < all.chairs);
        let worth = told.map(|((group, id), with)| Worth {
            group,
            id: id.clone(),
            with: with.outcome(),
            without: all.without(with).outcome(),
        });
        worth.collect()
    }

    /// Computes the summary of the counts.
    pub fn summary(&self) -> Summary {
        let ended = self.windows.count();
        let games = self.games();
        let side = |name: SmolStr, record: &PlayRecord| Side {
            name,
            chairs: record.chairs,
            share: Share::of(real(record.wins) / real(WHOLE_WIN), ended),
            expected: ratio(record.chairs, ended * self.seats.len() as u64),
            unscored: record.unscored,
            scores: record.scores.spread(),
        };
        let mut all = PlayRecord::default();
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
            tallies: groups(&self.tallies, games),
            worth: self.worth(&all),
            rulings: rulings.collect(),
            questions_per_game: ratio(self.questions, games),
        }
    }
}

/// Adds a count of 0 for each countable id that never came up, in groups with at least one count.
pub fn count_nothing(tallies: &mut Tallies, countable: Vec<(&'static str, SmolStr)>) {
    let groups: BTreeSet<&'static str> = tallies.keys().map(|(group, _)| *group).collect();
    // Of cards that are data, those of sets that were played with.
    let mark = |id: &SmolStr| id.split_once(MARK_SIGN).map(|(_, mark)| mark.to_owned());
    let marks: BTreeSet<String> = tallies.keys().filter_map(|(_, id)| mark(id)).collect();
    let is_of_set = |id: &SmolStr| mark(id).is_none_or(|mark| marks.contains(&mark));
    let countable = countable.into_iter().filter(|(_, id)| is_of_set(id));
    for (group, id) in countable.filter(|(group, _)| groups.contains(group)) {
        tallies.entry((group, id)).or_default();
    }
}

/// The counts of this number of games, group by group.
pub fn groups(tallies: &Tallies, games: u64) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for ((group, id), &total) in tallies {
        if groups.last().is_none_or(|last| last.group != *group) {
            groups.push(Group { group, members: Vec::new() });
        }
        let of_group = tallies.iter().filter(|((other, _), _)| other == group);
        let share = Share::of(real(total), of_group.map(|(_, total)| total).sum());
        let per_game = ratio(total, games);
        if let Some(last) = groups.last_mut() {
            last.members.push(SimulationTally { id: id.clone(), total, per_game, share });
        }
    }
    for group in &mut groups {
        // The sort is stable: ids with equal counts stay in their order.
        group.members.sort_by_key(|member| std::cmp::Reverse(member.total));
    }
    groups
}

/// The word of an outcome in a record.
fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::ByDie => "by-die",
        Outcome::Only => "only",
        Outcome::Supposed => "supposed",
        Outcome::Nothing => "nothing",
        Outcome::Ordered => "ordered",
        Outcome::InReserve => "in-reserve",
        Outcome::LargestFirst => "largest-first",
        Outcome::Trimmed => "trimmed",
        Outcome::Cut => "cut",
        Outcome::Returned => "returned",
        Outcome::Skipped => "skipped",
        Outcome::Forced => "forced",
        Outcome::Unskipped => "unskipped",
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { real(part) / real(whole) }
}
