//! The speed of whole games: games per second on one core, on the fly and by sealed declarations; one
//! interview about a half-filled declaration; and the allocations per question.

use std::alloc::System;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::any::{RANDOM, policy};
use games::eitsuku::Eitsuku;
use rules::playout::{Room, declarations, quick, sealed};
use rules::{Contest, Declaration, Dice, Game, Key, Label, Offer, Policy, Reply, Seat, interview};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use kit::figures::{Figures, median, thousands};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SEATS: usize = 4;
/// Criterion's names of the measurements.
const GAMES: &str = "whole games of eitsuku, 4 seats, random";
const INTERVIEW: &str = "one interview, mid-game, half filled";
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

/// A policy that calls a function at each question.
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
    let mut group = criterion.benchmark_group(GAMES);
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

/// Returns a state in the middle of a game, and half of a player's declaration there.
fn half_filled() -> (Contest<Eitsuku>, Seat, Declaration) {
    let options = <Eitsuku as Game>::Options::default();
    let mut policies = random(1);
    let (mut contest, _) = Contest::open(&options, SEATS, dice(1, "bench")).expect("it deals");
    while contest.round().get() < 6 {
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
    criterion.bench_function(INTERVIEW, |bencher| {
        bencher.iter(|| interview::<Eitsuku>(contest.state(), seat, black_box(&half)));
    });
}

/// Reports the figures that criterion does not: games per second, the ratio, and allocations per question.
/// Reports nothing if the bench was only tested.
fn tell(_: &mut Criterion) {
    let of_games = |way| median(&format!("{GAMES}/{way}"));
    let (Ok(fast), Ok(slow)) = (of_games("quick"), of_games("sealed")) else { return };
    let mut figures = Figures::new("playout", "bench --bench playout");
    for (way, took) in [("quick", fast), ("sealed", slow)] {
        let what = format!("games in a second on one core, {way}, random players");
        figures.add([what, format!("{:.0}", 1e9 / took)]);
    }
    figures.add(["quick : sealed".to_owned(), format!("{:.1} : 1", slow / fast)]);
    let options = <Eitsuku as Game>::Options::default();
    let mut room = Room::default();
    let quickly = allocations(|game, policies| {
        quick(&options, &dice(game, "bench"), policies, &mut room, |_| {});
    });
    let by_seals = allocations(|game, policies| {
        let seal = |_: &Contest<Eitsuku>, _, declaration| Some(declaration);
        sealed(&options, dice(game, "bench"), policies, seal, |_, _| {}).expect("it ends");
    });
    for (way, (made, questions)) in [("quick", quickly), ("sealed", by_seals)] {
        let what = format!("allocations a question, {way}, of {} questions", thousands(questions));
        #[expect(clippy::cast_precision_loss, reason = "nothing is counted that far")]
        figures.add([what, format!("{:.2}", made as f64 / questions as f64)]);
    }
    if let Ok(interview) = median(INTERVIEW) {
        figures.add([INTERVIEW.to_owned(), format!("{:.1} µs", interview / 1e3)]);
    }
    figures.tell().expect("the figures have their place");
}

/// Returns the numbers of allocations and of questions in steady state: from the first to the last question
/// of the games.
fn allocations(mut play: impl FnMut(u64, &mut Policies)) -> (usize, usize) {
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
    (made, questions)
}

criterion_group!(benches, whole_games, interviews, tell);
criterion_main!(benches);
