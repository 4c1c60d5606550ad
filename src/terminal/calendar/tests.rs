//! Tests of the model of people who play by post, with the engine's test game of stages, which has reactions.

use chrono_tz::Tz;

use super::game::play;
use super::people::Rhythm;
use super::summary::PostalGame;
use super::*;
use crate::TerminalText;
use games::any::RANDOM;
use games::simulation::{Mode, Plan};
use kit::stages_game::STAGES;
use rules::Sealing;
use tables::time::{HOUR, MINUTE, Span};
use tables::{CloseReason, Pace};

const GAMES: &[&dyn AnyGame] = &[STAGES];

/// Turns of a day, reactions of 12 hours that close on the hour, choices of 6 hours.
const PACE: &str = "every 24h";

fn calendar(look: Span, orders: &[u8]) -> Calendar {
    let policies = vec![RANDOM.into(); 4];
    let options = serde_json::Value::Null;
    Calendar {
        game: STAGES,
        plan: Plan { seed: 11, mode: Mode::Sealed, policies, rotate: false, options },
        said: PACE.to_owned(),
        pace: Pace::read(PACE, Tz::Asia__Tokyo).unwrap(),
        look,
        orders: orders.to_vec(),
    }
}

/// Plays the games with these numbers, one after another.
fn games(calendar: &Calendar, numbers: Range<u64>) -> Vec<PostalGame> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let at = PostalDesk::open(GAMES).await.unwrap();
        let mut games = Vec::new();
        for number in numbers {
            games.push(play(calendar, &at.desk, (number, calendar.orders[0])).await.unwrap());
        }
        games
    })
}

/// Some people give orders, and the results of a few games are written in both languages.
#[test]
fn what_comes_of_games_by_post() {
    let calendar = calendar(HOUR * 3, &[0, 50, 100]);
    let rows = calendar.play(GAMES, 4, 2, &|| {}).unwrap();
    assert_eq!(calendar.play(GAMES, 4, 1, &|| {}).unwrap(), rows, "threads make no difference");
    let document = crate::simulate::CalendarDocument { game: "stages", calendar, rows };
    for lang in rules::text::Lang::ALL {
        let report = crate::simulate::calendar_report(&document, lang).unwrap();
        let text = TerminalText::new(lang).say("simulate", "calendar", &report);
        insta::assert_snapshot!(format!("calendar_{lang}"), text);
    }
}

/// If everybody looks immediately, each window takes its least time and waits only for the next moment at
/// which it may close.
#[test]
fn whoever_looks_at_once_waits_for_the_least_times_alone() {
    let calendar = calendar(Span::ZERO, &[0]);
    let rhythm = Rhythm::new(calendar.look, calendar.pace.zone);
    let mut seen = 0;
    for game in games(&calendar, 0..3) {
        let awake = |opened| rhythm.awake_from(opened) == opened;
        for window in game.windows.iter().filter(|window| awake(window.opened)) {
            let pace = calendar.pace.clone().of(window.kind);
            // A person who has looked in this very moment looks again in a minute.
            let soonest = [Span::ZERO, MINUTE].map(|later| {
                pace.early_close(window.opened, window.opened + later, Sealing::Hidden)
            });
            assert_eq!(window.why, CloseReason::AllSealed);
            assert!(soonest.contains(&window.closed), "{window:?}: {soonest:?}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} windows");
}

/// Orders save time: over games with the same people, more orders never take longer.
#[test]
fn more_orders_take_no_longer() {
    let days = |orders| {
        let took = games(&calendar(HOUR * 3, &[orders]), 0..8).into_iter();
        took.map(|game| game.took.unwrap()).fold(Span::ZERO, |all, took| all + took)
    };
    let [none, half, all] = [0, 50, 100].map(days);
    assert!(half <= none && all <= half, "{none:?} {half:?} {all:?}");
}
