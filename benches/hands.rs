//! How fast hands of seven cards are ranked (G3.3): ours beside `aya_poker`, which looks them up
//! in tables and knows neither eight cards nor the jack of no suit. Both put the hand together
//! from its cards.

use std::hint::black_box;

use aya_poker::base::{CARDS, Card as TheirCard, Hand as TheirHand};
use aya_poker::poker_rank;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shimekiri::games::the_gang::cards::{Card, Suit, Value};
use shimekiri::games::the_gang::ranking::Hand;

const HANDS: usize = 100_000;

/// Random hands, as places in a deck by value and suit.
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

criterion_group!(benches, ranking);
criterion_main!(benches);
