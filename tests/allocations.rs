//! The number of allocations of play-outs. A program without the test harness: the heap counts what
//! every thread allocates, and the harness has a thread of its own.

use std::alloc::System;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use games::any::{RANDOM, policy};
use games::eitsuku::Eitsuku;
use games::eitsuku::state::{Options, State};
use rules::playout::{Room, quick, sealed};
use rules::{Dice, Key, Label, Offer, Policy, Reply, Seat};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The number of allocations before the first and the last question of a game, and how many
/// questions there were.
#[derive(Default)]
struct Counts {
    first: AtomicUsize,
    last: AtomicUsize,
    asked: AtomicUsize,
}

/// A policy that counts when it is asked.
struct Counting(Box<dyn Policy<Eitsuku>>, Arc<Counts>);

impl Policy<Eitsuku> for Counting {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> State) {
        self.0.begin(seat, look);
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        let stats = INSTRUMENTED_SYSTEM.stats();
        let now = stats.allocations + stats.reallocations;
        if self.1.asked.fetch_add(1, Relaxed) == 0 {
            self.1.first.store(now, Relaxed);
        }
        self.1.last.store(now, Relaxed);
        self.0.reply(offer)
    }
}

/// The number of allocations in games that are played like this, between the first question and
/// the last, and how many questions that are.
fn count(mut play: impl FnMut(Dice, &mut [Box<dyn Policy<Eitsuku>>])) -> (usize, usize) {
    let (mut made, mut questions) = (0, 0);
    // Data is read once, in the first game.
    for game in 0..=60 {
        let counts = Arc::<Counts>::default();
        let dice = Dice::new([game; 32], "allocations");
        let chance = dice.of_window(0, 8);
        let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
        let random = |seat| policy(RANDOM, stream(seat)).expect("every game has it");
        let counting =
            |seat| Box::new(Counting(random(seat), Arc::clone(&counts))) as Box<dyn Policy<_>>;
        let mut policies: Vec<_> = Seat::all(4).map(counting).collect();
        play(dice, &mut policies);
        if game > 0 {
            made += counts.last.load(Relaxed) - counts.first.load(Relaxed);
            questions += counts.asked.load(Relaxed);
        }
    }
    assert!(questions > 10_000, "{questions}");
    (made, questions)
}

fn main() {
    let options = Options::default();
    let mut room = Room::default();
    let (made, _) = count(|dice, policies| {
        quick(&options, &dice, policies, &mut room, |_| {});
    });
    assert_eq!(made, 0, "on the fly");
    let (made, questions) = count(|dice, policies| {
        sealed(&options, dice, policies, |_, _, said| Some(said), |_, _| {}).expect("it ends");
    });
    assert!(made * 10 <= questions * 14, "sealed: {made} for {questions} questions");
}
