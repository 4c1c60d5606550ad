//! The speed of the desk: seals per second, a storm of deadlines, the memory of a process that keeps
//! deadlines, and its start.
//!
//! `cargo bench --bench desk`, or some parts of it with `cargo bench --bench desk -- sealing storm`. It
//! measures on SQLite, or on the PostgreSQL server that `SHIMEKIRI_DATABASE_URL` names. Each figure is the
//! median of several rounds; ratios are between figures of the same run. With `SHIMEKIRI_TEST_UPDATE=1` the
//! figures are written into `docs/figures.md`.

mod alone;
mod bare;
mod databases;
mod sealing;
mod storm;
mod tables;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use ::tables::time::{Span, Time};
use clap::{Parser, ValueEnum};

use databases::Databases;

/// Any error ends the bench.
type Done<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// The simulated time of all events, in milliseconds since 1970: far in the future, so that no clock finds
/// anything due.
const BEGINNING: Time = Time::from_milliseconds(4_102_444_800_000);

/// The time from the opening of a window to its deadline.
const DAY: Span = Span::days(1);

/// The parts of the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Sealings a second, beside bare inserts
    Sealing,
    /// Many tables due in the same second
    Storm,
    /// Resident memory of a process that keeps many deadlines
    Memory,
    /// From the opening of the database to the first look
    Startup,
}

/// The speed of the desk
#[derive(Debug, Parser)]
struct Arguments {
    /// The parts to measure [default: all]
    parts: Vec<Part>,
    /// The number of tables at which people seal
    #[arg(long, default_value_t = 1000)]
    sealed_tables: usize,
    /// The number of people who seal at the same time
    #[arg(long, default_value_t = 32)]
    people: usize,
    /// The number of tables that are due at once, or open, in turn
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,50000")]
    tables: Vec<usize>,
    /// The number of rounds of each
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// The folder of SQLite's files, on a disk
    #[arg(long, default_value = env!("CARGO_TARGET_TMPDIR"))]
    folder: PathBuf,
    /// The part that this process measures of itself, and its database
    #[arg(long, num_args = 2, value_names = ["PART", "URL"], hide = true)]
    alone: Option<Vec<String>>,
    /// Cargo says so
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Done {
    let arguments = Arguments::parse();
    if let Some([part, url]) = arguments.alone.as_deref() {
        return alone::measure(part, url).await;
    }
    let wanted = |part| arguments.parts.is_empty() || arguments.parts.contains(&part);
    let databases = Databases::new(&arguments.folder)?;
    if wanted(Part::Sealing) {
        let seen = sealing::Plan {
            tables: arguments.sealed_tables,
            people: arguments.people,
            rounds: arguments.rounds,
        };
        sealing::measure(&databases, &seen).await?;
    }
    if wanted(Part::Storm) || wanted(Part::Memory) || wanted(Part::Startup) {
        crowds(&databases, &arguments, wanted).await?;
    }
    Ok(())
}

/// Measures the parts that need many tables.
async fn crowds(
    databases: &Databases,
    arguments: &Arguments,
    wanted: impl Fn(Part) -> bool,
) -> Done {
    let [mut storms, mut memory, mut startup] =
        ["storm", "memory", "startup"].map(|part| databases.figures(part));
    let mut seen = Vec::new();
    for &count in &arguments.tables {
        let name = format!("crowd{count}");
        let url = databases.fresh(&name).await?;
        tables::crowd(&url, count).await?;
        if wanted(Part::Startup) {
            alone::startup(&url, count, arguments.rounds, &mut startup)?;
        }
        if wanted(Part::Memory) {
            alone::memory(&url, count, arguments.rounds, &mut memory)?;
        }
        if wanted(Part::Storm) {
            let rounds = arguments.rounds;
            seen.push(storm::measure(databases, &name, count, rounds, &mut storms).await?);
        }
        databases.remove(&name).await?;
    }
    storm::compare(&seen, &mut storms);
    for (part, figures) in [(Part::Storm, storms), (Part::Memory, memory), (Part::Startup, startup)]
    {
        if wanted(part) {
            figures.tell()?;
        }
    }
    Ok(())
}

/// Returns the median.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns the number per second.
fn rate(count: usize, took: Duration) -> f64 {
    per(count, 1) / took.as_secs_f64()
}

/// Returns a ratio.
#[expect(clippy::cast_precision_loss, reason = "nothing is counted that far")]
fn per(count: usize, of: usize) -> f64 {
    count as f64 / of as f64
}

/// The difference of two readings of a counter.
fn since(before: u64, after: u64) -> usize {
    usize::try_from(after - before).unwrap_or(usize::MAX)
}

#[expect(clippy::print_stdout, reason = "figures are what a bench is for")]
fn say(line: &str) {
    println!("{line}");
}
