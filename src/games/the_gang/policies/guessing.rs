//! G5.13: guesses about the hand of the highest red chip.

use super::super::cards::{Card, Value};
use super::super::ranking::{Hand, Ranking};
use super::super::showdown::is_muscle;
use super::super::state::{About, Guess, Player, State, Street, WindowStage};
use super::known::KnownToAll;

/// Chooses a guess: the most frequent so far, among equals that of the first seat; otherwise the likeliest by
/// public knowledge, so that equal policies give the same guess.
pub(super) fn guess(view: &State) -> Option<Guess> {
    let WindowStage::Guessing { about } = view.stage else { return None };
    let given = || view.players.iter().filter_map(|(_, player)| player.guess);
    let votes = |guess: Guess| given().filter(|other| *other == guess).count();
    // `max_by_key` returns the last of equal elements, so the order is reversed.
    given().rev().max_by_key(|guess| votes(*guess)).or_else(|| likeliest(view, about))
}

/// The likeliest guess, given the chips and the shown hands, if the heist is to succeed.
fn likeliest(view: &State, about: About) -> Option<Guess> {
    let known = KnownToAll::of(view);
    let last = view.highest(Street::River)?;
    let shown = || view.players.iter().filter(|(_, player)| player.shown);
    let pocket =
        |player: &Player| -> Vec<Card> { player.pocket.iter().flatten().copied().collect() };
    let bar = shown()
        .filter_map(|(seat, player)| known.outlook.level(&pocket(player), is_muscle(view, seat)));
    let bar = bar.max().unwrap_or(0);
    let seen: Vec<Card> = shown().flat_map(|(_, player)| pocket(player)).collect();
    let mut values = [0.0; Value::ALL.len()];
    let mut rankings = [0.0; Ranking::ALL.len()];
    for (index, level, likely) in known.likely(last) {
        let pocket = &known.outlook.pockets()[index];
        if level < bar || pocket.iter().any(|card| seen.contains(card)) {
            continue;
        }
        let hand: Hand = pocket.iter().chain(&view.board).copied().collect();
        rankings[hand.strength().ranking().index()] += likely;
        for value in
            Value::ALL.iter().filter(|value| pocket.iter().any(|card| card.value() == **value))
        {
            values[value.index()] += likely;
        }
    }
    match about {
        About::Value => most(&values).map(|index| Guess::Value(Value::ALL[index])),
        About::Ranking => most(&rankings).map(|index| Guess::Ranking(Ranking::ALL[index])),
    }
}

/// The index of the largest number.
fn most(likely: &[f64]) -> Option<usize> {
    (0..likely.len()).max_by(|&a, &b| likely[a].total_cmp(&likely[b]))
}
