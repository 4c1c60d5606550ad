//! A player who has missed too many windows is inactive until they are back.

use crate::model::Desk;
use crate::record::{Event, Part};
use crate::table::form::Form;
use crate::tests::absence::deadline::{dealt_with, quietly, set, struck, told};
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, VALUE, account, desk, draft, execute, guest, happened,
    looks, passes, refused, seal, see, suspended, verify,
};
use crate::tick::TickOutcome;
use kit::kinds::{Kind, open_handed};
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::Refused;
use rules::Seat;
use rules::text::Lang;
use store::{Location, Store};
use tables::absence::{Condition, Deed, Inactive};
use tables::{Absence, CloseReason, TableCode, WindowNumber};

const P3: Seat = Seat::new(2);

/// Returns a table, two hours old, at which 桜 has missed two windows in a row.
async fn missed_twice(desk: &Desk, absence: Absence, game: &str) -> TableCode {
    let code = dealt_with(desk, absence, quietly(game)).await;
    for (window, text) in [(0, BID), (1, DRAW)] {
        seal(desk, &code, "kaede", text, window * HOUR + 1).await;
        assert_eq!(
            looks(desk, &code, (window + 1) * HOUR).await,
            TickOutcome::Closed(CloseReason::Deadline)
        );
    }
    code
}

/// Deals an open-handed game with 桜, 楓 and 蓮, and plays two windows in which only 桜 acts.
async fn two_are_gone(database: &Database, inactive: Inactive) -> (Desk, TableCode) {
    let store = Store::open(&Location::new(&database.url)).await.unwrap();
    let desk = Desk::new(store, games::GAMES);
    let Kind { game, options } = open_handed();
    let form = Form { options, chairs: 3, ..quietly(game.key()) };
    let code = crate::form(&desk, form, time(0)).await.unwrap().code;
    for name in ["sakura", "kaede", "ren"] {
        crate::join(&desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    set(&desk, &code, Absence { inactive, ..Absence::default() }, 0).await;
    crate::start(&desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    for window in 0..2 {
        takes(&desk, &code, "sakura", window * HOUR + 1).await;
        assert_eq!(
            looks(&desk, &code, (window + 1) * HOUR).await,
            TickOutcome::Closed(CloseReason::Deadline)
        );
    }
    (desk, code)
}

async fn takes(desk: &Desk, code: &TableCode, name: &str, now: i64) {
    let sight = see(desk, code, name, now).await;
    let said = sight.read_act(&sight.acts(Lang::En)[0].text).declaration;
    crate::act(desk, code, &account(name), &said, time(now)).await.unwrap();
}

#[tokio::test]
async fn where_all_is_done_at_once_whoever_did_nothing_has_missed_the_window() {
    let database = Database::fresh().await;
    let (desk, code) = two_are_gone(&database, Inactive::Skip).await;
    let gone = |seat| (seat, Condition::NothingSent, Deed::ByDefault, 2, true);
    assert_eq!(struck(&desk, &code).await, [gone(P2), gone(P3)]);
    for (name, kept, missed) in [("sakura", 2, 0), ("kaede", 0, 2), ("ren", 0, 2)] {
        let lately = crate::reputation(&desk, &account(name), time(2 * HOUR)).await.unwrap().lately;
        assert_eq!((lately.early, lately.missed), (kept, missed), "{name}");
    }
    // A player who acts is back.
    takes(&desk, &code, "kaede", 2 * HOUR + 1).await;
    assert!(happened(&desk, &code).await.contains(&Event::Back { seat: P2 }));
    assert_eq!(looks(&desk, &code, 3 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let missed = (P1, Condition::NothingSent, Deed::ByDefault, 1, false);
    let passed = (P3, Condition::Inactive, Deed::ByDefault, 0, false);
    assert_eq!(struck(&desk, &code).await, [missed, passed]);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn where_all_is_done_at_once_a_house_player_acts_for_who_is_gone() {
    let database = Database::fresh().await;
    let (desk, code) = two_are_gone(&database, Inactive::House).await;
    let happened = happened(&desk, &code).await;
    for seat in [P2, P3] {
        let is_own = |happened: &Event| matches!(happened, Event::Acted { number, act, .. } if *number == WindowNumber::new(2) && act.seat == seat);
        assert!(happened.iter().any(is_own), "{seat:?}");
    }
    looks(&desk, &code, 3 * HOUR).await;
    let struck = struck(&desk, &code).await;
    let by_house = |seat| (seat, Condition::Inactive, Deed::ByHouse, 0, false);
    assert!(struck.iter().all(|one| one.0 == P1 || *one == by_house(one.0)), "{struck:?}");
    verify(&database, &desk).await;
}

async fn came_back(desk: &Desk, code: &TableCode) -> usize {
    let happened = happened(desk, code).await;
    happened.iter().filter(|happened| matches!(happened, Event::Back { seat: P1 })).count()
}

#[tokio::test]
async fn no_window_waits_for_who_has_missed_two_in_a_row() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed_twice(&desk, Absence::default(), "toy").await;
    let gone = (P1, Condition::NothingSent, Deed::Skipped, 2, true);
    assert_eq!(struck(&desk, &code).await, [gone]);
    for (_, parts) in told(&database, "-2-opening").await {
        let news = |part: &Part| matches!(part, Part::Event(Event::Struck { struck, .. }) if struck[0].inactive);
        assert!(parts.iter().any(news), "everybody is told");
    }
    let now = 2 * HOUR + 1;
    seal(&desk, &code, "kaede", DRAW, now).await;
    assert_eq!(looks(&desk, &code, now).await, TickOutcome::Closed(CloseReason::AllSealed));
    let passed = (P1, Condition::Inactive, Deed::Skipped, 0, false);
    assert_eq!(struck(&desk, &code).await, [passed]);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_declaration_in_time_begins_the_count_anew() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    draft(&desk, &code, "sakura", DRAW, HOUR + 1).await;
    assert_eq!(looks(&desk, &code, 2 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    assert_eq!(looks(&desk, &code, 3 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let missed = |seat, misses| (seat, Condition::NothingSent, Deed::Skipped, misses, false);
    let struck = struck(&desk, &code).await;
    assert_eq!(struck[0], missed(P1, 1));
    assert_eq!(struck[1], (P2, Condition::Inactive, Deed::Skipped, 0, false));
}

#[tokio::test]
async fn one_press_and_they_are_back() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed_twice(&desk, Absence::default(), "toy").await;
    let now = 2 * HOUR + 1;
    assert_eq!(
        refused(crate::back(&desk, &code, &account("momiji"), time(now)).await),
        Refused::NotSeated
    );
    for _ in 0..2 {
        assert_eq!(crate::back(&desk, &code, &account("sakura"), time(now)).await.unwrap(), P1);
    }
    assert_eq!(came_back(&desk, &code).await, 1, "a double press is one");
    let back = vec![Part::Event(Event::Back { seat: P1 })];
    let letters = ["sakura", "kaede"].map(|name| (account(name).to_string(), back.clone()));
    assert_eq!(told(&database, "back-").await, letters);
    seal(&desk, &code, "kaede", DRAW, now).await;
    assert_eq!(looks(&desk, &code, now).await, TickOutcome::Nothing, "桜 is waited for");
    // The misses are counted from zero.
    assert_eq!(looks(&desk, &code, 3 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let missed = (P1, Condition::NothingSent, Deed::Skipped, 1, false);
    assert_eq!(struck(&desk, &code).await, [missed]);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn one_press_in_the_cool_down_and_the_window_waits() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let mut form = quietly("toy");
    form.pace.cool_down = span(10 * MINUTE);
    let code = dealt_with(&desk, Absence { inactive_after: 1, ..Absence::default() }, form).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    seal(&desk, &code, "kaede", DRAW, HOUR + 1).await;
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(HOUR + 1 + 10 * MINUTE)));
    crate::back(&desk, &code, &account("sakura"), time(HOUR + 2)).await.unwrap();
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(2 * HOUR)));
}

#[tokio::test]
async fn whoever_declares_is_back() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed_twice(&desk, Absence::default(), "toy").await;
    let now = 2 * HOUR + 1;
    draft(&desk, &code, "sakura", DRAW, now).await;
    assert_eq!(came_back(&desk, &code).await, 1);
    seal(&desk, &code, "kaede", DRAW, now).await;
    assert_eq!(looks(&desk, &code, now).await, TickOutcome::Nothing);
    seal(&desk, &code, "sakura", DRAW, now + 1).await;
    assert_eq!(looks(&desk, &code, now + 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(came_back(&desk, &code).await, 1);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_house_player_declares_for_who_is_gone() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { inactive: Inactive::House, ..Absence::default() };
    let code = missed_twice(&desk, absence, "toy").await;
    let now = 2 * HOUR + 1;
    assert!(see(&desk, &code, "sakura", now).await.play.unwrap().own.is_empty());
    seal(&desk, &code, "kaede", DRAW, now).await;
    assert_eq!(looks(&desk, &code, now).await, TickOutcome::Closed(CloseReason::AllSealed));
    let by_house = (P1, Condition::Inactive, Deed::ByHouse, 0, false);
    assert_eq!(struck(&desk, &code).await, [by_house]);
    let sealed = happened(&desk, &code).await.into_iter().find_map(|happened| match happened {
        Event::Closed { number, sealed, awaited, .. } if number == WindowNumber::new(2) => {
            Some((sealed.len(), awaited))
        }
        _ => None,
    });
    assert_eq!(sealed, Some((2, Vec::new())));
    verify(&database, &desk).await;
}

#[tokio::test]
async fn nobody_is_waited_for_never_where_the_host_wants_it_so() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { inactive_after: 0, ..Absence::default() };
    let code = missed_twice(&desk, absence, "toy").await;
    assert!(!struck(&desk, &code).await[0].4);
    seal(&desk, &code, "kaede", DRAW, 2 * HOUR + 1).await;
    assert_eq!(looks(&desk, &code, 2 * HOUR + 1).await, TickOutcome::Nothing);
}

#[tokio::test]
async fn a_loop_that_skips_empty_windows_running_away() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { inactive_after: 1, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    // Nobody comes any more: each window has its whole time.
    for hour in 1..4 {
        assert_eq!(
            passes(&desk, &code, hour * HOUR).await,
            TickOutcome::Closed(CloseReason::Deadline)
        );
        assert_eq!(looks(&desk, &code, hour * HOUR).await, TickOutcome::Nothing);
        assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time((hour + 1) * HOUR)));
    }
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_window_that_asks_only_who_is_gone_is_open_for_a_tenth_of_its_time() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    suspended(&desk, &code).await;
    let gone = format!(
        "insert into attendance (code, seat, person, misses, put_off, inactive_at)
         select code, seat, person, 2, 0, 0 from seats where code = '{code}' and seat = 1"
    );
    execute(&database, &gone).await;
    // An absence lets the window be looked at again.
    crate::away(&desk, &account("sakura"), time(9 * HOUR), time(10 * HOUR), time(2)).await.unwrap();
    let tenth = 2 + HOUR / 10;
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(tenth)));
    assert_eq!(looks(&desk, &code, tenth - 1).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, tenth).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(struck(&desk, &code).await[0].1, Condition::Inactive);
}

#[tokio::test]
async fn whoever_is_gone_has_neither_allowance_nor_grace() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed_twice(&desk, Absence::default(), "toy").await;
    let absence = Absence { allowance: 4, grace: span(HOUR), ..Absence::default() };
    set(&desk, &code, absence, 2 * HOUR + 1).await;
    draft(&desk, &code, "kaede", DRAW, 2 * HOUR + 2).await;
    assert_eq!(looks(&desk, &code, 3 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    draft(&desk, &code, "kaede", DRAW, 3 * HOUR + 2).await;
    assert_eq!(looks(&desk, &code, 4 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
}
