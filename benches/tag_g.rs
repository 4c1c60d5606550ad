//! The speed of タッグルールG: whole games, the form of a large turn, and the set of cards.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use games::any::{AnyGame, RANDOM, policy};
use games::find;
use games::tag_g::TagG;
use games::tag_g::cards::{Card, TableSet};
use games::tag_g::state::{Permanent, State, WindowStage};
use games::tag_g::things::Unit;
use rules::playout::{Room, quick, sealed};
use rules::{Contest, Declaration, Dice, Game, Key, Label, Policy, Seat, interview};

use kit::figures::{Figures, median};

const SEATS: usize = 4;
/// The cards in hand and the summons of the large turn.
const HELD: usize = 10;
const SUMMONS: usize = 6;
/// Criterion's names of the measurements.
const GAMES: &str = "whole 2v2 games of tag_g";
const TURN: &str = "the form of a turn of tag_g";
const SET: &str = "the set of tag_g";

fn dice(game: u64, of: &str) -> Dice {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&game.to_le_bytes());
    Dice::new(seed, of)
}

fn policies(game: u64, name: &str) -> Vec<Box<dyn Policy<TagG>>> {
    let chance = dice(game, "policies").of_window(0, 0);
    let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
    Seat::all(SEATS).map(|seat| policy(name, stream(seat)).expect("it exists")).collect()
}

fn play_quick(game: u64, name: &str, room: &mut Room<TagG>) -> usize {
    let options = <TagG as Game>::Options::default();
    quick(&options, &dice(game, "bench"), &mut policies(game, name), room, |_| {}).standing.len()
}

fn play_sealed(game: u64) -> usize {
    let options = <TagG as Game>::Options::default();
    let seal = |_: &Contest<TagG>, _, declaration| Some(declaration);
    let mut policies = policies(game, RANDOM);
    let played = sealed(&options, dice(game, "bench"), &mut policies, seal, |_, _| {});
    played.map_or(0, |played| played.standing.len())
}

fn whole_games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(GAMES);
    for name in [RANDOM, "house"] {
        let (mut room, mut game) = (Room::default(), 0);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                game += 1;
                play_quick(black_box(game), name, &mut room)
            });
        });
    }
    let mut game = 0;
    group.sample_size(20).bench_function("sealed", |bencher| {
        bencher.iter(|| {
            game += 1;
            play_sealed(black_box(game))
        });
    });
    group.finish();
}

/// Returns a turn of the first seat with ten cards in hand and six summons in play.
fn large_turn() -> State {
    let options = <TagG as Game>::Options::default();
    let opened = Contest::<TagG>::open(&options, SEATS, dice(1, "bench"));
    let (contest, _) = opened.expect("the form of the setup needs no die");
    let seat = Seat::new(0);
    let mut state = contest.state().clone();
    let deck = TableSet::default().decks().next().expect("a set has decks");
    (state.stage, state.turn.seat, state.turn.number) = (WindowStage::Turn, seat, 3);
    for (_, player) in state.players.iter_mut() {
        player.character = Some(deck.character());
        player.stamina = deck.cards().map(Some).collect();
    }
    state.players[seat].hand = deck.cards().take(HELD).map(Some).collect();
    let summon = TableSet::default().cards().find(|card: &Card| card.summon().is_some());
    let card = summon.expect("a set has summons");
    state.field = (1..=SUMMONS)
        .map(|number| Permanent {
            unit: Unit { card, number: u8::try_from(number).expect("there are few") },
            owner: seat,
            controller: seat,
            worn_by: None,
            damage: 0,
            attacked: false,
            blocked: false,
            aimed: false,
            let_go: false,
        })
        .collect();
    state
}

fn turn(criterion: &mut Criterion) {
    let (state, draft) = (large_turn(), Declaration::default());
    let found = interview::<TagG>(&state, Seat::new(0), &draft);
    assert!(found.is_asking(), "{found:?}");
    criterion.bench_function(TURN, |bencher| {
        bencher.iter(|| interview::<TagG>(&state, Seat::new(0), black_box(&draft)));
    });
}

fn set(criterion: &mut Criterion) {
    let sets = find("tag_g").and_then(AnyGame::sets).expect("its cards are data");
    let text = &sets.offered()[0].text;
    assert!(sets.check("set.toml", text).is_empty());
    criterion.bench_function(SET, |bencher| {
        bencher.iter(|| sets.check("set.toml", black_box(text)));
    });
}

/// Reports the figures. Reports nothing if the bench was only tested.
fn tell(_: &mut Criterion) {
    let games = |name: &str| median(&format!("{GAMES}/{name}"));
    let (Ok(random), Ok(house), Ok(sealed)) = (games(RANDOM), games("house"), games("sealed"))
    else {
        return;
    };
    let mut figures = Figures::new("tag_g", "bench --bench tag_g");
    for (name, took) in
        [("quick, `random`", random), ("quick, `house`", house), ("sealed, `random`", sealed)]
    {
        let what = format!("2v2 games in a second on one core, {name}");
        figures.add([what, format!("{:.0}", 1e9 / took)]);
    }
    figures.add(["quick : sealed".to_owned(), format!("{:.1}", sealed / random)]);
    if let Ok(took) = median(TURN) {
        let what = format!("the form of a turn with {HELD} cards and {SUMMONS} summons");
        figures.add([what, format!("{:.2} ms", took / 1e6)]);
    }
    if let Ok(took) = median(SET) {
        figures
            .add(["the built-in set read and checked".to_owned(), format!("{:.1} ms", took / 1e6)]);
    }
    figures.tell().expect("the figures have their place");
}

criterion_group!(benches, whole_games, turn, set, tell);
criterion_main!(benches);
