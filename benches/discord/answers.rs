//! The delay of acknowledgements while people play.

use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::crowd::{Crowd, Table};
use crate::{Arguments, Done, say};
use double::Discord;
use kit::figures::{Figures, thousands};

/// Discord's timeout of an acknowledgement.
const LATE: Duration = Duration::from_secs(3);

/// Acts at the given rate, and reports the delays of the acknowledgements.
pub(crate) async fn measure(discord: &Discord, crowd: &Crowd, arguments: &Arguments) -> Done {
    let before = discord.answering_times().len();
    let asked = press_on(arguments, |number| act(crowd, number)).await;
    tell("answers", discord, before, asked)
}

/// Acts at the given rate for the given time. Returns the number of acts.
pub(crate) async fn press_on<F: Future<Output = ()>>(
    arguments: &Arguments,
    mut deed: impl FnMut(usize) -> F,
) -> usize {
    let count = usize::try_from(arguments.rate * arguments.seconds).unwrap_or(usize::MAX);
    let began = Instant::now();
    let mut beat = interval(Duration::from_secs(1) / arguments.rate);
    beat.set_missed_tick_behavior(MissedTickBehavior::Burst);
    for number in 0..count {
        beat.tick().await;
        deed(number).await;
    }
    let (took, wanted) = (began.elapsed(), Duration::from_secs(arguments.seconds.into()));
    if took > wanted + Duration::from_secs(1) {
        say(&format!("the asking took {took:?} instead of {wanted:?}"));
    }
    tokio::time::sleep(LATE + Duration::from_secs(1)).await;
    count
}

/// Reports the delays of the acknowledgements since `before`.
pub(crate) fn tell(part: &str, discord: &Discord, before: usize, asked: usize) -> Done {
    let mut took = discord.answering_times().split_off(before);
    took.sort_unstable();
    let millis = |took: Option<&Duration>| {
        format!("{:.2} ms", 1e3 * took.copied().unwrap_or_default().as_secs_f64())
    };
    let at = |part: usize| millis(took.get(took.len() * part / 1000));
    let late = took.iter().filter(|took| **took > LATE).count() + asked - took.len();
    // Late acknowledgements are counted here, and are not failed requests.
    discord.forgive("10062");
    let name = format!("{part}, Discord");
    let mut figures = Figures::new(&name, &format!("bench --bench discord -- {part}"));
    for (what, took) in [
        ("median", at(500)),
        ("99 %", at(990)),
        ("99.9 %", at(999)),
        ("longest", millis(took.last())),
    ] {
        let what = format!("acknowledged after, {what} of {}", thousands(asked));
        figures.add([what, took]);
    }
    figures.add(["late or never".to_owned(), late.to_string()]);
    Ok(figures.tell()?)
}

/// Carries out one act: mostly declaring, and looking.
async fn act(crowd: &Crowd, number: usize) {
    let Table { place, people } = &crowd.tables[number * 7 % crowd.tables.len()];
    let person = &people[number / 3 % people.len()];
    let act = match number % 8 {
        0 => person.command("declare"),
        1 => person.command("declare").with("text", "3A"),
        2 => person.command("declare").with("text", "3A 4B"),
        3 => person.complete("declare", "text", "3"),
        4 => person.command("hand"),
        5 => person.command("seal"),
        6 => person.command("table show"),
        _ => person.command("declare").with("text", "4A 役者"),
    };
    act.in_channel(*place).done().await;
}
