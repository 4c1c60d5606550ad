//! Every table due at one moment, and again before the letters of that have left.

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
    let disordered = crowd.tables.iter().filter(|table| !is_in_order(discord, table.place)).count();
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

/// Whether the windows are told of in their order, each once.
fn is_in_order(discord: &Discord, place: crate::double::Place) -> bool {
    let said = discord.stands_in(place);
    let heads = said.iter().filter_map(|(_, text)| {
        let (_, number) = text.split_once("## 第")?;
        number.split_once("受付")?.0.parse::<u32>().ok()
    });
    let heads: Vec<u32> = heads.collect();
    matches!(heads[..], [first, second] if second == first + 1)
}
