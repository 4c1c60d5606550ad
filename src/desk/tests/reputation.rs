//! The attendance record of people, the windows that count, and the minimum that a host may require.

use crate::absence::reputation::Reputation;
use crate::model::{Desk, Judgement, Override};
use crate::tests::absence::deadline::{dealt_with, quietly, set};
use crate::tests::kit::{LATER, Table, decision, gm, judge};
use crate::tests::record::forget::found;
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, account, desk, draft, form, guest, looks, refused, rows,
    say, seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use kit::toy::{P1, P2, said};
use letters::{DeclarationRefused, SeatRefused};
use tables::absence::{Away, Minimum, Tally, Unmet};
use tables::{Absence, CloseReason, WindowNumber};

async fn kept(desk: &Desk, name: &str, now: i64) -> Tally {
    let Reputation { lately, long } =
        crate::reputation(desk, &account(name), time(now)).await.unwrap();
    assert_eq!(lately, long);
    lately
}

fn early(early: u8) -> Tally {
    Tally { windows: early, early, ..Tally::default() }
}

fn missed(missed: u8) -> Tally {
    Tally { windows: missed, missed, ..Tally::default() }
}

fn late() -> Tally {
    Tally { windows: 1, late: 1, ..Tally::default() }
}

const NOTHING: Tally = Tally { windows: 0, early: 0, in_time: 0, late: 0, missed: 0, replaced: 0 };

#[tokio::test]
async fn early_in_time_late_and_missed_windows_are_told_apart() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { grace: span(30 * MINUTE), ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    // 桜 has sealed early, reconsiders in the second half, and 楓 comes in the grace period.
    seal(&desk, &code, "sakura", BID, 1).await;
    seal(&desk, &code, "sakura", BID, HOUR / 2).await;
    assert_eq!(kept(&desk, "sakura", HOUR).await, NOTHING, "the window is open");
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    seal(&desk, &code, "kaede", BID, HOUR + 1).await;
    assert_eq!(looks(&desk, &code, HOUR + 1).await, TickOutcome::Closed(CloseReason::Deadline));
    let in_time = Tally { windows: 1, in_time: 1, ..Tally::default() };
    assert_eq!(kept(&desk, "sakura", HOUR + 1).await, in_time);
    assert_eq!(kept(&desk, "kaede", HOUR + 1).await, late());
    // A draft counts, and is never early; only an empty declaration is a miss.
    let opened = HOUR + 1;
    draft(&desk, &code, "sakura", DRAW, opened + 1).await;
    assert_eq!(looks(&desk, &code, opened + HOUR).await, TickOutcome::MoreTime);
    let end = opened + HOUR + 30 * MINUTE;
    assert_eq!(looks(&desk, &code, end).await, TickOutcome::Closed(CloseReason::Deadline));
    let twice = Tally { windows: 2, in_time: 2, ..Tally::default() };
    assert_eq!(kept(&desk, "sakura", end).await, twice);
    let both = Tally { windows: 2, late: 1, missed: 1, ..Tally::default() };
    assert_eq!(kept(&desk, "kaede", end).await, both);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn default_actions_counted_as_absence() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    // Both seal, and everything goes by its default.
    for name in ["sakura", "kaede"] {
        say(&desk, &code, name, "", DeclarationStatus::Sealed, 1).await.unwrap();
    }
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    for name in ["sakura", "kaede"] {
        assert_eq!(kept(&desk, name, 1).await, early(1));
    }
}

#[tokio::test]
async fn whoever_is_away_or_waited_for_no_longer_misses_nothing() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { inactive_after: 1, away: Away::House, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    crate::away(&desk, &account("sakura"), time(1), time(2 * HOUR), time(1)).await.unwrap();
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    assert_eq!(kept(&desk, "sakura", HOUR).await, NOTHING, "a house player declared");
    assert_eq!(kept(&desk, "kaede", HOUR).await, missed(1));
    crate::not_away(&desk, &account("sakura"), time(HOUR + 1)).await.unwrap();
    seal(&desk, &code, "sakura", DRAW, HOUR + 2).await;
    assert_eq!(looks(&desk, &code, HOUR + 2).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(kept(&desk, "sakura", HOUR + 2).await, early(1));
    assert_eq!(kept(&desk, "kaede", HOUR + 2).await, missed(1), "no window waited for them");
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_seat_that_is_stood_in_for_counts_for_whoever_declares_or_should_have() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    crate::delegate(&desk, &code, &account("sakura"), guest("momiji"), time(9 * HOUR), time(1))
        .await
        .unwrap();
    seal(&desk, &code, "momiji", BID, 2).await;
    seal(&desk, &code, "kaede", BID, 2).await;
    assert_eq!(looks(&desk, &code, 2).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(kept(&desk, "momiji", 2).await, early(1));
    assert_eq!(kept(&desk, "sakura", 2).await, NOTHING);
    assert_eq!(looks(&desk, &code, 2 + HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let both = Tally { windows: 2, early: 1, missed: 1, ..Tally::default() };
    assert_eq!(kept(&desk, "momiji", 2 + HOUR).await, both);
    assert_eq!(kept(&desk, "sakura", 2 + HOUR).await, NOTHING);
    // The player of the seat declares in spite of the substitute.
    seal(&desk, &code, "sakura", DRAW, 3 + HOUR).await;
    seal(&desk, &code, "kaede", DRAW, 3 + HOUR).await;
    looks(&desk, &code, 3 + HOUR).await;
    assert_eq!(kept(&desk, "sakura", 3 + HOUR).await, early(1));
    assert_eq!(kept(&desk, "momiji", 3 + HOUR).await, both);
}

#[tokio::test]
async fn nothing_is_told_of_a_window_before_it_is_announced() {
    let table = Table::announced_later().await;
    table.bid(1).await;
    assert_eq!(kept(&table.desk, "sakura", 2).await, NOTHING);
    let taken =
        crate::personal_data(&table.desk, &account("sakura"), time(2)).await.unwrap().unwrap();
    assert_eq!(taken["windows"][0]["kept"], "early");
    assert!(taken["windows"][0]["at"].is_null(), "{}", taken["windows"]);
    // A result that is held back is not shown, either.
    table.decide(Override::Hold, 2).await;
    assert_eq!(kept(&table.desk, "sakura", 9 * HOUR).await, NOTHING);
    table.decide(Override::Publish, 9 * HOUR).await;
    assert_eq!(kept(&table.desk, "sakura", 9 * HOUR).await, early(1));
}

#[tokio::test]
async fn a_window_that_is_asked_again_or_gone_back_from_counts_for_nobody() {
    let table = Table::new().await;
    table.bid(1).await;
    seal(&table.desk, &table.code, "sakura", DRAW, 2).await;
    table.decide(Override::Void, 3).await;
    for name in ["sakura", "kaede"] {
        assert_eq!(kept(&table.desk, name, 3).await, early(1));
    }
    table.both(DRAW, DRAW, 4).await;
    assert_eq!(kept(&table.desk, "sakura", 4).await, early(2));
    let before = table.standing().await;
    table.decide(Override::Rollback { number: WindowNumber::new(0), round: None }, 5).await;
    assert_eq!(kept(&table.desk, "sakura", 5).await, NOTHING);
    table.undone(&before, 5).await;
    assert_eq!(kept(&table.desk, "sakura", 5).await, early(2), "and back again");
    verify(&table.database, &table.desk).await;
}

/// Returns the misses of each seat, and the time since which it is inactive.
async fn attendance(table: &Table) -> Vec<(i64, i64, Option<i64>)> {
    let attendance = "select seat, misses, inactive_at from attendance order by seat";
    rows(&table.database, attendance).await
}

#[tokio::test]
async fn what_came_too_late_and_counts_is_no_miss() {
    let table = Table::announced_later().await;
    let absence = Absence { inactive_after: 1, ..Absence::default() };
    set(&table.desk, &table.code, absence, 0).await;
    table.bid(1).await;
    let (now, end) = (2 + LATER, 1 + LATER + HOUR);
    seal(&table.desk, &table.code, "kaede", DRAW, now).await;
    assert_eq!(
        looks(&table.desk, &table.code, end).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    let late_one =
        say(&table.desk, &table.code, "sakura", DRAW, DeclarationStatus::Sealed, end + 1).await;
    assert_eq!(refused(late_one), DeclarationRefused::Late);
    assert_eq!(attendance(&table).await, [(0, 1, Some(end))]);
    table.decide(judge(1, Judgement::AcceptLate { seat: P1 }), end + 2).await;
    assert_eq!(attendance(&table).await, [(0, 0, None)], "windows wait for them");
    let told = end + 2 * HOUR;
    let once = Tally { windows: 2, early: 1, late: 1, ..Tally::default() };
    assert_eq!(kept(&table.desk, "sakura", told).await, once);
    // After the undoing, the window is a miss again.
    let number = table.newest().await;
    table.decide(Override::Undo { number }, end + 3).await;
    assert_eq!(attendance(&table).await, [(0, 1, Some(end))]);
    let once = Tally { windows: 2, early: 1, missed: 1, ..Tally::default() };
    assert_eq!(kept(&table.desk, "sakura", told).await, once);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn what_is_resolved_otherwise_counts_once() {
    let table = Table::announced_later().await;
    table.bid(1).await;
    let choose = Judgement::Choose { seat: P2, answers: said("bid.gold=2") };
    table.decide(judge(0, choose), 2).await;
    assert_eq!(kept(&table.desk, "sakura", LATER).await, NOTHING);
    for name in ["sakura", "kaede"] {
        assert_eq!(kept(&table.desk, name, 2 + LATER).await, early(1));
    }
}

#[tokio::test]
async fn whoever_loses_their_seat_was_replaced_as_long_as_they_did() {
    let table = Table::new().await;
    table.bid(1).await;
    seal(&table.desk, &table.code, "sakura", DRAW, 2).await;
    table.decide_with(Override::Replace { seat: P1 }, Some(guest("tsubaki")), 3).await;
    let once = Tally { windows: 2, early: 1, replaced: 1, ..Tally::default() };
    assert_eq!(kept(&table.desk, "sakura", 3).await, once);
    assert_eq!(kept(&table.desk, "tsubaki", 3).await, NOTHING);
    let number = table.newest().await;
    table.decide(Override::Undo { number }, 4).await;
    assert_eq!(kept(&table.desk, "sakura", 4).await, early(1));
    let house = Override::House { seat: P2, policy: "random".to_owned() };
    table.decide(house, 5).await;
    assert_eq!(kept(&table.desk, "kaede", 5).await, once);
    // A rollback of the table does not change this.
    table.decide(Override::Rollback { number: WindowNumber::new(0), round: None }, 6).await;
    let replaced = Tally { windows: 1, replaced: 1, ..Tally::default() };
    assert_eq!(kept(&table.desk, "kaede", 6).await, replaced);
}

#[tokio::test]
async fn whoever_has_said_that_they_are_away_was_not_replaced() {
    let table = Table::new().await;
    crate::away(&table.desk, &account("sakura"), time(1), time(9 * HOUR), time(1)).await.unwrap();
    table.decide_with(Override::Replace { seat: P1 }, Some(guest("tsubaki")), 2).await;
    assert_eq!(kept(&table.desk, "sakura", 2).await, NOTHING);
}

/// Plays a table at which 桜 misses a number of windows, and 楓 none.
async fn missing(desk: &Desk, windows: i64) {
    let absence = Absence { inactive_after: 0, ..Absence::default() };
    let code = dealt_with(desk, absence, quietly("toy")).await;
    for window in 0..windows {
        let text = if window == 0 { BID } else { DRAW };
        seal(desk, &code, "kaede", text, window * HOUR + 1).await;
        assert_eq!(
            looks(desk, &code, (window + 1) * HOUR).await,
            TickOutcome::Closed(CloseReason::Deadline)
        );
    }
}

#[tokio::test]
async fn who_has_missed_too_much_may_not_join_and_is_told_what_is_required() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    missing(&desk, 2).await;
    let now = 3 * HOUR;
    let minimum = Minimum { missed: 1, of: 10 };
    let table = crate::table::form::Form { host: guest("kaede"), ..form("toy") };
    let code = crate::form(&desk, table, time(now)).await.unwrap().code;
    let absence = Absence { minimum: Some(minimum), ..Absence::default() };
    let change = crate::table::form::TableChange::Absence(absence);
    crate::change_table(&desk, &code, &account("kaede"), change, time(now)).await.unwrap();
    let unmet = Unmet { minimum, missed: 2 };
    let joins = crate::join(&desk, &code, guest("sakura"), None, time(now)).await;
    assert_eq!(refused(joins), SeatRefused::Missed(unmet));
    assert_eq!(see(&desk, &code, "kaede", now).await.taken, []);
    // An unknown person may join, and so may one with a good record.
    crate::join(&desk, &code, guest("momiji"), None, time(now)).await.unwrap();
    crate::join(&desk, &code, guest("kaede"), None, time(now)).await.unwrap();
    let lenient = Absence { minimum: Some(Minimum { missed: 2, of: 10 }), ..absence };
    let change = crate::table::form::TableChange::Absence(lenient);
    crate::change_table(&desk, &code, &account("kaede"), change, time(now)).await.unwrap();
    assert_eq!(
        refused(crate::join(&desk, &code, guest("sakura"), None, time(now)).await),
        SeatRefused::Full
    );
    // A game master cannot seat the person either, and learns no more than that.
    crate::change_table(
        &desk,
        &code,
        &account("kaede"),
        crate::table::form::TableChange::Absence(absence),
        time(now),
    )
    .await
    .unwrap();
    crate::start(&desk, &code, &account("kaede"), "random", time(now)).await.unwrap();
    let replaces = crate::overrides::decision::Decision {
        guest: Some(guest("sakura")),
        ..decision(Override::Replace { seat: P1 })
    };
    let host = crate::model::overrides::Gm { account: account("kaede"), ..gm() };
    let decided = crate::decide(&desk, &code, &host, replaces, time(now)).await;
    assert_eq!(refused(decided), SeatRefused::TheyMissed);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn how_somebody_kept_their_windows_is_theirs_to_take_and_to_erase() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    missing(&desk, 2).await;
    let taken =
        crate::personal_data(&desk, &account("sakura"), time(3 * HOUR)).await.unwrap().unwrap();
    let windows: Vec<_> = taken["windows"].as_array().unwrap().iter().collect();
    assert_eq!(windows.len(), 2);
    assert!(windows.iter().all(|window| window["kept"] == "missed"), "{windows:?}");
    let people = "select account from reputation join people on people.person = reputation.person
        group by account order by account";
    let people: Vec<(String,)> = rows(&database, people).await;
    assert_eq!(people.len(), 2);
    crate::forget(&desk, &account("sakura"), time(3 * HOUR)).await.unwrap();
    assert_eq!(found(&database, "sakura").await, [""; 0]);
    assert_eq!(kept(&desk, "sakura", 3 * HOUR).await, NOTHING);
    let left: Vec<(i64,)> = rows(&database, "select count(*) from reputation").await;
    assert_eq!(left, [(2,)], "those of 楓");
    verify(&database, &desk).await;
}
