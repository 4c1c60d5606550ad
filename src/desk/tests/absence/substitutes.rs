//! Substitutes who play for a seat until a set time.

use crate::record::{Event, Letter, Part};
use crate::tests::absence::deadline::{dealt_with, quietly, told};
use crate::tests::support::{
    BID, DRAW, Database, HOUR, account, desk, guest, happened, journal, looks, refused, rows, say,
    seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::time;
use kit::toy::{P1, P2};
use letters::{AbsenceRefused, Refused};
use rules::Viewer;
use tables::absence::LONGEST_AWAY;
use tables::{Absence, CloseReason, WindowNumber};

const UNTIL: i64 = 3 * HOUR;

#[tokio::test]
async fn they_see_and_declare_for_that_seat_alone_until_the_end() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    let declared = say(&desk, &code, "momiji", BID, DeclarationStatus::Sealed, 1).await;
    assert_eq!(refused(declared), Refused::NotSeated);
    let seat =
        crate::delegate(&desk, &code, &account("sakura"), guest("momiji"), time(UNTIL), time(1))
            .await
            .unwrap();
    assert_eq!(seat, P1);
    let sight = see(&desk, &code, "momiji", 1).await;
    assert_eq!((sight.seat, sight.viewer(), sight.is_host), (Some(P1), Viewer::Seat(P1), false));
    seal(&desk, &code, "momiji", BID, 1).await;
    assert!(!see(&desk, &code, "sakura", 1).await.play.unwrap().own.is_empty());
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    // The player of the seat still plays it.
    seal(&desk, &code, "sakura", DRAW, 2).await;
    seal(&desk, &code, "momiji", DRAW, 3).await;
    assert_eq!(see(&desk, &code, "momiji", UNTIL - 1).await.seat, Some(P1));
    assert_eq!(see(&desk, &code, "momiji", UNTIL).await.seat, None);
    let declared = say(&desk, &code, "momiji", DRAW, DeclarationStatus::Sealed, UNTIL).await;
    assert_eq!(refused(declared), Refused::NotSeated);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn their_letters_hold_what_the_seat_may_know_and_nothing_else() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    crate::delegate(&desk, &code, &account("sakura"), guest("momiji"), time(UNTIL), time(1))
        .await
        .unwrap();
    for name in ["momiji", "kaede"] {
        seal(&desk, &code, name, BID, 2).await;
    }
    assert_eq!(looks(&desk, &code, 2).await, TickOutcome::Closed(CloseReason::AllSealed));
    let letters = async |name: &str| -> Vec<Letter> {
        let question = format!(
            "select body from outbox where address = '{}' and send_at >= 1 order by letter",
            account(name)
        );
        let bodies: Vec<(String,)> = rows(&database, &question).await;
        bodies.iter().map(|(body,)| serde_json::from_str(body).unwrap()).collect()
    };
    let (theirs, own) = (letters("momiji").await, letters("sakura").await);
    let briefed = |letter: &Letter| {
        matches!(letter.parts[..], [Part::StandIn { seat: P1, .. }, Part::Opening { .. }])
    };
    assert!(theirs.iter().any(briefed), "{theirs:?}");
    for letter in &theirs {
        assert_eq!(letter.seat, Some(P1));
        let hands = &letter.report["hands"];
        assert!(hands.is_null() || hands[1][0].is_null(), "{hands}");
    }
    let opening = |letter: &&Letter| matches!(letter.parts.last(), Some(Part::Opening { number, .. }) if *number == WindowNumber::new(1));
    let (theirs, own) = (theirs.iter().find(opening), own.iter().find(opening));
    assert_eq!(theirs.unwrap(), own.unwrap());
    assert!(!theirs.unwrap().report["hands"][0][0].is_null());
}

#[tokio::test]
async fn it_is_logged_by_seat_and_without_a_name() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    crate::delegate(&desk, &code, &account("sakura"), guest("momiji"), time(UNTIL), time(1))
        .await
        .unwrap();
    crate::dismiss_substitute(&desk, &code, &account("sakura"), time(2)).await.unwrap();
    let logged: Vec<Event> = happened(&desk, &code).await.into_iter().rev().take(2).collect();
    let stood_in = |until| Event::StoodIn { seat: P1, until };
    assert_eq!(logged, [stood_in(None), stood_in(Some(time(UNTIL)))]);
    for row in journal(&desk, &code).await {
        assert!(!row.body.contains("momiji"), "{}", row.body);
    }
    // The table and the substitute are notified of both.
    let addresses: Vec<String> =
        told(&database, "stood-in").await.into_iter().map(|(address, _)| address).collect();
    let count = |name| addresses.iter().filter(|address| account(name) == ***address).count();
    assert_eq!([count("sakura"), count("kaede"), count("momiji")], [2, 2, 1]);
    assert_eq!(told(&database, "stand-back").await.len(), 1);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn taken_back_is_taken_back() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    let taken = crate::dismiss_substitute(&desk, &code, &account("sakura"), time(1)).await;
    assert_eq!(refused(taken), AbsenceRefused::NoSubstitute);
    crate::delegate(&desk, &code, &account("sakura"), guest("momiji"), time(UNTIL), time(1))
        .await
        .unwrap();
    assert_eq!(
        crate::dismiss_substitute(&desk, &code, &account("sakura"), time(2)).await.unwrap(),
        P1
    );
    assert_eq!(see(&desk, &code, "momiji", 2).await.seat, None);
    let declared = say(&desk, &code, "momiji", BID, DeclarationStatus::Sealed, 2).await;
    assert_eq!(refused(declared), Refused::NotSeated);
    let taken = crate::dismiss_substitute(&desk, &code, &account("momiji"), time(3)).await;
    assert_eq!(refused(taken), Refused::NotSeated);
}

#[tokio::test]
async fn nobody_knows_the_secrets_of_two_seats() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    for name in ["sakura", "kaede"] {
        let named =
            crate::delegate(&desk, &code, &account("sakura"), guest(name), time(UNTIL), time(1))
                .await;
        assert_eq!(refused(named), AbsenceRefused::OtherSeat, "{name}");
    }
    crate::delegate(&desk, &code, &account("sakura"), guest("momiji"), time(UNTIL), time(1))
        .await
        .unwrap();
    let named =
        crate::delegate(&desk, &code, &account("kaede"), guest("momiji"), time(UNTIL), time(2))
            .await;
    assert_eq!(refused(named), AbsenceRefused::OtherSeat);
    // A substitute names no other substitute, and is free for another seat once the substitution has ended.
    let named =
        crate::delegate(&desk, &code, &account("momiji"), guest("tsubaki"), time(UNTIL), time(2))
            .await;
    assert_eq!(refused(named), Refused::NotSeated);
    let later = UNTIL + 1;
    let named = crate::delegate(
        &desk,
        &code,
        &account("kaede"),
        guest("momiji"),
        time(later + 1),
        time(later),
    )
    .await;
    assert_eq!(named.unwrap(), P2);
}

#[tokio::test]
async fn nobody_stands_in_without_end() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    for until in [0, 1, 2 + LONGEST_AWAY.milliseconds(), i64::MAX] {
        let named = crate::delegate(
            &desk,
            &code,
            &account("sakura"),
            guest("momiji"),
            time(until),
            time(1),
        )
        .await;
        assert_eq!(refused(named), AbsenceRefused::NoPeriod, "{until}");
    }
}
