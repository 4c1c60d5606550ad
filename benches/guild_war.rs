//! The speed of ギルドウォー: whole games, decks of one's own, and sets of cards.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use games::any::{RANDOM, policy};
use games::find;
use games::guild_war::GuildWar;
use games::guild_war::set::TableSet;
use rules::playout::{Room, quick};
use rules::{Answer, Contest, Declaration, Dice, Game, Key, Label, Piece, Seat, Value, interview};

use kit::figures::{Figures, median};

const SEATS: usize = 6;
/// The number of cards of the large set.
const CARDS: usize = 1_000;
/// Criterion's names of the measurements.
const GAMES: &str = "whole 3on3 games of guild_war, quick";
const DECK: &str = "the form of the first window with a deck of one's own";
const SETS: &str = "sets of guild_war";

fn dice(game: u64, of: &str) -> Dice {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&game.to_le_bytes());
    Dice::new(seed, of)
}

fn play(game: u64, name: &str, room: &mut Room<GuildWar>) -> usize {
    let chance = dice(game, "policies").of_window(0, 0);
    let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
    let policies = Seat::all(SEATS).map(|seat| policy(name, stream(seat)).expect("it exists"));
    let options = <GuildWar as Game>::Options::default();
    let mut policies: Vec<_> = policies.collect();
    quick(&options, &dice(game, "bench"), &mut policies, room, |_| {}).standing.len()
}

fn whole_games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(GAMES);
    for name in [RANDOM, "house"] {
        let (mut room, mut game) = (Room::default(), 0);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                game += 1;
                play(black_box(game), name, &mut room)
            });
        });
    }
    group.finish();
}

/// Returns a draft with the first ready-made deck of the built-in set, written by hand.
fn written_deck() -> Declaration {
    let set = TableSet::default();
    let line = set.lines().next().expect("a set has lines");
    let names = set.deck(line).map(|card| card.id());
    let lexicon = find("guild_war").expect("it is a game").lexicon();
    let lines = names.map(|id| format!("1 {}\n", lexicon.name(&id, rules::text::Lang::Ja)));
    let mut draft = Declaration::default();
    draft.set(Key::new("deck", "line"), Answer::Given(Value::Choice(line.id())));
    let text = Value::Text(lines.collect());
    draft.set(Key::new("own-deck", "cards"), Answer::Given(text));
    draft
}

fn decks(criterion: &mut Criterion) {
    let options = <GuildWar as Game>::Options::default();
    let opened = Contest::<GuildWar>::open(&options, SEATS, dice(1, "bench"));
    let (contest, _) = opened.expect("it deals");
    let (seat, draft) = (contest.asked()[0], written_deck());
    let found = interview::<GuildWar>(contest.state(), seat, &draft);
    assert!(found.faults.is_empty(), "{:?}", found.faults);
    criterion.bench_function(DECK, |bencher| {
        bencher.iter(|| interview::<GuildWar>(contest.state(), seat, black_box(&draft)));
    });
}

/// Returns the text of the built-in set.
fn built_in() -> &'static str {
    let sets = find("guild_war").and_then(games::any::AnyGame::sets).expect("its cards are data");
    &sets.offered()[0].text
}

/// Returns the built-in set with skills up to [`CARDS`] cards.
fn large_set() -> String {
    let mut text = built_in().to_owned();
    let known = TableSet::default().cards().count();
    for number in known..CARDS {
        let skill = format!(
            "\n[[skill]]\nid = \"more-{number}\"\nname = {{ ja = \"技その{number}\", en = \"Skill No {number}\" }}\n\
             line = \"sword\"\nframe = 1\nscope = \"one-enemy\"\n\
             effect = [{{ attack = {{ with = \"atk\", percent = 130, damage = 3 }} }}]\n"
        );
        text.write_str(&skill).expect("a string takes any text");
    }
    text
}

fn sets(criterion: &mut Criterion) {
    let sets = find("guild_war").and_then(games::any::AnyGame::sets).expect("its cards are data");
    let mut group = criterion.benchmark_group(SETS);
    group.sample_size(20);
    for (name, text) in [("built-in", built_in().to_owned()), ("large", large_set())] {
        assert!(sets.check("set.toml", &text).is_empty(), "{name}");
        group.bench_with_input(BenchmarkId::from_parameter(name), &text, |bencher, text| {
            bencher.iter(|| sets.check("set.toml", black_box(text)));
        });
    }
    group.finish();
}

/// Reports the figures. Reports nothing if the bench was only tested.
fn tell(_: &mut Criterion) {
    let games = |name: &str| median(&format!("{GAMES}/{name}"));
    let (Ok(random), Ok(house)) = (games(RANDOM), games("house")) else { return };
    let mut figures = Figures::new("guild_war", "bench --bench guild_war");
    for (name, took) in [(RANDOM, random), ("house", house)] {
        let what = format!("3on3 games in a second on one core, quick, `{name}`");
        figures.add([what, format!("{:.0}", 1e9 / took)]);
    }
    if let Ok(took) = median(DECK) {
        let what = "decks of one's own checked in a second, each with the whole form of its window";
        figures.add([what.to_owned(), format!("{:.0}", 1e9 / took)]);
    }
    for (name, what) in [("built-in", "the built-in set"), ("large", "a set of 1,000 cards")] {
        if let Ok(took) = median(&format!("{SETS}/{name}")) {
            figures.add([format!("{what} read and checked"), format!("{:.1} ms", took / 1e6)]);
        }
    }
    figures.tell().expect("the figures have their place");
}

criterion_group!(benches, whole_games, decks, sets, tell);
criterion_main!(benches);
