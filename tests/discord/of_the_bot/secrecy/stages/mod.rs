//! The test of secrecy over a game with windows of several kinds: the holder of the card that answers a
//! strike, and answers by standing orders, are revealed to nobody else, neither by the contents nor by the
//! time of a message.

mod evening;
mod program;
mod table;

use std::time::Duration;

use crate::of_the_bot::now;
use crate::of_the_bot::secrecy::pair::came_to;
use crate::of_the_bot::secrecy::world::{World, exchange};
use crate::of_the_bot::secrecy::{AT_A_PROGRAM, asked_pairs, same_to};
use double::{Discord, Locale, Person, Settings};
use evening::Step;
use table::{Difference, Table};

/// The number of tables in the suite; `SECRECY_PAIRS` sets another.
const TABLES: usize = 2;

/// The maximum time of a step for each table, in milliseconds. Windows of several kinds close on full
/// quarters of an hour and full hours, none of which may pass between the same step in both worlds.
const STEP: u64 = 5_000;

const QUARTER: u64 = 15 * 60 * 1000;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_on_the_wire_depends_on_who_can_answer() {
    evening_of(Difference::Card).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_on_the_wire_depends_on_whose_orders_answer() {
    evening_of(Difference::CardAndOrders).await;
}

/// Plays a turn at some tables in two worlds, and compares the received bytes after every step.
async fn evening_of(difference: Difference) {
    let patience = Duration::from_mins(1);
    let here = Discord::start_with(Settings { patience, ..Settings::default() });
    let onlooker = here.person("onlooker", Locale::En);
    let count = asked_pairs(TABLES).min(AT_A_PROGRAM);
    let (database, tables) = table::prepare(&here, count, difference).await;
    let there = here.twin();
    let other = database.copy().await;
    exchange(&database, tables.iter().map(|table| &table.standings[0])).await;
    exchange(&other, tables.iter().map(|table| &table.standings[1])).await;
    let word = format!("secrecy of {difference:?}");
    let (here, there) = tokio::join!(
        World::start(here, database, &onlooker, program::serving, &word, false),
        World::start(there, other, &onlooker, program::serving, &word, false),
    );
    for step in Step::ALL {
        keep_clear_of_a_quarter(tables.len()).await;
        tokio::join!(
            evening::pass(&here, 0, &tables, step),
            evening::pass(&there, 1, &tables, step)
        );
        for table in &tables {
            compare(table, [&here, &there], difference, step).await;
        }
    }
}

async fn keep_clear_of_a_quarter(tables: usize) {
    let left = QUARTER - now().milliseconds().unsigned_abs() % QUARTER;
    if left < STEP * tables as u64 {
        tokio::time::sleep(Duration::from_millis(left + 100)).await;
    }
}

async fn compare(table: &Table, worlds: [&World; 2], difference: Difference, step: Step) {
    let about = format!("after {step:?}: {table:?}");
    let [here, there] = worlds;
    let times = here.times(&table.code).await;
    assert_eq!(times, there.times(&table.code).await, "{about}");
    let kinds: Vec<&str> = times.iter().map(|window| window.kind.as_str()).collect();
    assert_eq!(kinds, expected_kinds(table, step), "{about}");
    let came = |person: &Person| {
        worlds.map(|world| {
            let mut came = came_to(&table.code, &world.discord.also(person));
            if difference.differs_in_orders() {
                for bytes in came.values_mut() {
                    cover_codes(bytes);
                }
            }
            came
        })
    };
    // The holders of the shield see the difference.
    for person in table.holders() {
        let [here, there] = came(person);
        assert_ne!(here, there, "{} {about}", person.name());
    }
    for person in table.others().chain([&here.onlooker]) {
        let [here, there] = came(person);
        same_to(&here, &there, &format!("{} {about}", person.name()));
    }
}

/// Masks the short codes of hashes. Standing orders seal when the window opens, and so in another order: the
/// salts that the programs draw go to other people.
fn cover_codes(bytes: &mut [u8]) {
    const CODE: usize = "abcd-efgh-jkmn-pqrs".len();
    let fits = |(at, byte): (usize, &u8)| {
        if at % 5 == 4 { *byte == b'-' } else { byte.is_ascii_digit() || byte.is_ascii_lowercase() }
    };
    for at in 0..bytes.len().saturating_sub(CODE - 1) {
        let piece = &mut bytes[at..at + CODE];
        if piece.iter().enumerate().all(fits) {
            piece.fill(b'*');
        }
    }
}

/// Returns the kinds of the windows up to a step.
fn expected_kinds(table: &Table, step: Step) -> &'static [&'static str] {
    match step {
        Step::Begins | Step::Orders | Step::Strikes => &["turn"],
        Step::TurnCloses | Step::Answers => &["turn", "reaction"],
        Step::HoursPass | Step::Gives if table.is_late => &["turn", "reaction"],
        Step::HoursPass | Step::Gives => &["turn", "reaction", "choice"],
        Step::DeadlinesPass | Step::LooksBack if table.is_late => &["turn", "reaction", "choice"],
        Step::DeadlinesPass | Step::LooksBack => &["turn", "reaction", "choice", "turn"],
    }
}
