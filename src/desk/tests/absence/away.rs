//! Players who are away.

use crate::record::{Event, Part};
use crate::tests::absence::deadline::{dealt_with, quietly, struck, told};
use crate::tests::support::{
    BID, Database, HOUR, account, desk, guest, happened, looks, refused, rows, seal, see, verify,
};
use crate::tick::TickOutcome;
use kit::time::{span, time};
use kit::toy::P1;
use letters::{AbsenceRefused, Refused};
use tables::absence::{Away, Condition, Deed, LONGEST_AWAY, MOST_PUT_OFF};
use tables::{Absence, CloseReason, WindowNumber};

fn away(away: Away) -> Absence {
    // The allowance is for missing players only.
    Absence { away, allowance: 1, inactive_after: 1, ..Absence::default() }
}

#[tokio::test]
async fn the_windows_of_that_time_do_not_wait() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, away(Away::Skip), quietly("toy")).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Nothing);
    crate::away(&desk, &account("sakura"), time(HOUR / 2), time(2 * HOUR), time(2)).await.unwrap();
    let part = Part::Event(Event::Away {
        seat: P1,
        away: Some((time(HOUR / 2), time(2 * HOUR))),
        rule: Away::Skip,
    });
    let letters = ["sakura", "kaede"].map(|name| (account(name).to_string(), vec![part.clone()]));
    assert_eq!(told(&database, "away-").await, letters);
    assert_eq!(looks(&desk, &code, 2).await, TickOutcome::Closed(CloseReason::AllSealed));
    let skipped = (P1, Condition::Away, Deed::ByDefault, 0, false);
    assert_eq!(struck(&desk, &code).await, [skipped], "it is no miss");
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_deadline_outside_of_that_time_waits_as_ever() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, away(Away::Skip), quietly("toy")).await;
    crate::away(&desk, &account("sakura"), time(1), time(HOUR), time(0)).await.unwrap();
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime, "they have one to spare");
}

#[tokio::test]
async fn a_deadline_is_put_off_until_they_are_back() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, away(Away::Extend), quietly("toy")).await;
    crate::away(&desk, &account("sakura"), time(1), time(2 * HOUR + 1), time(0)).await.unwrap();
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Nothing, "they are waited for");
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    let closes = see(&desk, &code, "kaede", HOUR).await.play.unwrap().timing.closes;
    assert_eq!(closes, time(3 * HOUR));
    let part = Part::Event(Event::PutOff {
        number: WindowNumber::FIRST,
        missing: Vec::new(),
        away: vec![P1],
        closes,
    });
    assert_eq!(told(&database, "put-off").await[0].1, [part]);
    // The player is back and still silent: their allowance is unspent, as the absence did not count towards
    // it.
    assert_eq!(looks(&desk, &code, 3 * HOUR).await, TickOutcome::MoreTime);
    assert_eq!(looks(&desk, &code, 4 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let missed = (P1, Condition::NothingSent, Deed::ByDefault, 1, true);
    assert_eq!(struck(&desk, &code).await, [missed]);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn nobody_who_is_away_puts_a_window_off_for_ever() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, away(Away::Extend), quietly("toy")).await;
    crate::away(&desk, &account("sakura"), time(1), time(100 * HOUR), time(0)).await.unwrap();
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    let closes = see(&desk, &code, "kaede", HOUR).await.play.unwrap().timing.closes;
    assert_eq!(closes, time(i64::from(1 + MOST_PUT_OFF) * HOUR));
    assert_eq!(
        looks(&desk, &code, closes.milliseconds()).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    let skipped = (P1, Condition::Away, Deed::ByDefault, 0, false);
    assert_eq!(struck(&desk, &code).await[0], skipped);
}

#[tokio::test]
async fn a_house_player_declares_meanwhile() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, away(Away::House), quietly("toy")).await;
    crate::away(&desk, &account("sakura"), time(1), time(2 * HOUR), time(0)).await.unwrap();
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    let by_house = (P1, Condition::Away, Deed::ByHouse, 0, false);
    assert_eq!(struck(&desk, &code).await, [by_house]);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn whom_they_have_named_is_waited_for_and_without_anybody_nobody_is() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, away(Away::Substitute), quietly("toy")).await;
    crate::away(&desk, &account("sakura"), time(1), time(9 * HOUR), time(0)).await.unwrap();
    crate::delegate(&desk, &code, &account("sakura"), guest("momiji"), time(8 * HOUR), time(0))
        .await
        .unwrap();
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Nothing);
    crate::dismiss_substitute(&desk, &code, &account("sakura"), time(2)).await.unwrap();
    assert_eq!(looks(&desk, &code, 2).await, TickOutcome::Closed(CloseReason::AllSealed));
}

#[tokio::test]
async fn whoever_declares_from_afar_is_there() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, away(Away::Skip), quietly("toy")).await;
    crate::away(&desk, &account("sakura"), time(1), time(9 * HOUR), time(0)).await.unwrap();
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 1).await;
    }
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(struck(&desk, &code).await, []);
}

#[tokio::test]
async fn whoever_is_there_again_is_waited_for() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let mut form = quietly("toy");
    form.pace.cool_down = span(10);
    let code = dealt_with(&desk, away(Away::Skip), form).await;
    crate::away(&desk, &account("sakura"), time(1), time(9 * HOUR), time(0)).await.unwrap();
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(11)));
    for _ in 0..2 {
        crate::not_away(&desk, &account("sakura"), time(2)).await.unwrap();
    }
    assert_eq!(crate::away_of(&desk, &account("sakura")).await.unwrap(), None);
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(HOUR)));
    let happened = happened(&desk, &code).await;
    let told = |happened: &&Event| matches!(happened, Event::Away { away: None, .. });
    assert_eq!(happened.iter().filter(told).count(), 1);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn all_tables_of_a_person_are_told() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for _ in 0..2 {
        dealt_with(&desk, away(Away::Skip), quietly("toy")).await;
    }
    crate::away(&desk, &account("kaede"), time(1), time(2), time(0)).await.unwrap();
    assert_eq!(told(&database, "away-").await.len(), 4);
}

#[tokio::test]
async fn nobody_is_away_in_the_past_or_without_end() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    dealt_with(&desk, away(Away::Skip), quietly("toy")).await;
    for (from, until) in [
        (5, 5),
        (9, 5),
        (1, HOUR),
        (2 * HOUR, 2 * HOUR + LONGEST_AWAY.milliseconds() + 1),
        (0, i64::MAX),
    ] {
        let went =
            crate::away(&desk, &account("sakura"), time(from), time(until), time(HOUR)).await;
        assert_eq!(refused(went), AbsenceRefused::NoPeriod, "{from}-{until}");
    }
    let went = crate::away(&desk, &account("momiji"), time(1), time(2), time(0)).await;
    assert_eq!(refused(went), Refused::NotSeated);
    let kept: Vec<(i64,)> = rows(&database, "select from_at from away").await;
    assert_eq!(kept, []);
}
