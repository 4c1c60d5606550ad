//! Locks by a game master.

use crate::model::Override;
use crate::record::{Event, Part};
use crate::tests::kit::Table;
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, account, desk, draft, guest, looks, refused, rows, say,
    seal, see, verify,
};
use crate::tests::window::kinds;
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use kit::toy::said;
use letters::{DeclarationRefused, OverrideRefused, Refused};
use tables::{CloseReason, HoldReason, OverrideNumber, Pace, WindowNumber};

const LOCK: Override = Override::Lock { stops: false };
const LOCK_AND_STOP: Override = Override::Lock { stops: true };

/// Returns the declarations of 桜 and 楓 in the open window: the seats, and 1 for a seal.
async fn received(table: &Table) -> Vec<(i64, i64)> {
    rows(&table.database, "select seat, sealed from declarations where number = 0 order by seat")
        .await
}

async fn misses(table: &Table) -> i64 {
    let sum = "select cast(coalesce(sum(misses), 0) as bigint) from attendance";
    rows::<(i64,)>(&table.database, sum).await[0].0
}

#[tokio::test]
async fn nothing_is_taken_while_it_holds() {
    for lock in [LOCK, LOCK_AND_STOP] {
        let table = Table::new().await;
        draft(&table.desk, &table.code, "sakura", BID, 1).await;
        table.decide(lock, 10 * MINUTE).await;
        for (text, status) in [
            (BID, DeclarationStatus::Sealed),
            ("bid.gold=4", DeclarationStatus::Draft),
            ("", DeclarationStatus::Draft),
        ] {
            let taken = say(&table.desk, &table.code, "sakura", text, status, 20 * MINUTE).await;
            assert_eq!(refused(taken), DeclarationRefused::LockedNow, "{text}");
        }
        assert_eq!(received(&table).await, [(0, 0)]);
        assert_eq!(looks(&table.desk, &table.code, HOUR).await, TickOutcome::Nothing);
        table.decide(Override::Unlock, 2 * HOUR).await;
        seal(&table.desk, &table.code, "sakura", BID, 2 * HOUR).await;
        verify(&table.database, &table.desk).await;
    }
}

#[tokio::test]
async fn nothing_is_done_at_once_either() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(LOCK, 2).await;
    let acted =
        crate::act(&table.desk, &table.code, &account("sakura"), &said("now.do=rest"), time(3))
            .await;
    assert_eq!(refused(acted), DeclarationRefused::LockedNow);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn nobody_orders_anything_at_a_locked_table() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = kinds::table(&desk).await;
    let host = crate::tests::kit::gm_called("sakura");
    let lock = crate::tests::kit::decision(LOCK);
    crate::decide(&desk, &code, &host, lock, time(HOUR)).await.unwrap();
    let orders = said("react.shield=pass");
    let given = crate::give_orders(&desk, &code, &account("kaede"), &orders, time(2 * HOUR)).await;
    assert_eq!(refused(given), DeclarationRefused::LockedNow);
}

#[tokio::test]
async fn a_deadline_before_which_it_is_unlocked_stands() {
    let table = Table::new().await;
    table.decide(LOCK, 10 * MINUTE).await;
    let sight = see(&table.desk, &table.code, "kaede", 10 * MINUTE).await;
    let standing = sight.window_progress(sight.play.as_ref().unwrap());
    assert!(standing.closes.is_some(), "its clock runs on");
    table.decide(Override::Unlock, 50 * MINUTE).await;
    assert_eq!(table.times().await, (0, HOUR));
    assert_eq!(table.told("0-extended%").await, []);
    assert_eq!(
        looks(&table.desk, &table.code, HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_deadline_under_it_is_put_off_by_as_long_and_nobody_misses() {
    let table = Table::new().await;
    table.decide(LOCK, 50 * MINUTE).await;
    for hour in 1..4 {
        assert_eq!(looks(&table.desk, &table.code, hour * HOUR).await, TickOutcome::Nothing);
    }
    table.decide(Override::Unlock, 3 * HOUR).await;
    let locked = 3 * HOUR - 50 * MINUTE;
    assert_eq!(table.times().await, (0, HOUR + locked));
    let told = table.told("0-extended%").await;
    assert_eq!(told.len(), 2, "once to each");
    for (_, parts) in told {
        let extended = matches!(parts[..], [Part::Event(Event::Extended { locked: true, .. })]);
        assert!(extended, "{parts:?}");
    }
    assert_eq!(misses(&table).await, 0);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_clock_that_stands_leaves_the_time_there_was() {
    let table = Table::new().await;
    table.decide(LOCK_AND_STOP, 20 * MINUTE).await;
    let sight = see(&table.desk, &table.code, "kaede", 20 * MINUTE).await;
    assert!(sight.window_progress(sight.play.as_ref().unwrap()).closes.is_none());
    table.decide(Override::Unlock, 30 * MINUTE).await;
    assert_eq!(table.times().await, (0, HOUR + 10 * MINUTE));
    verify(&table.database, &table.desk).await;
}

/// A hold of less than a second costs no time.
#[tokio::test]
async fn a_clock_that_stood_for_a_moment_puts_nothing_off() {
    let table = Table::new().await;
    table.decide(LOCK_AND_STOP, 20 * MINUTE).await;
    table.decide(Override::Unlock, 20 * MINUTE + 999).await;
    assert_eq!(table.times().await, (0, HOUR));
    assert_eq!(table.told("0-extended%").await, []);
    verify(&table.database, &table.desk).await;
}

/// The seals close the window once it is unlocked.
#[tokio::test]
async fn a_window_that_would_close_early_waits() {
    let table = Table::new().await;
    for name in ["sakura", "kaede"] {
        seal(&table.desk, &table.code, name, BID, 10 * MINUTE).await;
    }
    table.decide(LOCK, 10 * MINUTE).await;
    assert_eq!(looks(&table.desk, &table.code, 30 * MINUTE).await, TickOutcome::Nothing);
    table.decide(Override::Unlock, 40 * MINUTE).await;
    table.closes(40 * MINUTE).await;
    verify(&table.database, &table.desk).await;
}

/// A held table stays held, and the rest of the pause is returned.
#[tokio::test]
async fn a_pause_becomes_a_lock() {
    let table = Table::new().await;
    table.decide(Override::Pause { until: time(10 * HOUR) }, 10 * MINUTE).await;
    table.decide(LOCK, 2 * HOUR).await;
    assert_eq!(looks(&table.desk, &table.code, 11 * HOUR).await, TickOutcome::Nothing);
    table.decide(Override::Unlock, 12 * HOUR).await;
    assert_eq!(table.times().await, (0, HOUR + 12 * HOUR - 10 * MINUTE));
    let paused: Vec<(i64,)> = rows(&table.database, "select paused from tables").await;
    assert_eq!(paused, [(2 * HOUR - 10 * MINUTE,)]);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_locked_table_stays_locked_with_another_window() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(LOCK, 10 * MINUTE).await;
    table.decide(Override::Void, 20 * MINUTE).await;
    let sight = see(&table.desk, &table.code, "kaede", 20 * MINUTE).await;
    assert_eq!(
        (sight.held, sight.play.unwrap().number),
        (Some(HoldReason::Lock), WindowNumber::new(2))
    );
    let taken =
        say(&table.desk, &table.code, "sakura", DRAW, DeclarationStatus::Sealed, 21 * MINUTE).await;
    assert_eq!(refused(taken), DeclarationRefused::LockedNow);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_lock_is_undone_and_nobody_has_less_time() {
    let number = OverrideNumber::FIRST;
    for (lock, undone_at, closes) in [
        (LOCK, 20 * MINUTE, HOUR),
        (LOCK, 2 * HOUR, 3 * HOUR - 10 * MINUTE),
        (LOCK_AND_STOP, 20 * MINUTE, HOUR + 10 * MINUTE),
    ] {
        let table = Table::new().await;
        table.decide(lock, 10 * MINUTE).await;
        table.decide(Override::Undo { number }, undone_at).await;
        assert_eq!(table.times().await, (0, closes));
        assert_eq!(see(&table.desk, &table.code, "kaede", undone_at).await.held, None);
        verify(&table.database, &table.desk).await;
    }
}

#[tokio::test]
async fn it_is_locked_once_and_unlocked_once() {
    let table = Table::new().await;
    assert_eq!(table.refuses(Override::Unlock, 1).await, OverrideRefused::NotLocked);
    table.decide(LOCK, 2).await;
    for lock in [LOCK, LOCK_AND_STOP] {
        assert_eq!(table.refuses(lock, 3).await, OverrideRefused::Locked);
    }
    let pause = Override::Pause { until: time(HOUR) };
    assert_eq!(table.refuses(pause, 3).await, OverrideRefused::Still);
    // The host can unlock the table by resuming it, too.
    crate::resume(&table.desk, &table.code, &account("sakura"), None, time(4)).await.unwrap();
    assert_eq!(see(&table.desk, &table.code, "kaede", 4).await.held, None);
    let nobody = crate::resume(&table.desk, &table.code, &account("kaede"), None, time(5)).await;
    assert_eq!(refused(nobody), Refused::NotLeader);
    verify(&table.database, &table.desk).await;
}

/// A substitute who comes to a locked table is sent the deadline if its clock runs on.
#[tokio::test]
async fn whoever_stands_in_at_a_locked_table_is_told_whether_time_runs() {
    for (lock, stands) in [(LOCK, false), (LOCK_AND_STOP, true)] {
        let table = Table::new().await;
        table.decide(lock, 10 * MINUTE).await;
        let (account, until) = (account("sakura"), time(3 * HOUR));
        let (guest, now) = (guest("tsubaki"), time(20 * MINUTE));
        crate::delegate(&table.desk, &table.code, &account, guest, until, now).await.unwrap();
        let told = table.told("stand-in%").await;
        let [(_, parts)] = &told[..] else { panic!("{told:?}") };
        let [Part::StandIn { .. }, Part::Opening { still, .. }, Part::Event(Event::Held { .. })] =
            parts[..]
        else {
            panic!("{parts:?}")
        };
        assert_eq!(still, stands);
    }
}

/// The overrides made during a lock stay.
#[tokio::test]
async fn a_lock_is_undone_whatever_was_decided_under_it() {
    let number = OverrideNumber::FIRST;
    for lock in [LOCK, LOCK_AND_STOP] {
        let table = Table::new().await;
        table.decide(lock, 10 * MINUTE).await;
        let pace = Pace::play(span(2 * HOUR), chrono_tz::UTC);
        table.decide(Override::Pace { pace: Box::new(pace) }, 15 * MINUTE).await;
        table.decide(Override::Undo { number }, 20 * MINUTE).await;
        let sight = see(&table.desk, &table.code, "kaede", 20 * MINUTE).await;
        assert_eq!((sight.held, sight.next_pace.is_some()), (None, true));
        seal(&table.desk, &table.code, "sakura", BID, 21 * MINUTE).await;
        verify(&table.database, &table.desk).await;
    }
}

#[tokio::test]
async fn what_is_unlocked_at_once_has_moved_no_deadline() {
    for lock in [LOCK, LOCK_AND_STOP] {
        let table = Table::new().await;
        table.decide(lock, 10 * MINUTE).await;
        table.decide(Override::Unlock, 10 * MINUTE).await;
        assert_eq!(table.times().await, (0, HOUR));
        assert_eq!(table.told("0-extended%").await, []);
        verify(&table.database, &table.desk).await;
    }
}

#[tokio::test]
async fn everybody_sees_who_locked_it_and_why() {
    let table = Table::new().await;
    table.decide(LOCK, 10 * MINUTE).await;
    let sight = see(&table.desk, &table.code, "kaede", 20 * MINUTE).await;
    let wanted = sight.wanted.clone().unwrap();
    assert_eq!((wanted.since, wanted.voted), (time(10 * MINUTE), false));
    assert_eq!(wanted.by, None, "the GM has no seat");
    assert!(!wanted.reason.is_empty());
    assert_eq!(sight.refuse_standstill(), Err(DeclarationRefused::LockedNow.into()));
}
