//! The program under load with a fake Discord on loopback: the delay of its answers while many people play,
//! and the rate of letters when many deadlines coincide.
//!
//! `cargo bench --bench discord`, or some parts of it with `cargo bench --bench discord -- storm`. The
//! program is a process of its own, as in production; the fake Discord runs in this process, and its own cost
//! is measured with a bot that only answers.

mod answers;
mod crowd;
mod floor;
mod served;
mod storm;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

use crowd::Crowd;
use double::{Discord, Settings};
use served::Served;

/// Any error ends the bench.
type Done<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// The parts of the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The double with a bot that does nothing but answer
    Floor,
    /// All tables due at one moment, twice
    Storm,
    /// People who play, so many times a second
    Answers,
}

/// The program under load at a double of Discord
#[derive(Debug, Parser)]
struct Arguments {
    /// The parts to measure [default: all]
    parts: Vec<Part>,
    /// The number of tables
    #[arg(long, default_value_t = 1000)]
    tables: usize,
    /// The number of interactions in a second
    #[arg(long, default_value_t = 200)]
    rate: u32,
    /// For how many seconds
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// True if results come with pictures
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    pictures: bool,
    /// The folder of the database, on a disk
    #[arg(long, default_value = env!("CARGO_TARGET_TMPDIR"))]
    folder: PathBuf,
    /// Cargo says so
    #[arg(long, hide = true)]
    bench: bool,
}

/// Starts a fake Discord without records and with long timeouts.
fn discord() -> Discord {
    let patience = Duration::from_mins(10);
    Discord::start_with(Settings { records: false, patience, ..Settings::default() })
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Done {
    let arguments = Arguments::parse();
    let wanted = |part| arguments.parts.is_empty() || arguments.parts.contains(&part);
    say(&format!("load before: {}", std::fs::read_to_string("/proc/loadavg")?.trim()));
    if wanted(Part::Floor) {
        floor::measure(&arguments).await?;
    }
    if wanted(Part::Storm) || wanted(Part::Answers) {
        let discord = discord();
        let crowd = Crowd::gather(&discord, &arguments).await?;
        let served = Served::start(&discord, &crowd, arguments.pictures).await;
        if wanted(Part::Storm) {
            storm::measure(&discord, &crowd, &served).await?;
        }
        if wanted(Part::Answers) {
            answers::measure(&discord, &crowd, &arguments).await?;
        }
    }
    say(&format!("load after: {}", std::fs::read_to_string("/proc/loadavg")?.trim()));
    Ok(())
}

/// Returns the time in milliseconds since 1970, UTC.
fn now() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "people have watches")]
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or_default()
}

#[expect(clippy::print_stdout, reason = "the figures are what it is for")]
fn say(line: &str) {
    println!("{line}");
}
