//! Playing the games of a plan, on all cores.

use std::panic::resume_unwind;
use std::thread;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use games::any::AnyGame;
use games::simulation::{Plan, PlanError, SimulationStatistics, Summary};

/// The measured times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SimulationTiming {
    /// The duration in seconds.
    pub seconds: f64,
    /// The number of games in a second, on all threads together.
    pub games_per_second: f64,
    /// The number of threads.
    pub threads: usize,
}

/// The output of `--json`.
///
/// `statistics` is the same for the same game, plan and number of games; `timing` never is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulationDocument {
    /// The game's key.
    pub game: &'static str,
    pub plan: Plan,
    pub statistics: Summary,
    pub timing: SimulationTiming,
}

/// Returns the number of threads to play on.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Creates the progress bar, drawn on stderr if that is a terminal.
pub(super) fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} {eta}") {
        bar.set_style(style);
    }
    bar
}

/// Plays on all cores, and measures the time.
pub(super) fn measure(
    game: &dyn AnyGame,
    plan: &Plan,
    games: u64,
) -> Result<(SimulationStatistics, SimulationTiming), PlanError> {
    let (threads, bar) = (cores(), bar(games));
    let begun = Instant::now();
    let statistics = play(game, plan, games, threads, &|_| bar.inc(1))?;
    let seconds = begun.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let timing =
        SimulationTiming { seconds, games_per_second: real(statistics.games()) / seconds, threads };
    Ok((statistics, timing))
}

/// Plays `games` games, spread over threads. The number of threads does not change the counts. `progress` is
/// called with the number of each finished game.
/// Fails if the plan does not fit the game.
pub fn play(
    game: &dyn AnyGame,
    plan: &Plan,
    games: u64,
    threads: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<SimulationStatistics, PlanError> {
    let threads = threads.max(1) as u64;
    // The shares differ by at most one game.
    let first = |thread: u64| games / threads * thread + (games % threads).min(thread);
    let share = |thread| {
        game.simulate(plan, first(thread)..first(thread + 1), &mut |number| progress(number))
    };
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..threads).map(|thread| scope.spawn(move || share(thread))).collect();
        let mut all = share(0)?;
        for other in others {
            all.merge(other.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        Ok(all)
    })
}

#[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 here")]
pub(crate) fn real(count: u64) -> f64 {
    count as f64
}
