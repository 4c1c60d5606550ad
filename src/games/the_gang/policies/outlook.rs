//! The worth of pockets while cards are still to come.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::LazyLock;

use arrayvec::ArrayVec;

use super::super::cards::Card;
use super::super::ranking::{BEST, Hand};

/// The strength of a pocket: the share of all pockets that it beats, ties half, averaged over possible
/// boards; in parts of [`LEVELS`].
pub(super) type Level = u16;
/// The number of levels. On a whole board no two strengths share one.
pub(super) const LEVELS: usize = 4096;
/// The maximum number of pockets at which every rank and every tie still has its own level.
const POCKETS: usize = LEVELS / 2 - 1;
/// The maximum number of cached outlooks: those of a heist, and those before the flop.
const KEPT: usize = 6;

/// The cards that a player may hold.
pub(super) type GuessedPocket = ArrayVec<Card, 4>;

/// Every pocket of two cards (G1.2).
static PAIRS: LazyLock<Vec<GuessedPocket>> = LazyLock::new(|| combined(Card::deck().map(one)));

/// Evenly spread pockets of three cards (G5.10), at most [`POCKETS`].
static TRIPLES: LazyLock<Vec<GuessedPocket>> = LazyLock::new(|| {
    let all = combined(PAIRS.iter().cloned());
    let every = all.len().div_ceil(POCKETS);
    all.into_iter().step_by(every).collect()
});

fn one(card: Card) -> GuessedPocket {
    std::iter::once(card).collect()
}

/// Each pocket with each card that comes later in the deck.
fn combined(pockets: impl Iterator<Item = GuessedPocket>) -> Vec<GuessedPocket> {
    let with_more = |pocket: GuessedPocket| {
        let last = pocket.last().copied();
        let later = Card::deck().filter(move |card| last < Some(*card));
        later.map(move |card| pocket.iter().copied().chain([card]).collect())
    };
    pockets.flat_map(with_more).collect()
}

/// A possible final board.
#[derive(Debug)]
struct Future {
    board: Hand,
    /// The mights of the possible pockets on this board, each with its index, in ascending order.
    mights: Vec<(u32, usize)>,
}

impl Future {
    fn new(board: Hand, pockets: &[GuessedPocket]) -> Self {
        let mights = pockets.iter().enumerate();
        let mights = mights.filter_map(|(at, pocket)| Some((might(board, pocket, false)?, at)));
        let mut mights: Vec<(u32, usize)> = mights.collect();
        mights.sort_unstable();
        Self { board, mights }
    }

    /// The level of a pocket; `None` if one of its cards lies on the board.
    fn level(&self, pocket: &[Card], muscle: bool) -> Option<usize> {
        let own = might(self.board, pocket, muscle)?;
        let below = self.mights.partition_point(|(other, _)| *other < own);
        let alike = self.mights[below..].partition_point(|(other, _)| *other == own);
        self.level_of(below, alike)
    }

    /// The level of each stored pocket, by its index.
    fn levels(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut below = 0;
        let tiers = self.mights.chunk_by(|one, other| one.0 == other.0);
        tiers.flat_map(move |tier| {
            let level = self.level_of(below, tier.len());
            below += tier.len();
            tier.iter().filter_map(move |(_, at)| Some((*at, level?)))
        })
    }

    /// The level of a pocket with this number of pockets below and this number tied.
    fn level_of(&self, below: usize, alike: usize) -> Option<usize> {
        ((2 * below + alike) * (LEVELS - 1)).checked_div(2 * self.mights.len())
    }
}

/// The might at the showdown as a number in the same order; `None` if a card occurs twice.
fn might(board: Hand, pocket: &[Card], muscle: bool) -> Option<u32> {
    let mut hand = board;
    for &card in pocket {
        if hand.contains(card) {
            return None;
        }
        hand.insert(card);
    }
    let strength = hand.strength();
    let values = strength.values();
    let digit = |place| values.get(place).map_or(0, |value| *value as u32 + 1);
    let first = (strength.ranking() as u32) << 1 | u32::from(muscle);
    Some((0..BEST).fold(first, |number, place| number << 4 | digit(place)))
}

/// The worth of all pockets on a board.
#[derive(Debug)]
pub(super) struct Outlook {
    board: ArrayVec<Card, BEST>,
    /// The number of cards in a pocket.
    size: usize,
    futures: Vec<Future>,
    /// The level of every pocket, without the Muscle and with it.
    levels: [OnceCell<Vec<Option<Level>>>; 2],
}

impl Outlook {
    /// Computes the outlook for this board and pocket size, or takes it from the cache. All seats at a table
    /// use the same one.
    pub(super) fn of(board: &[Card], size: usize) -> Rc<Self> {
        thread_local! {
            static LAST: RefCell<Vec<Rc<Outlook>>> = const { RefCell::new(Vec::new()) };
        }
        LAST.with_borrow_mut(|last| {
            let is_it = |known: &Rc<Self>| known.size == size && known.board.as_slice() == board;
            if let Some(index) = last.iter().position(is_it) {
                return Rc::clone(&last[index]);
            }
            if last.len() == KEPT {
                let oldest = last.iter().position(|known| !known.board.is_empty());
                last.remove(oldest.unwrap_or(0));
            }
            last.push(Rc::new(Self::new(board, size)));
            Rc::clone(&last[last.len() - 1])
        })
    }

    fn new(board: &[Card], size: usize) -> Self {
        let futures = futures(board);
        let futures = futures.into_iter().map(|board| Future::new(board, pockets(size))).collect();
        let board = board.iter().copied().collect();
        Self { board, size, futures, levels: Default::default() }
    }

    /// The possible pockets, the same for every board.
    pub(super) fn pockets(&self) -> &'static [GuessedPocket] {
        pockets(self.size)
    }

    /// The level of each of the [pockets](Self::pockets), with the Muscle (G6.14) or without; `None` for an
    /// impossible pocket.
    pub(super) fn levels(&self, muscle: bool) -> &[Option<Level>] {
        let levels = || {
            if muscle {
                self.pockets().iter().map(|pocket| self.level(pocket, true)).collect()
            } else {
                self.plain_levels()
            }
        };
        self.levels[usize::from(muscle)].get_or_init(levels)
    }

    /// The [level](Self::level) of each pocket without the Muscle, computed together.
    fn plain_levels(&self) -> Vec<Option<Level>> {
        let mut all = vec![(0, 0); self.pockets().len()];
        for (at, level) in self.futures.iter().flat_map(Future::levels) {
            let (sum, count) = &mut all[at];
            (*sum, *count) = (*sum + level, *count + 1);
        }
        all.into_iter().map(|(sum, count)| average(sum, count)).collect()
    }

    /// The level of a pocket, with the Muscle (G6.14) or without; `None` if it is impossible.
    pub(super) fn level(&self, pocket: &[Card], muscle: bool) -> Option<Level> {
        let levels = self.futures.iter().filter_map(|future| future.level(pocket, muscle));
        let (sum, count) = levels.fold((0, 0), |(sum, count), level| (sum + level, count + 1));
        average(sum, count)
    }
}

/// The average level; `None` if the pocket is impossible on every board.
fn average(sum: usize, count: usize) -> Option<Level> {
    Level::try_from(sum.checked_div(count)?).ok()
}

fn pockets(size: usize) -> &'static [GuessedPocket] {
    if size > 2 { &TRIPLES } else { &PAIRS }
}

/// Possible final boards in which every card is about equally frequent: the rest of the deck is traversed in
/// steps that meet each card once.
fn futures(board: &[Card]) -> Vec<Hand> {
    let deck: Vec<Card> = Card::deck().filter(|card| !board.contains(card)).collect();
    let missing = BEST - board.len();
    let (steps, most): (&[usize], usize) = match missing {
        0 => return vec![board.iter().copied().collect()],
        1 => (&[5], 16),
        2 => (&[17], 16),
        // The outlook before the flop is computed once and stays in the cache.
        _ => (&[15, 17, 19, 21, 23, 25, 27, 29, 31, 33], usize::MAX),
    };
    let mut futures = Vec::new();
    for step in steps {
        let cards: Vec<Card> = (0..deck.len()).map(|at| deck[at * step % deck.len()]).collect();
        let more = cards.chunks_exact(missing).take(most);
        futures.extend(more.map(|more| board.iter().chain(more).copied().collect::<Hand>()));
    }
    futures
}

#[cfg(test)]
mod tests {
    use super::super::super::cards::{Suit::*, Value::*};
    use super::*;

    #[test]
    fn there_are_as_many_pockets_as_there_are() {
        assert_eq!(PAIRS.len(), 1326);
        assert_eq!(TRIPLES.len(), 22_100_usize.div_ceil(11));
        assert!(TRIPLES.iter().all(|pocket| pocket.len() == 3));
    }

    #[test]
    fn no_two_strengths_of_a_whole_board_share_a_level() {
        let board: Vec<Card> =
            [(Spades, Two), (Hearts, Nine), (Clubs, Jack), (Clubs, King), (Hearts, Ace)]
                .map(|(suit, value)| Card::Of(suit, value))
                .to_vec();
        let outlook = Outlook::of(&board, 2);
        let hand = |pocket: &GuessedPocket| board.iter().chain(pocket).copied().collect::<Hand>();
        let all = outlook.pockets().iter().zip(outlook.levels(false));
        let mut all: Vec<_> =
            all.filter_map(|(pocket, level)| Some((hand(pocket).strength(), (*level)?))).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|two| (two[0].0 == two[1].0) == (two[0].1 == two[1].1)));
        assert!(all.is_sorted_by_key(|(_, level)| *level));
    }

    #[test]
    fn all_at_once_are_worth_the_same_as_one_by_one() {
        let board = [(Spades, Two), (Hearts, Nine), (Clubs, Jack)];
        let outlook = Outlook::of(&board.map(|(suit, value)| Card::Of(suit, value)), 2);
        for (pocket, level) in outlook.pockets().iter().zip(outlook.levels(false)) {
            assert_eq!(outlook.level(pocket, false), *level, "{pocket:?}");
            let lies = pocket.iter().any(|card| outlook.board.contains(card));
            assert_eq!(level.is_none(), lies, "{pocket:?}");
        }
    }

    #[test]
    fn aces_promise_most() {
        let outlook = Outlook::of(&[], 2);
        let level = |cards: [(_, _); 2]| {
            outlook.level(&cards.map(|(suit, value)| Card::Of(suit, value)), false)
        };
        let aces = level([(Spades, Ace), (Hearts, Ace)]);
        assert!(aces > level([(Spades, King), (Hearts, King)]));
        assert!(level([(Spades, Ace), (Hearts, King)]) > level([(Spades, Seven), (Hearts, Two)]));
    }

    #[test]
    fn the_muscle_lifts_a_hand_over_its_ranking_but_not_over_the_next() {
        let board = [(Spades, Two), (Hearts, Nine), (Clubs, Jack), (Clubs, King), (Hearts, Ace)]
            .map(|(suit, value)| Card::Of(suit, value));
        let outlook = Outlook::of(&board, 2);
        let twos = [Card::Of(Hearts, Two), Card::Of(Clubs, Three)];
        let aces = [Card::Of(Spades, Ace), Card::Of(Spades, Queen)];
        let two_pair = [Card::Of(Spades, King), Card::Of(Spades, Jack)];
        assert!(outlook.level(&twos, false) < outlook.level(&aces, false));
        assert!(outlook.level(&twos, true) > outlook.level(&aces, false));
        assert!(outlook.level(&twos, true) < outlook.level(&two_pair, false));
    }
}
