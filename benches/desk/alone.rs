//! The memory of a process that keeps deadlines, and the duration of its start. Each is measured in a process
//! of its own, free of earlier measurements.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::{BEGINNING, Done, median, say, tables};
use desk::clock::{Clock, Heartbeat};
use kit::figures::{Figures, thousands};

const MEMORY: &str = "memory";
const STARTUP: &str = "startup";

/// The time before the memory is measured.
const WHILE: Duration = Duration::from_secs(3);

/// Measures the resident memory of a process that keeps the deadlines of `count` tables, none of them due.
pub(crate) fn memory(url: &str, count: usize, rounds: usize, figures: &mut Figures) -> Done {
    let mib = again(MEMORY, url, rounds)? / 1024.0;
    let what = format!("resident memory with {} open tables, none due", thousands(count));
    figures.add([what, format!("{mib:.1} MiB")]);
    Ok(())
}

/// Measures the time from the opening of the database to the knowledge that nothing is due, and what is next.
pub(crate) fn startup(url: &str, count: usize, rounds: usize, figures: &mut Figures) -> Done {
    let millis = again(STARTUP, url, rounds)? / 1000.0;
    let count = thousands(count);
    let what = format!("from the opening of the database to the first look, {count} open tables");
    figures.add([what, format!("{millis:.1} ms")]);
    Ok(())
}

/// Returns the median over several processes.
fn again(part: &str, url: &str, rounds: usize) -> Done<f64> {
    let mut figures = Vec::new();
    for _ in 0..rounds {
        let mut child = Command::new(std::env::current_exe()?);
        let output = child.args(["--alone", part, url]).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        figures.push(String::from_utf8(output.stdout)?.trim().parse()?);
    }
    Ok(median(figures))
}

/// Runs in such a process and writes one measurement.
pub(crate) async fn measure(part: &str, url: &str) -> Done {
    let begun = Instant::now();
    let desk = tables::desk(url).await?;
    if part == STARTUP {
        let (due, next) = (desk::due(&desk, BEGINNING, 256).await?, desk::next_due(&desk).await?);
        if !due.is_empty() || next.is_none() {
            return Err("something is due".into());
        }
        say(&begun.elapsed().as_micros().to_string());
        return Ok(());
    }
    let beat = Heartbeat { every: Duration::from_secs(1), silence: Duration::from_mins(1) };
    let (stop, stopped) = watch::channel(false);
    let clock =
        tokio::spawn(Clock::new(desk, "bench".to_owned(), beat, Arc::default()).run(stopped));
    tokio::time::sleep(WHILE).await;
    say(&resident()?.to_string());
    stop.send(true)?;
    Ok(clock.await?)
}

/// Returns the resident memory of this process, in KiB.
fn resident() -> Done<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches("kB").trim().parse()?)
}
