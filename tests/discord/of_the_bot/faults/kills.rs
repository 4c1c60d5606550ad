//! Kills of the program at every step between the closing of a window and the marking of its letters as sent.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;

use super::super::PLAIN;
use super::evening::{Evening, Progress, assert_same};
use double::{Discord, Settings};

/// The statements before which the program is killed, counted from its start: before the first of them the
/// window is open, and after the last all letters are sent.
const STATEMENTS: std::ops::Range<u64> = 20..155;

/// The stride through the statements in the suite. Between the close and the first try to send lie a few
/// statements, whose numbers vary with the load: only all statements are sure to meet each step.
const STRIDE: usize = 9;

/// The number of concurrent evenings.
const EVENINGS: usize = 4;

async fn begins() -> Evening {
    Evening::begins_with(Settings::default(), &[PLAIN]).await
}

/// Returns the messages seen after each window without a fault.
async fn calm(windows: usize) -> Vec<String> {
    let mut evening = begins().await;
    let mut seen = Vec::new();
    for _ in 0..windows {
        evening.declare().await;
        evening.runs_out().await;
        evening.settles().await;
        seen.push(evening.seen());
    }
    seen
}

/// Returns the progress at each kill, and the messages seen after the restart.
async fn killed(statements: Vec<u64>) -> Vec<(u64, Progress, String)> {
    let mut evening = begins().await;
    let mut seen = Vec::new();
    for statement in statements {
        evening.declare().await;
        evening.bot.is_killed();
        evening.runs_out().await;
        let number = statement.to_string();
        evening.bot.comes_up(&evening.discord, &[PLAIN, ("SHIMEKIRI_DIE_AT", &number)]);
        while !evening.bot.is_dead() && !evening.is_told().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let progress = evening.progress().await;
        evening.bot.is_killed();
        evening.waits().await;
        evening.bot.starts_again(&evening.discord, &[PLAIN]).await;
        evening.settles().await;
        seen.push((statement, progress, evening.seen()));
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn it_can_be_killed_before_every_statement_of_a_sending() {
    let stride = kit::cases(STRIDE, 1);
    let statements: Vec<u64> = STATEMENTS.step_by(stride).collect();
    let lanes = (0..EVENINGS)
        .map(|lane| statements.iter().copied().skip(lane).step_by(EVENINGS).collect::<Vec<_>>());
    let windows = statements.len().div_ceil(EVENINGS);
    let (lanes, calm) = tokio::join!(join_all(lanes.map(killed)), calm(windows));
    let mut met = BTreeSet::new();
    for lane in lanes {
        for ((statement, progress, seen), calm) in lane.iter().zip(&calm) {
            assert_same(seen, calm, &format!("before statement {statement}, {progress:?}"));
            met.insert(*progress);
        }
    }
    let all = [Progress::Open, Progress::Closed, Progress::Tried, Progress::Sent];
    let steps: &[Progress] = if stride == 1 { &all } else { &[Progress::Open, Progress::Sent] };
    assert!(
        steps.iter().all(|step| met.contains(step)),
        "these statements are no longer all: {met:?}"
    );
}

/// A request, its number, and true if the kill comes after its effect.
type Moment = (&'static str, usize, bool);

const MESSAGE: &str = "POST /channels/*/messages";
const EDIT: &str = "PATCH /channels/*/messages/*";
const DIRECT: &str = "POST /users/@me/channels";

const MOMENTS: [Moment; 8] = [
    (MESSAGE, 1, false),
    (MESSAGE, 1, true),
    (MESSAGE, 2, false),
    (MESSAGE, 2, true),
    (EDIT, 1, false),
    (EDIT, 1, true),
    (DIRECT, 1, false),
    (DIRECT, 1, true),
];

/// Delays a request at the fake Discord, during which the program is killed.
fn plan(discord: &Discord, (pattern, number, after): Moment) {
    let request = discord.when(pattern).nth(number);
    let long = Duration::from_mins(1);
    if after {
        request.takes_effect_and_answers_late(long);
    } else {
        request.comes_late(long);
    }
}

/// Returns the messages seen after each window, with a kill at a request in each.
async fn killed_at(moments: &[Moment], is_killed: bool) -> Vec<String> {
    let mut evening = begins().await;
    let mut seen = Vec::new();
    for moment in moments {
        evening.declare().await;
        if is_killed {
            if moment.0 == DIRECT {
                // A restarted program has no conversations in its cache.
                evening.bot.is_killed();
                evening.waits().await;
                evening.bot.starts_again(&evening.discord, &[PLAIN]).await;
            }
            // Redraws after the declarations must not count.
            evening.settles().await;
            plan(&evening.discord, *moment);
        }
        let reminds = moment.0 == DIRECT;
        if reminds {
            evening.is_brought_near().await;
        } else {
            evening.runs_out().await;
        }
        if is_killed {
            while !evening.discord.faults_left().is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            evening.bot.is_killed();
            evening.waits().await;
            evening.bot.starts_again(&evening.discord, &[PLAIN]).await;
        }
        evening.settles().await;
        if reminds {
            evening.runs_out().await;
            evening.settles().await;
        }
        seen.push(evening.seen());
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn it_can_be_killed_at_every_request_of_a_sending() {
    let (killed, calm) = tokio::join!(killed_at(&MOMENTS, true), killed_at(&MOMENTS, false));
    for ((moment, killed), calm) in MOMENTS.iter().zip(killed).zip(calm) {
        assert_same(&killed, &calm, &format!("{moment:?}"));
    }
}
