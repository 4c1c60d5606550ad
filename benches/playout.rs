//! How fast games are played out: whole games a second on one core, on the fly and by sealed
//! declarations; one look at a half-filled declaration; and what a question costs in memory.

use std::alloc::System;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shimekiri::games::any::{RANDOM, policy};
use shimekiri::games::eitsuku::Eitsuku;
use shimekiri::rules::playout::{Room, declarations, quick, sealed};
use shimekiri::rules::{
    Contest, Declaration, Dice, Game, Key, Label, Offer, Policy, Reply, Seat, interview,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SEATS: usize = 4;
type Policies = Vec<Box<dyn Policy<Eitsuku>>>;

fn dice(game: u64, of: &str) -> Dice {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&game.to_le_bytes());
    Dice::new(seed, of)
}

fn random(game: u64) -> Policies {
    let chance = dice(game, "policies").of_window(0, 0);
    let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
    Seat::all(SEATS).map(|seat| policy(RANDOM, stream(seat)).expect("every game has it")).collect()
}

fn play_quick(game: u64, room: &mut Room<Eitsuku>) -> usize {
    let options = <Eitsuku as Game>::Options::default();
    let played = quick(&options, &dice(game, "bench"), &mut random(game), room, |_| {});
    played.standing.len()
}

fn play_sealed(game: u64) -> usize {
    let options = <Eitsuku as Game>::Options::default();
    let seal = |_: &Contest<Eitsuku>, _, declaration| Some(declaration);
    let played = sealed(&options, dice(game, "bench"), &mut random(game), seal, |_, _| {});
    played.map_or(0, |played| played.standing.len())
}

/// A policy that notes each question it is asked.
struct Noting<F>(Box<dyn Policy<Eitsuku>>, F);

impl<F: FnMut() + Send> Policy<Eitsuku> for Noting<F> {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> <Eitsuku as Game>::State) {
        self.0.begin(seat, look);
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        (self.1)();
        self.0.reply(offer)
    }
}

fn whole_games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("whole games of eitsuku, 4 seats, random");
    group.throughput(Throughput::Elements(1));
    let (mut room, mut game) = (Room::default(), 0);
    group.bench_function("quick", |bencher| {
        bencher.iter(|| {
            game += 1;
            play_quick(black_box(game), &mut room)
        });
    });
    group.bench_function("sealed", |bencher| {
        bencher.iter(|| {
            game += 1;
            play_sealed(black_box(game))
        });
    });
    group.finish();
}

/// A state in the middle of a game, and half of what somebody declares there.
fn half_filled() -> (Contest<Eitsuku>, Seat, Declaration) {
    let options = <Eitsuku as Game>::Options::default();
    let mut policies = random(1);
    let (mut contest, _) = Contest::open(&options, SEATS, dice(1, "bench")).expect("it deals");
    while contest.window() < 6 {
        let declared = declarations(&contest, &mut policies);
        contest.close(declared).expect("it goes on");
    }
    let seat = contest.asked()[0];
    let declared = declarations(&contest, &mut policies);
    let all = declared[seat].as_ref().expect("who is asked declares");
    let mut half = Declaration::default();
    for (key, answer) in all.iter().step_by(2) {
        half.set(key.clone(), answer.clone());
    }
    (contest, seat, half)
}

fn interviews(criterion: &mut Criterion) {
    let (contest, seat, half) = half_filled();
    criterion.bench_function("one interview, mid-game, half filled", |bencher| {
        bencher.iter(|| interview::<Eitsuku>(contest.state(), seat, black_box(&half)));
    });
}

/// What criterion does not say: the ratio, and allocations for each question.
fn figures(_: &mut Criterion) {
    let mut room = Room::default();
    let rate = |mut play: Box<dyn FnMut(u64) + '_>| {
        let (begun, mut games) = (Instant::now(), 0_u32);
        while begun.elapsed() < Duration::from_secs(2) {
            play(u64::from(games));
            games += 1;
        }
        f64::from(games) / begun.elapsed().as_secs_f64()
    };
    let fast = rate(Box::new(|game| {
        play_quick(game, &mut room);
    }));
    let slow = rate(Box::new(|game| {
        play_sealed(game);
    }));
    say(&format!("games a second: quick {fast:.0}, sealed {slow:.0}, ratio {:.1}", fast / slow));
    allocations(&mut room);
}

/// In steady state: from the first to the last question of games played before in the same room,
/// and of games by sealed declarations.
fn allocations(room: &mut Room<Eitsuku>) {
    let options = <Eitsuku as Game>::Options::default();
    let quickly = allocations_of(|game, policies| {
        quick(&options, &dice(game, "bench"), policies, room, |_| {});
    });
    say(&format!("allocations in quick play: {quickly}"));
    let by_seals = allocations_of(|game, policies| {
        let seal = |_: &Contest<Eitsuku>, _, declaration| Some(declaration);
        sealed(&options, dice(game, "bench"), policies, seal, |_, _| {}).expect("it ends");
    });
    say(&format!("allocations in sealed play: {by_seals}"));
}

fn allocations_of(mut play: impl FnMut(u64, &mut Policies)) -> String {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    let count = || {
        let stats = INSTRUMENTED_SYSTEM.stats();
        stats.allocations + stats.reallocations
    };
    let (first, last, asked) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(0)),
    );
    let (mut questions, mut made) = (0, 0);
    for game in 0..1000 {
        let note = || {
            let (first, last, asked) = (Arc::clone(&first), Arc::clone(&last), Arc::clone(&asked));
            move || {
                let now = count();
                if asked.fetch_add(1, Relaxed) == 0 {
                    first.store(now, Relaxed);
                }
                last.store(now, Relaxed);
            }
        };
        asked.store(0, Relaxed);
        let noting = |policy| Box::new(Noting(policy, note())) as Box<dyn Policy<Eitsuku>>;
        let mut policies: Policies = random(game).into_iter().map(noting).collect();
        play(game, &mut policies);
        questions += asked.load(Relaxed);
        made += last.load(Relaxed) - first.load(Relaxed);
    }
    format!("{made} for {questions} questions")
}

#[expect(clippy::print_stdout, reason = "figures are what a bench is for")]
fn say(line: &str) {
    println!("{line}");
}

criterion_group!(benches, whole_games, interviews, figures);
criterion_main!(benches);
