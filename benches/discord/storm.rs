//! A storm in which every table is due twice, the second time before the letters of the first have left.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::crowd::Crowd;
use crate::served::Served;
use crate::{Done, now};
use double::Discord;
use kit::figures::{Figures, thousands};

/// Discord's global limit, in requests per second.
const ALLOWED: f64 = 50.0;

/// The time between the storms, in milliseconds.
const AGAIN: i64 = 10_000;

/// The timeout for each table.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs the storms, and reports the rate and the order of letters, and the memory.
pub(crate) async fn measure(discord: &Discord, crowd: &Crowd, served: &Served) -> Done {
    let mut figures = Figures::new("storm, Discord", "bench --bench discord -- storm");
    figures.add(["resident memory at rest".to_owned(), format!("{:.1} MiB", served.resident()?)]);
    let requests = || discord.requests("* /**");
    let before = requests().len();
    let at = now() + 2000;
    crowd.is_due_at(at).await?;
    let until =
        Instant::now() + Duration::from_secs(30) + PATIENCE * crowd.tables.len().try_into()?;
    let mut again = false;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        if !again && now() > at + AGAIN {
            again = true;
            crowd.is_due_at(now()).await?;
        } else if again && crowd.left().await? == 0 {
            break;
        }
        if Instant::now() > until {
            return Err("the storm does not end".into());
        }
    }
    let requests = requests().split_off(before);
    let (limited, sent): (Vec<_>, Vec<_>) =
        requests.into_iter().partition(|request| request.status == 429);
    let ends = sent.first().zip(sent.last());
    let took = ends.map_or(Duration::ZERO, |(first, last)| last.at.saturating_sub(first.at));
    #[expect(clippy::cast_precision_loss, reason = "nothing is counted that far")]
    let rate = sent.len() as f64 / took.as_secs_f64();
    let disordered = disordered(crowd).await?;
    let (tables, count, took) = (crowd.tables.len(), sent.len(), took.as_secs_f64());
    let what = format!("{} tables due at one moment, twice", thousands(tables));
    figures.add([what, format!("{} requests in {took:.1} s", thousands(count))]);
    let share = 100.0 * rate / ALLOWED;
    let what = format!("of Discord's {ALLOWED} requests a second, used");
    figures.add([what, format!("{rate:.1} ({share:.1} %)")]);
    let what = "requests refused for coming too early; channels with messages out of order";
    figures.add([what.to_owned(), format!("{}; {disordered}", limited.len())]);
    figures.add(["resident memory at most".to_owned(), format!("{:.1} MiB", served.most()?)]);
    Ok(figures.tell()?)
}

/// Returns the number of channels in which letters arrived out of order, by the growing ids of messages.
async fn disordered(crowd: &Crowd) -> Done<usize> {
    let mut channels: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (address, message) in crowd.arrived().await? {
        channels.entry(address).or_default().push(message.parse()?);
    }
    Ok(channels.values().filter(|ids| !ids.is_sorted()).count())
}
