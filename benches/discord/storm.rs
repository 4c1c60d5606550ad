//! Every table due at one moment, and again before the letters of that have left.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::crowd::Crowd;
use crate::double::Discord;
use crate::served::Served;
use crate::{Done, now, say};

/// What Discord allows in a second.
const ALLOWED: f64 = 50.0;

/// From one storm to the next, in milliseconds.
const AGAIN: i64 = 10_000;

/// How long it may last, for each table.
const PATIENCE: Duration = Duration::from_millis(500);

/// Lets it break, and says how fast letters leave, in which order, and what it takes.
pub(crate) async fn measure(discord: &Discord, crowd: &Crowd, served: &Served) -> Done {
    let requests = || discord.requests("* /channels/**");
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
    say(&format!(
        "storm of {} tables, twice: {} requests in {:.1} s, {rate:.1} a second ({:.1} % of what is \
         allowed), {} refused for coming too early, {disordered} channels out of order; {:.1} \
         MiB at most",
        crowd.tables.len(),
        sent.len(),
        took.as_secs_f64(),
        100.0 * rate / ALLOWED,
        limited.len(),
        served.most()?,
    ));
    Ok(())
}

/// How many channels have not got both letters in their order. Ids of messages grow.
async fn disordered(crowd: &Crowd) -> Done<usize> {
    let mut channels: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (address, message) in crowd.arrived().await? {
        channels.entry(address).or_default().push(message.parse()?);
    }
    let ordered = channels.values().filter(|ids| ids.len() == 2 && ids.is_sorted());
    Ok(crowd.tables.len() - ordered.count())
}
