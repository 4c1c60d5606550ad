//! The house policy for silent players (G2.5): the chip that fits a pocket best.

use super::cards::Card;
use super::ranking::Hand;
use super::state::Star;

/// The best percentile, in thousandths.
pub const BEST: u32 = 1000;

/// The share, in thousandths, of all opposing pockets of two cards that a pocket beats on this board, ties
/// half. Before the flop, pockets are compared by `promise`.
pub fn percentile(pocket: &[Card], board: &[Card]) -> u32 {
    let known: Hand = pocket.iter().chain(board).copied().collect();
    let public: Hand = board.iter().copied().collect();
    let unseen: Vec<Card> = Card::deck().filter(|card| !known.contains(*card)).collect();
    let own = known.strength();
    let before = promise(pocket);
    let (mut points, mut pockets) = (0, 0);
    for (index, &first) in unseen.iter().enumerate() {
        for &second in &unseen[..index] {
            let order = if board.is_empty() {
                before.cmp(&promise(&[first, second]))
            } else {
                let mut other = public;
                other.extend([first, second]);
                own.cmp(&other.strength())
            };
            // A win counts two points, a tie one.
            points += u32::from((order as i8 + 1).unsigned_abs());
            pockets += 2;
        }
    }
    (points * BEST).checked_div(pockets).unwrap_or(BEST / 2)
}

/// The rank of a pocket before the flop, meaningful in comparisons only: high cards count, the highest twice;
/// a pair as much as ten higher cards; cards of one suit and close cards a little. The best two of three
/// cards count.
fn promise(pocket: &[Card]) -> u32 {
    let two = |first: Card, second: Card| {
        let (a, b) = (first.value().index(), second.value().index());
        let (high, low) = (a.max(b), a.min(b));
        let pair = if a == b { 22 } else { 0 };
        let suited = u32::from(first.suit().is_some() && first.suit() == second.suit()) * 3;
        let close = if a == b { 0 } else { 4_usize.saturating_sub(high - low) };
        u32::try_from(2 * high + low + pair + close).expect("a handful") + suited
    };
    let pairs = pocket
        .iter()
        .enumerate()
        .flat_map(|(index, &first)| pocket[..index].iter().map(move |&second| two(first, second)));
    pairs.max().unwrap_or(0)
}

/// `None` if no chip is left; otherwise the remaining chip nearest to a percentile. Chip s of n stands for
/// the s-th of n equal shares, and of two equally near chips the lower is taken.
///
/// # Panics
/// If this number of players cannot play.
pub fn nearest(percentile: u32, players: usize, left: &[Star]) -> Option<Star> {
    let doubled = 2 * percentile * u32::try_from(players).expect("at most six");
    let distance = |star: &Star| ((2 * u32::from(star.get()) - 1) * BEST).abs_diff(doubled);
    left.iter().copied().min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::super::cards::{Card, Suit::*, Value::*};
    use super::*;

    #[test]
    fn aces_are_the_best_pocket_and_a_low_one_is_not() {
        let aces = percentile(&[Card::Of(Spades, Ace), Card::Of(Hearts, Ace)], &[]);
        let low = percentile(&[Card::Of(Spades, Two), Card::Of(Hearts, Seven)], &[]);
        assert!(aces > 990, "{aces}");
        assert!(low < 150, "{low}");
    }

    #[test]
    fn the_nuts_beat_every_other_pocket() {
        let board = [Ten, Jack, Queen].map(|value| Card::Of(Spades, value));
        let royal = [Card::Of(Spades, King), Card::Of(Spades, Ace)];
        assert_eq!(percentile(&royal, &board), BEST);
        let board = [Ten, Jack, Queen, King, Ace].map(|value| Card::Of(Spades, value));
        let all_tie = [Card::Of(Hearts, Two), Card::Of(Clubs, Two)];
        assert_eq!(percentile(&all_tie, &board), BEST / 2);
    }

    #[test]
    fn the_chip_is_the_nearest_that_is_left() {
        let stars: Vec<Star> = Star::all(4).collect();
        let near = |percentile, left: &[Star]| nearest(percentile, 4, left).map(Star::get);
        assert_eq!(near(0, &stars), Some(1));
        assert_eq!(near(500, &stars), Some(2));
        assert_eq!(near(1000, &stars), Some(4));
        assert_eq!(near(1000, &stars[..2]), Some(2));
        assert_eq!(near(1000, &[]), None);
    }
}
