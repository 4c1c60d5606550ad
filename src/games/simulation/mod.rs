//! Statistics over play-outs: many games played by policies.
//!
//! No clock and no I/O: the same plan gives the same [`SimulationStatistics`], however the games are spread
//! over threads. All counts are whole numbers, so merging is exact; [`Summary`] computes shares and averages
//! from them.

mod distribution;
mod fixed;
mod plan;
mod statistics;
mod summary;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::playable::{Playable, policy};
use rules::playout::{self, Room};
use rules::{Dice, Game, Key, Label, Offer, Policy, Reply, Seat};

use fixed::{FixedPolicy, SeatPolicy};

pub use distribution::{Bin, Distribution, Estimate, Share, Spread};
pub use plan::{Mode, Plan, PlanError};
pub use statistics::{SimulationStatistics, Tallies, count_nothing, groups};
pub use summary::{Group, RulingCount, Side, SimulationTally, Summary, UseOutcome, Worth};

impl Plan {
    /// Creates the policies of this game, each with its own random stream.
    fn create_policies<G: Playable>(
        &self,
        game: u64,
        asked: &Arc<AtomicU64>,
        policies: &mut Vec<Box<dyn Policy<G>>>,
    ) -> Result<(), PlanError> {
        let chance = Dice::new(self.seed("policies", game), "policies").of_window(0, 0);
        policies.clear();
        for seat in Seat::all(self.policies.len()) {
            let input = &self.policies[self.position(seat, game)];
            let SeatPolicy { name, fixed } = SeatPolicy::read(input)?;
            let stream = chance.stream(&Label::of(seat, Key::part("policy")));
            let mut policy =
                policy::<G>(name, stream).ok_or_else(|| PlanError::Policy(input.clone()))?;
            if !fixed.is_empty() {
                policy = Box::new(FixedPolicy { policy, fixed });
            }
            policies.push(Box::new(CountedPolicy { policy, asked: Arc::clone(asked) }));
        }
        Ok(())
    }
}

/// A policy that counts its questions.
struct CountedPolicy<G: Game> {
    policy: Box<dyn Policy<G>>,
    asked: Arc<AtomicU64>,
}

impl<G: Game> Policy<G> for CountedPolicy<G> {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> G::State) {
        self.policy.begin(seat, look);
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        // One thread plays a game, so no update is lost between load and store.
        self.asked.store(self.asked.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.policy.reply(offer)
    }
}

/// Plays the games with these numbers. `progress` gets the number of each game after its end.
///
/// # Errors
/// If the game does not allow the number of seats, refuses the options, or lacks a named policy.
pub fn simulate<G: Playable>(
    plan: &Plan,
    games: Range<u64>,
    progress: &mut dyn FnMut(u64),
) -> Result<SimulationStatistics, PlanError> {
    let seats = plan.policies.len();
    if !G::seats().contains(&seats) {
        let (least, most) = (*G::seats().start(), *G::seats().end());
        return Err(PlanError::Seats { least, most, seats });
    }
    let options = match &plan.options {
        serde_json::Value::Null => G::Options::default(),
        options => serde_json::from_value(options.clone())
            .map_err(|error| PlanError::Options(error.to_string()))?,
    };
    let asked = Arc::new(AtomicU64::new(0));
    let mut statistics = SimulationStatistics::new(plan);
    let mut policies = Vec::with_capacity(seats);
    let mut room = Room::<G>::default();
    for game in games {
        plan.create_policies::<G>(game, &asked, &mut policies)?;
        let dice = Dice::new(plan.seed("dice", game), "simulation");
        let played = match plan.mode {
            Mode::Quick => {
                let watch = |record: &rules::Record<G::Event>| {
                    statistics.count::<G>(record.entries());
                };
                let played = playout::quick(&options, &dice, &mut policies, &mut room, watch);
                Some((played.windows, played.standing))
            }
            Mode::Sealed => {
                let seal = |_: &_, _, declaration| Some(declaration);
                let watch = |_: &_, resolution: &rules::contest::Resolution<G::Event>| {
                    statistics.count::<G>(&resolution.entries);
                };
                let played = playout::sealed(&options, dice, &mut policies, seal, watch);
                played.ok().map(|played| (played.windows, played.standing))
            }
        };
        match played {
            Some((windows, standing)) if !standing.is_empty() => {
                statistics.end(plan, game, windows, &standing);
            }
            _ => statistics.give_up(game),
        }
        progress(game);
    }
    statistics.questions = asked.load(Ordering::Relaxed);
    statistics.close::<G>();
    Ok(statistics)
}
