//! The days of a whole game by post: `cargo bench --bench calendar`, for other people and another pace
//! `cargo bench --bench calendar -- the_gang --pace "every 12h" --look 1.5`.
//!
//! Nothing is timed: six people of the model, or as many as the game takes, play by the policy `house` and
//! look after 3 waking hours on average, and the results follow from the seed, on every machine.

use std::thread;

use calendar::{Calendar, CalendarError, CalendarSpread, KindRow, PostalStatistics};
use chrono_tz::Tz;
use clap::Parser;
use games::any::AnyGame;
use games::simulation::{Mode, Plan};
use games::{GAMES, find, options_line};
use kit::figures::Figures;
use serde_json::Value as Json;
use tables::Pace;
use tables::time::Span;

/// The maximum waking time between two looks, in hours: four weeks of 16 hours a day.
const MOST_HOURS: f64 = 448.0;

/// The people, the pace and the games of the model.
#[derive(Debug, Parser)]
struct CalendarArguments {
    /// The games; all of them if none is named
    #[arg(value_parser = game)]
    games: Vec<&'static dyn AnyGame>,
    /// The number of games for each game and share of people with orders
    #[arg(long, default_value_t = 20)]
    count: u64,
    /// The number of people at a table, if the game takes so many
    #[arg(long, default_value_t = 6)]
    seats: usize,
    /// The policy of all people
    #[arg(long, default_value = "house")]
    policy: String,
    /// The seed of all dice and looks
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Options of the game, in words; can be given several times
    #[arg(long = "option")]
    options: Vec<String>,
    /// The pace of the table, in Japan's time zone unless the line names one
    #[arg(long, default_value = "every 24h", value_parser = pace)]
    pace: Pace,
    /// The waking hours between two looks of a person, on average
    #[arg(long, default_value = "3", value_parser = hours)]
    look: Span,
    /// The shares of people who leave standing orders, in percent
    #[arg(long, default_value = "0,50,100", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(..=100))]
    orders: Vec<u8>,
    /// The flag with which cargo runs every bench
    #[arg(long, hide = true)]
    bench: bool,
}

fn game(key: &str) -> Result<&'static dyn AnyGame, String> {
    find(key).ok_or_else(|| format!("{key} is no game"))
}

fn pace(line: &str) -> Result<Pace, String> {
    Pace::read(line, Tz::Asia__Tokyo).map_err(|fault| format!("{fault:?}"))
}

fn hours(text: &str) -> Result<Span, String> {
    let hours: f64 = text.parse().map_err(|_| "no number".to_owned())?;
    if !(0.0..=MOST_HOURS).contains(&hours) {
        return Err(format!("0 to {MOST_HOURS}"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "it is no more than a month")]
    Ok(Span::from_milliseconds((hours * 3_600_000.0).round() as i64))
}

fn main() -> Result<(), CalendarError> {
    // Cargo runs a bench in the folder of its package; the figures are in a document of the house.
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    let args = CalendarArguments::parse();
    let heads =
        ["game, people with orders", "windows", "days, median", "nine in ten", "unfinished"];
    let mut figures = Figures::with_heads("calendar", "bench --bench calendar", &heads);
    let named = if args.games.is_empty() { GAMES } else { &args.games[..] };
    for game in named {
        for (orders, statistics) in args.orders.iter().zip(played(*game, &args)?) {
            let what = format!("`{}`, {orders} %", game.key());
            let days = |of: fn(CalendarSpread) -> f64| {
                statistics.days.map_or("–".to_owned(), |days| format!("{:.1}", of(days)))
            };
            let windows = format!("{:.1}", statistics.windows);
            let (median, ninety) = (days(|days| days.median), days(|days| days.ninety));
            figures.add([what, windows, median, ninety, statistics.unfinished.to_string()]);
            // The committed figures are of all games, without the kinds of their windows.
            let kinds = statistics.kinds.into_iter().filter(|_| !args.games.is_empty());
            for (kind, KindRow { per_game, hours, early }) in kinds {
                let hours = hours.map(|hours| [hours.median, hours.ninety]).unwrap_or_default();
                let what = format!("{kind:?} windows, hours; {:.0} % early", early * 100.0);
                let [median, ninety] = hours.map(|hours| format!("{hours:.1}"));
                figures.add([what, format!("{per_game:.1}"), median, ninety, String::new()]);
            }
        }
    }
    Ok(figures.tell()?)
}

/// Plays a game with each share of people with orders, on a thread each.
fn played(
    game: &'static dyn AnyGame,
    args: &CalendarArguments,
) -> Result<Vec<PostalStatistics>, CalendarError> {
    let options = options_line::read(game, &args.options.join(","));
    let options = Json::Object(options.map_err(|fault| format!("{fault:?}"))?);
    let (least, most) = (*game.seats().start(), *game.seats().end());
    let fits = |seats: &usize| game.check_options(&options, *seats).is_ok();
    let seats = Some(args.seats.clamp(least, most)).filter(fits);
    let seats = seats.unwrap_or_else(|| game.seats_for(&options));
    game.check_options(&options, seats)?;
    let options = game.fitted(&options, seats);
    let policies = vec![args.policy.as_str().into(); seats];
    let plan = Plan { seed: args.seed, mode: Mode::Sealed, policies, rotate: false, options };
    let calendar = &Calendar { game, plan, pace: args.pace.clone(), look: args.look };
    thread::scope(|scope| {
        let start = |orders: &u8| {
            let orders = *orders;
            scope.spawn(move || calendar.play(GAMES, 0..args.count, orders))
        };
        let threads: Vec<_> = args.orders.iter().map(start).collect();
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        joined.map(|played| played.unwrap_or_else(|_| Err("a thread panicked".into()))).collect()
    })
}
