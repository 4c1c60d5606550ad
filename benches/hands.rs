//! The speed of ranking hands of seven cards (G3.3): the game's own ranking compared with `aya_poker`, which
//! uses lookup tables and supports neither eight cards nor the suitless jack. Both build the hand from its
//! cards.

use std::hint::black_box;

use aya_poker::base::{CARDS, Card as TheirCard, Hand as TheirHand};
use aya_poker::poker_rank;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::the_gang::cards::{Card, Suit, Value};
use games::the_gang::ranking::Hand;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use kit::figures::{Figures, median};

const HANDS: usize = 100_000;

/// Returns random hands, as indices in a deck by value and suit.
fn hands() -> Vec<[usize; 7]> {
    let mut chance = SmallRng::seed_from_u64(7);
    let mut deck: Vec<usize> = (0..52).collect();
    let mut deal = || {
        std::array::from_fn(|place| {
            deck.swap(place, chance.random_range(place..52));
            deck[place]
        })
    };
    (0..HANDS).map(|_| deal()).collect()
}

fn ranking(criterion: &mut Criterion) {
    let hands = hands();
    let card = |at: usize| Card::Of(Suit::ALL[at % 4], Value::ALL[at / 4]);
    let ours: Vec<[Card; 7]> = hands.iter().map(|hand| hand.map(card)).collect();
    let theirs: Vec<[TheirCard; 7]> = hands.iter().map(|hand| hand.map(|at| CARDS[at])).collect();

    let mut group = criterion.benchmark_group("hands");
    group.throughput(Throughput::Elements(HANDS as u64));
    group.bench_function("ours", |bencher| {
        bencher.iter(|| {
            for cards in &ours {
                black_box(cards.iter().copied().collect::<Hand>().strength());
            }
        });
    });
    group.bench_function("aya_poker", |bencher| {
        bencher.iter(|| {
            for cards in &theirs {
                let mut hand = TheirHand::new();
                for card in cards {
                    hand.insert_unchecked(card);
                }
                black_box(poker_rank(&hand));
            }
        });
    });
    group.finish();
}

/// Reports the figures that criterion does not: the hands per second, and the ratio. Reports nothing if the
/// bench was only tested.
fn tell(_: &mut Criterion) {
    let (Ok(ours), Ok(theirs)) = (median("hands/ours"), median("hands/aya_poker")) else { return };
    #[expect(clippy::cast_precision_loss, reason = "nothing is counted that far")]
    let millions = |nanoseconds: f64| format!("{:.1} million", 1e3 * HANDS as f64 / nanoseconds);
    let mut figures = Figures::new("hands", "bench --bench hands");
    figures.add(["hands of seven cards ranked in a second, one core".to_owned(), millions(ours)]);
    figures.add(["the same by aya_poker".to_owned(), millions(theirs)]);
    figures.add(["ours : theirs".to_owned(), format!("{:.2} : 1", theirs / ours)]);
    figures.tell().expect("the figures have their place");
}

criterion_group!(benches, ranking, tell);
criterion_main!(benches);
