//! The summary of a simulation.

use serde::Serialize;
use smol_str::SmolStr;

use super::distribution::{Estimate, Share, Spread};
use rules::Clause;

/// The summary of the statistics: the `statistics` of `shimekiri simulate --json`, with the field names
/// below. Numbers without any value are `null`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The number of games played.
    pub games: u64,
    /// The numbers of the unfinished games. These count in tallies, rulings and questions only.
    pub unfinished: Vec<u64>,
    /// The root windows per game, the deal included.
    pub windows: Option<Spread>,
    /// The scores of all seats.
    pub scores: Option<Spread>,
    /// The number of seats ranked without a score.
    pub unscored: u64,
    /// The number of games in which all seats shared the first place: all games, if all win or lose together.
    pub shared: u64,
    pub seats: Vec<Side>,
    /// The results by policy.
    pub policies: Vec<Side>,
    /// The counts of the game, by group.
    pub tallies: Vec<Group>,
    /// The results of seats with and without each card or choice.
    pub worth: Vec<Worth>,
    /// The outcomes of declarations, by outcome and clause.
    pub rulings: Vec<RulingCount>,
    /// The average number of questions per game.
    pub questions_per_game: f64,
}

/// The results of a seat or a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// The name of the seat or the policy.
    pub name: SmolStr,
    /// The number of seats it had in all finished games.
    pub chairs: u64,
    /// The share of the first places. The shares of all seats, and of all policies, sum to 1.
    pub share: Share,
    /// The share expected from the number of its seats alone.
    pub expected: f64,
    /// The number of rankings without a score.
    pub unscored: u64,
    pub scores: Option<Spread>,
}

/// The counts of one group, the most frequent first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    pub group: &'static str,
    /// The members of the group, those that never came up included.
    pub members: Vec<SimulationTally>,
}

/// The results with and without one item. It shows what goes together, not what causes what: a leader may
/// simply use more cards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// The group of the item.
    pub group: &'static str,
    /// The id in the game's words.
    pub id: SmolStr,
    /// The seats that used the item at least once in a game.
    pub with: UseOutcome,
    pub without: UseOutcome,
}

/// The results of some seats in finished games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UseOutcome {
    /// The number of seats.
    pub chairs: u64,
    /// The share of seats that had the first place.
    pub wins: Share,
    /// `None` if none had a score.
    pub score: Option<Estimate>,
}

/// The count of one id.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulationTally {
    /// The id in the game's words.
    pub id: SmolStr,
    /// The count in all games.
    pub total: u64,
    /// The average count per game.
    pub per_game: f64,
    /// The share of the group's count.
    pub share: Share,
}

/// The count of an outcome by a clause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulingCount {
    /// The word of the outcome in a record.
    pub outcome: &'static str,
    pub clause: Clause,
    /// The count in all games.
    pub total: u64,
    /// The average count per game.
    pub per_game: f64,
}
