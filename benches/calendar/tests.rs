//! Tests of the model of people who play by post, with the engine's test game of stages, which has reactions.

use chrono_tz::Tz;

use super::people::Rhythm;
use super::*;
use games::any::RANDOM;
use games::simulation::{Mode, Plan};
use kit::stages_game::STAGES;
use rules::Sealing;
use tables::time::{HOUR, MINUTE, Span};
use tables::{CloseReason, Pace};

const GAMES: &[&dyn AnyGame] = &[STAGES];

/// Turns of a day, reactions of 12 hours that close on the hour, choices of 6 hours.
const PACE: &str = "every 24h";

fn calendar(look: Span) -> Calendar {
    let policies = vec![RANDOM.into(); 4];
    let options = serde_json::Value::Null;
    Calendar {
        game: STAGES,
        plan: Plan { seed: 11, mode: Mode::Sealed, policies, rotate: false, options },
        pace: Pace::read(PACE, Tz::Asia__Tokyo).unwrap(),
        look,
    }
}

fn games(calendar: &Calendar, numbers: Range<u64>, orders: u8) -> Vec<PostalGame> {
    calendar.games(GAMES, numbers, orders).unwrap()
}

/// The results follow from the seed, and each window is counted once.
#[test]
fn same_people_take_the_same_days() {
    let calendar = calendar(HOUR * 3);
    let statistics = calendar.play(GAMES, 0..4, 50).unwrap();
    assert_eq!(calendar.play(GAMES, 0..4, 50).unwrap(), statistics);
    assert_eq!(statistics.unfinished, 0);
    assert!(statistics.days.unwrap().median > 0.5, "{statistics:?}");
    let windows: f64 = statistics.kinds.values().map(|kind| kind.per_game).sum();
    assert!((windows - statistics.windows).abs() < 1e-9, "{statistics:?}");
}

/// If everybody looks immediately, each window takes its least time and waits only for the next moment at
/// which it may close.
#[test]
fn whoever_looks_at_once_waits_for_the_least_times_alone() {
    let calendar = calendar(Span::ZERO);
    let rhythm = Rhythm::new(calendar.look, calendar.pace.zone);
    let mut seen = 0;
    for game in games(&calendar, 0..3, 0) {
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
        let took = games(&calendar(HOUR * 3), 0..8, orders).into_iter();
        took.map(|game| game.took.unwrap()).fold(Span::ZERO, |all, took| all + took)
    };
    let [none, half, all] = [0, 50, 100].map(days);
    assert!(half <= none && all <= half, "{none:?} {half:?} {all:?}");
}
