//! Statistics of tables that are over.

use crate::model::{Desk, Override};
use crate::record::Event;
use crate::table::form::Form;
use crate::tests::kit::{decision, gm};
use crate::tests::support::{
    BID, Database, HOUR, MINUTE, account, dealt, desk, form, guest, happened, looks, passes, seal,
    see, table,
};
use crate::tick::TickOutcome;
use crate::view::statistics::{Ends, RatedPlayer, Statistics, StatisticsFilter};
use kit::kinds::{Kind, counted_from_the_deal_on};
use kit::time::{span, time};
use store::{Location, Store};
use tables::pace::Announce;
use tables::{Pace, TableCode};

async fn counted(desk: &Desk, now: i64) -> Statistics {
    crate::statistics(desk, &StatisticsFilter::default(), time(now)).await.unwrap()
}

/// Plays a table to its end from a time on, and returns the time of the end.
async fn played_out(desk: &Desk, code: &TableCode, mut now: i64) -> i64 {
    while let Some(due) = crate::next_due(desk).await.unwrap() {
        now = due.milliseconds();
        assert_ne!(passes(desk, code, now).await, TickOutcome::Nothing);
    }
    now
}

fn person(name: &str) -> RatedPlayer {
    RatedPlayer::Person(name.to_owned())
}

#[tokio::test]
async fn of_nothing_nothing_is_counted() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    table(&desk, "toy").await;
    let statistics = counted(&desk, HOUR).await;
    assert_eq!(statistics, Statistics::default());
    assert_eq!(statistics.tables.all(), 0);
}

#[tokio::test]
async fn a_game_is_counted_as_it_went() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    // Both are early, then one is in time, and then nobody comes any more.
    seal(&desk, &code, "sakura", BID, 1).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    looks(&desk, &code, 1).await;
    seal(&desk, &code, "sakura", "", 1 + 50 * MINUTE).await;
    let end = played_out(&desk, &code, 1).await;
    let statistics = counted(&desk, end).await;
    assert_eq!(statistics.tables, Ends { played: 1, ..Ends::default() });
    let [game] = &statistics.games[..] else { panic!("{statistics:?}") };
    let only = |spread: &Option<games::simulation::Spread>| {
        let spread = spread.as_ref().unwrap();
        assert_eq!(spread.min, spread.max);
        spread.min
    };
    assert_eq!((game.game.as_str(), game.tables, only(&game.players)), ("toy", 1, 2));
    let play = see(&desk, &code, "sakura", end).await.play.unwrap();
    let standing = play.contest.standing().unwrap();
    assert_eq!((only(&game.rounds), only(&game.windows)), (5, 6));
    let days = game.days.unwrap();
    #[expect(clippy::cast_precision_loss, reason = "a few hours")]
    let took = end as f64 / 86_400_000.0;
    assert!((days.median - took).abs() < 1e-4 && days.min <= days.max, "{days:?}");
    assert!((game.early.value - 1.0 / 6.0).abs() < 1e-9);
    // Seats and people have the same results, since each person keeps their seat.
    assert_eq!(game.seats.len(), 2);
    assert_eq!(game.players_by_name.len(), 2);
    let wins: f64 = game.seats.iter().map(|side| side.wins).sum();
    assert!((wins - 1.0).abs() < 1e-9);
    for (name, index) in [("sakura", 0), ("kaede", 1)] {
        let own = game.players_by_name.iter().find(|side| side.who == person(name)).unwrap();
        let seat = &game.seats[index];
        assert_eq!((own.wins, own.place, &own.scores), (seat.wins, seat.place, &seat.scores));
        let place = standing.iter().find(|place| place.seat.index() == index).unwrap();
        assert!((own.place - f64::from(place.rank)).abs() < 1e-9);
        assert!((own.expected - 0.5).abs() < 1e-9 && own.tables == 1 && own.chairs == 1);
    }
    let keeping = |name: &str| {
        let found = statistics.people.iter().find(|one| one.who == person(name)).unwrap();
        (found.tables, found.played, found.early, found.in_time)
    };
    assert_eq!((keeping("sakura"), keeping("kaede")), ((1, 1, 1, 1), (1, 1, 1, 0)));
    let missed = statistics.people.iter().map(|one| one.missed).collect::<Vec<_>>();
    assert!(missed.iter().all(|missed| *missed > 0), "{missed:?}");
}

#[tokio::test]
async fn what_came_to_another_end_is_counted_apart() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let unbegun = crate::form(&desk, form("toy"), time(0)).await.unwrap().code;
    crate::end(&desk, &unbegun, &account("sakura"), None, None, time(1)).await.unwrap();
    let ended = table(&desk, "toy").await;
    crate::end(&desk, &ended, &account("sakura"), None, None, time(1)).await.unwrap();
    let cancelled = table(&desk, "toy").await;
    crate::appoint(
        &desk,
        &cancelled,
        &account("sakura"),
        account("momiji").as_str(),
        true,
        time(0),
    )
    .await
    .unwrap();
    crate::decide(&desk, &cancelled, &gm(), decision(Override::Cancel), time(1)).await.unwrap();
    let statistics = counted(&desk, 1).await;
    let ends = Ends { ended: 2, cancelled: 1, unbegun: 1, ..Ends::default() };
    assert_eq!((statistics.tables, statistics.games.len()), (ends, 0));
    let tables = |name: &str| {
        let found = statistics.people.iter().find(|one| one.who == person(name));
        found.map(|one| (one.tables, one.played))
    };
    assert_eq!((tables("sakura"), tables("kaede")), (Some((2, 0)), Some((2, 0))));
    assert_eq!(tables("momiji"), None);
}

#[tokio::test]
async fn an_end_that_is_not_announced_is_not_counted() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pace = Pace {
        announce: Announce::After(span(30 * MINUTE)),
        ..Pace::play(span(HOUR), chrono_tz::UTC)
    };
    let code = dealt(&desk, Form { pace, ..form("toy") }).await;
    let closed = played_out(&desk, &code, 0).await;
    assert_eq!(counted(&desk, closed).await.tables.all(), 0);
    let statistics = counted(&desk, closed + 30 * MINUTE).await;
    assert_eq!(statistics.tables.played, 1);
    let days = statistics.games[0].days.unwrap();
    #[expect(clippy::cast_precision_loss, reason = "a few hours")]
    let announced = (closed + 30 * MINUTE) as f64 / 86_400_000.0;
    assert!((days.max - announced).abs() < 1e-4, "{days:?}");
}

#[tokio::test]
async fn house_players_count_by_their_policy_and_whoever_is_forgotten_as_one() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for (host, now) in [("sakura", 0), ("kaede", 100 * HOUR)] {
        let form = Form { chairs: 3, host: guest(host), seed: None, ..form("toy") };
        let code = crate::form(&desk, form, time(now)).await.unwrap().code;
        crate::join(&desk, &code, guest(host), None, time(now)).await.unwrap();
        crate::start(&desk, &code, &account(host), "random", time(now)).await.unwrap();
        played_out(&desk, &code, now).await;
    }
    let all = counted(&desk, 200 * HOUR).await;
    let sides: Vec<_> = all.games[0].players_by_name.iter().map(|side| side.who.clone()).collect();
    assert_eq!(sides, [RatedPlayer::House("random".to_owned()), person("kaede"), person("sakura")]);
    let house = &all.games[0].players_by_name[0];
    assert_eq!((house.tables, house.chairs), (2, 4));
    assert!((house.expected - 2.0 / 3.0).abs() < 1e-9);
    assert!(all.people.iter().all(|one| !matches!(one.who, RatedPlayer::House(_))));

    let of = async |person: &str| {
        let which =
            StatisticsFilter { person: Some(person.to_owned()), ..StatisticsFilter::default() };
        crate::statistics(&desk, &which, time(200 * HOUR)).await.unwrap()
    };
    let kaede = of("kaede").await;
    assert_eq!((kaede.tables.played, kaede.people.len()), (1, 1));
    assert_eq!(of("nobody").await, Statistics::default());
    let other =
        StatisticsFilter { game: Some("toy-hidden".to_owned()), ..StatisticsFilter::default() };
    assert_eq!(
        crate::statistics(&desk, &other, time(200 * HOUR)).await.unwrap(),
        Statistics::default()
    );

    for name in ["sakura", "kaede"] {
        crate::forget(&desk, &account(name), time(200 * HOUR)).await.unwrap();
    }
    let all = counted(&desk, 200 * HOUR).await;
    let people: Vec<_> = all.people.iter().map(|one| (&one.who, one.tables)).collect();
    assert_eq!(people, [(&RatedPlayer::Forgotten, 2)]);
    assert!(!format!("{all:?}").contains("sakura") && all.tables.played == 2);
}

#[tokio::test]
async fn what_the_deal_brings_to_light_is_counted() {
    let database = Database::fresh().await;
    let store = Store::open(&Location::new(&database.url)).await.unwrap();
    let desk = Desk::new(store, games::GAMES);
    let (Kind { game, options }, group) = counted_from_the_deal_on();
    let code = dealt(&desk, Form { options, chairs: 3, ..form(game.key()) }).await;
    let end = played_out(&desk, &code, 1).await;
    let statistics = counted(&desk, end).await;
    let [of_game] = &statistics.games[..] else { panic!("{statistics:?}") };
    let counted = of_game.tallies.iter().find(|counted| counted.group == group).unwrap();
    let tally = |entries: &[_]| {
        let mut count = 0;
        game.tally(entries, &mut |_, of, _| count += u64::from(of == group));
        count
    };
    let (mut dealt, mut told) = (0, 0);
    for happened in happened(&desk, &code).await {
        match happened {
            Event::Dealt { entries, .. } => dealt += tally(&entries),
            Event::Closed { entries, .. } => told += tally(&entries),
            _ => {}
        }
    }
    assert!(dealt > 0);
    let total: u64 = counted.members.iter().map(|member| member.total).sum();
    assert_eq!(total, dealt + told);
}
