//! What was counted comes to this.

use serde::Serialize;
use smol_str::SmolStr;

use super::distribution::{Share, Spread};
use rules::Clause;

/// What the statistics come to: the `statistics` of `shimekiri simulate --json`, whose field
/// names are those below. Numbers that no game gives any value for are `null`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The number of games that were played.
    pub games: u64,
    /// The numbers of those that came to no end. They count in tallies, rulings and questions only.
    pub unfinished: Vec<u64>,
    /// How many root windows a game had, the deal included.
    pub windows: Option<Spread>,
    /// The scores of all seats.
    pub scores: Option<Spread>,
    /// The number of seats that were ranked without a score.
    pub unscored: u64,
    /// In how many games everybody shared the first place: in all, where all win or lose together.
    pub shared: u64,
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
    pub scores: Option<Spread>,
}

/// What a game counts of one group, the most frequent first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    pub group: &'static str,
    /// Its members that came up.
    pub members: Vec<SimulationTally>,
}

/// How often something came up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulationTally {
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
    pub clause: Clause,
    /// In all games.
    pub total: u64,
    /// In a game on average.
    pub per_game: f64,
}
