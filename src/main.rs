//! The one binary: `shimekiri`.

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use shimekiri::terminal::{Exit, check, play, simulate, story};

/// Counts what `simulate` reports as allocations.
#[global_allocator]
static HEAP: &stats_alloc::StatsAlloc<std::alloc::System> = &stats_alloc::INSTRUMENTED_SYSTEM;

/// Shimekiri (締切): a play-by-post game master
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Play a game here, against house players
    Play(play::Args),
    /// Let policies play many games, and see what comes of it
    Simulate(simulate::Args),
    /// Run transcripts and show what differs
    Story(story::Args),
    /// Check the data, templates and command manifests that are built in
    Check,
}

fn main() -> ExitCode {
    let (mut out, mut complaints) = (io::stdout().lock(), io::stderr().lock());
    let verb = Arguments::parse().verb;
    let faults = check::data_faults();
    if !faults.is_empty() && !matches!(verb, Verb::Check) {
        drop(complaints);
        return tell(&io::Error::other(faults.join("\n")));
    }
    let ended = match verb {
        Verb::Play(args) => {
            // The conversation writes by itself, from wherever it is.
            drop(out);
            play::run(&args, &mut complaints)
        }
        Verb::Simulate(args) => simulate::run(&args, &mut out, &mut complaints),
        Verb::Story(args) => story::run(&args, &mut out),
        Verb::Check => check::run(&mut out),
    };
    match ended {
        Ok(exit) => exit.into(),
        // Whoever reads us has gone; that is no fault.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Fine.into(),
        Err(error) => {
            drop(complaints);
            tell(&error)
        }
    }
}

#[expect(clippy::print_stderr, reason = "the last words of the program")]
fn tell(error: &io::Error) -> ExitCode {
    eprintln!("{error}");
    Exit::Finding.into()
}
