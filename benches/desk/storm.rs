//! Many tables due in the same second, all resolved as by the clock.

use std::time::{Duration, Instant};

use ::tables::CloseReason;
use ::tables::time::Time;
use futures_util::stream::{self, StreamExt};

use crate::databases::Databases;
use crate::{BEGINNING, DAY, Done, median, per, since, tables};
use desk::{Desk, TickOutcome};
use kit::figures::{Figures, thousands};

/// The batch size and the concurrency of the clock.
const BATCH: u32 = 256;
const AT_ONCE: usize = 32;

/// The result of a storm.
#[derive(Debug)]
pub(crate) struct Storm {
    tables: usize,
    /// The time per table, in milliseconds.
    each: f64,
}

/// Measures storms over copies of a database.
pub(crate) async fn measure(
    databases: &Databases,
    crowd: &str,
    count: usize,
    rounds: usize,
    figures: &mut Figures,
) -> Done<Storm> {
    let (mut seconds, mut statements, mut commits) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let desk = tables::desk(&databases.copy(crowd, "storm").await?).await?;
        let before = (desk.store().statements(), desk.store().commits());
        let (closed, took) = weather(&desk, BEGINNING + DAY).await?;
        if closed != count {
            return Err(format!("{closed} of {count} windows were closed").into());
        }
        seconds.push(took.as_secs_f64());
        statements.push(per(since(before.0, desk.store().statements()), count));
        commits.push(per(since(before.1, desk.store().commits()), count));
        desk.store().close().await;
        databases.remove("storm").await?;
    }
    let total = median(seconds);
    let each = 1000.0 * total / per(count, 1);
    figures.add([
        format!("{} tables due in the same second, all resolved", thousands(count)),
        format!(
            "{total:.2} s: a table {each:.2} ms, {:.1} statements, a commit of {:.1} tables",
            median(statements),
            1.0 / median(commits),
        ),
    ]);
    Ok(Storm { tables: count, each })
}

/// Resolves all due tables. Returns the number of windows that closed at their deadline, and the time.
async fn weather(desk: &Desk, now: Time) -> Done<(usize, Duration)> {
    let (begun, mut closed) = (Instant::now(), 0);
    loop {
        let due = desk::due(desk, now, BATCH).await?;
        if due.is_empty() {
            return Ok((closed, begun.elapsed()));
        }
        let looks = stream::iter(due).map(|code| async move { desk::look(desk, &code, now).await });
        for looked in looks.buffer_unordered(AT_ONCE).collect::<Vec<_>>().await {
            closed += usize::from(looked? == TickOutcome::Closed(CloseReason::Deadline));
        }
    }
}

/// Compares the largest storm with the smallest.
pub(crate) fn compare(storms: &[Storm], figures: &mut Figures) {
    let by_size = |storm: &&Storm| storm.tables;
    let ends = storms.iter().min_by_key(by_size).zip(storms.iter().max_by_key(by_size));
    if let Some((small, large)) = ends
        && small.tables < large.tables
    {
        let ratio = large.each / small.each;
        let [large, small] = [large.tables, small.tables].map(thousands);
        figures.add([format!("a table among {large} : among {small}"), format!("{ratio:.2} : 1")]);
    }
}
