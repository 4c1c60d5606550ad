//! The contents of a closed hand are sent to nobody else.
//!
//! Two worlds differ only in the cards of one seat at each table: the same people do the same in both, and
//! everybody else receives the same bytes until the rules reveal something. A word for chance makes both
//! programs draw the same.

mod evening;
mod hiding;
mod pair;
mod stages;
mod world;

use std::{collections::BTreeMap, ops::Range, process::Command, time::Duration};

use futures_util::future::join_all;
use games::GAMES;

use double::{Discord, Locale, Settings};
use hiding::HIDING;
use kit::program::shimekiri;
use pair::{Pair, came_to};
use world::{World, exchange};

/// The number of pairs of games in the suite; `SECRECY_PAIRS=200` sets another.
const PAIRS: usize = 10;

/// The number of pairs with pictures, which take long in a debug build.
const DRAWN: usize = 2;

/// The maximum number of tables of one program, which sends at most 50 requests per second to Discord.
const AT_A_PROGRAM: usize = 50;

/// Returns the number of pairs in `SECRECY_PAIRS`, or else `supposed`.
fn asked_pairs(supposed: usize) -> usize {
    std::env::var("SECRECY_PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(supposed)
}

/// The bytes that a person received, by the place and by whether they were private.
type Came = BTreeMap<(String, bool), Vec<u8>>;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_on_the_wire_depends_on_anothers_cards() {
    let count = asked_pairs(PAIRS);
    let drawn = evening_of(0..count.min(DRAWN), true).await;
    let programs = (DRAWN..count).step_by(AT_A_PROGRAM);
    let plain = programs.map(|first| evening_of(first..count.min(first + AT_A_PROGRAM), false));
    let revealed = drawn + join_all(plain).await.into_iter().sum::<usize>();
    assert!(3 * revealed < count, "{revealed} windows of {count} had to stay open");
}

#[test]
fn no_game_is_without_its_pairs() {
    let games: Vec<_> = GAMES.iter().map(|game| game.key()).collect();
    assert_eq!(games, HIDING.map(|hiding| hiding.game));
}

fn serving(url: &str) -> Command {
    shimekiri(url, "serve --lang en")
}

/// Plays the pairs of games, and compares the received bytes. Returns the number of windows that had to stay
/// open, since their close would have revealed something.
async fn evening_of(numbers: Range<usize>, drawn: bool) -> usize {
    let patience = Duration::from_mins(1);
    let here = Discord::start_with(Settings { patience, ..Settings::default() });
    let onlooker = here.person("onlooker", Locale::En);
    let word = format!("secrecy from {}", numbers.start);
    let (database, pairs) = pair::prepare(&here, numbers).await;
    let there = here.twin();
    let other = database.copy().await;
    exchange(&other, pairs.iter().map(|pair| &pair.twin)).await;
    let (here, there) = tokio::join!(
        World::start(here, database, &onlooker, serving, &word, drawn),
        World::start(there, other, &onlooker, serving, &word, drawn),
    );
    let evening = |world, line| evening::pass(world, &pairs, line);
    tokio::join!(evening(&here, "all on P2"), evening(&there, "guard me in this one"));
    for pair in &pairs {
        compare(pair, &here, &there);
    }
    pairs.iter().filter(|pair| !pair.closes).count()
}

fn compare(pair: &Pair, here: &World, there: &World) {
    let mut differs = false;
    for person in pair.others().chain([&here.onlooker]) {
        let came = |world: &World| came_to(&pair.code, &world.discord.also(person));
        let (one, other) = (came(here), came(there));
        if pair.open {
            differs |= one != other;
            continue;
        }
        same_to(&one, &other, &format!("{}: {pair:?}", person.name()));
    }
    // With open hands, the exchanged cards are visible.
    assert_eq!(differs, pair.open, "{pair:?}");
}

/// Compares the bytes that a person received in both worlds.
fn same_to(here: &Came, there: &Came, who: &str) {
    let places: Vec<_> = here.keys().collect();
    assert_eq!(places, there.keys().collect::<Vec<_>>(), "{who}");
    for (place, bytes) in here {
        same(bytes, &there[place], &format!("{place:?}, {who}"));
    }
}

/// Compares two records, and panics with the first line that differs.
fn same(here: &[u8], there: &[u8], what: &str) {
    if here == there {
        return;
    }
    let lines = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (here, there) = (lines(here), lines(there));
    let at = here.iter().zip(&there).position(|(here, there)| here != there);
    let at = at.unwrap_or(here.len().min(there.len()));
    panic!("{what}\nline {at}\nhere:  {:?}\nthere: {:?}", here.get(at), there.get(at));
}
