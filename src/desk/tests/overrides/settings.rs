//! Pace and absence settings that are changed during the game, and count from the next window on.

use chrono_tz::UTC;

use crate::model::Override;
use crate::overrides::ballot::{Ballot, VoteFault, read as read_ballot};
use crate::overrides::decision::Decision;
use crate::record::Event;
use crate::tests::kit::{Table, decision, gm};
use crate::tests::support::{BID, DRAW, HOUR, MINUTE, account, looks, refused, seal, see};
use crate::tick::TickOutcome;
use kit::time::{span, time};
use letters::{Letters, OverrideRefused, Reader, Refused, VoteRefused};
use rules::text::Lang;
use tables::{Absence, Announce, CloseReason, Notified, OverrideNumber, Pace};

fn every(hours: i64) -> Pace {
    Pace::play(span(hours * HOUR), UTC)
}

fn pace(hours: i64) -> Override {
    Override::Pace { pace: Box::new(every(hours)) }
}

fn allowing(allowance: u8) -> Absence {
    Absence { allowance, ..Absence::default() }
}

/// Returns the current pace of the table, and the one from the next window on.
async fn paces(table: &Table, now: i64) -> (Pace, Option<Pace>) {
    let sight = see(&table.desk, &table.code, "kaede", now).await;
    (sight.pace, sight.next_pace)
}

#[tokio::test]
async fn another_pace_counts_from_the_next_window_on() {
    let table = Table::new().await;
    let open = table.times().await;
    let before = paces(&table, 0).await;
    assert_eq!(table.decide(pace(3), 1).await, []);
    assert_eq!(table.times().await, open, "the open window keeps its deadline");
    assert_eq!(paces(&table, 1).await, (before.0.clone(), Some(every(3))));
    let journal = crate::tests::support::happened(&table.desk, &table.code).await;
    let stands =
        |event: &Event| matches!(event, Event::Overridden { what, .. } if *what == pace(3));
    assert!(journal.iter().any(stands));
    assert_eq!(table.refuses(pace(3), 2).await, Refused::Nothing, "so it is already");
    let quietly = Decision { notified: Notified::Private, ..decision(pace(5)) };
    let kept = crate::decide(&table.desk, &table.code, &gm(), quietly, time(2)).await;
    assert_eq!(refused(kept), OverrideRefused::NotQuietly, "it is everybody's pace");

    table.bid(MINUTE).await;
    assert_eq!(table.times().await, (MINUTE, MINUTE + 3 * HOUR));
    assert_eq!(paces(&table, MINUTE).await, (every(3), None));
    // A pace that has counted cannot be undone any more.
    assert_eq!(
        table.refuses(Override::Undo { number: OverrideNumber::new(0) }, 2 * MINUTE).await,
        OverrideRefused::OnlyRollback
    );
}

#[tokio::test]
async fn it_can_be_undone_and_taken_back_before_it_counts() {
    let table = Table::new().await;
    let (before, standing) = (paces(&table, 0).await, table.standing().await);
    table.decide(pace(3), 1).await;
    table.undone(&standing, 2).await;
    assert_eq!(paces(&table, 2).await, before);
    table.decide(pace(3), 3).await;
    table.decide(Override::Pace { pace: Box::new(before.0.clone()) }, 4).await;
    assert_eq!(paces(&table, 4).await, before, "what it has anyway does not wait");
    table.bid(MINUTE).await;
    assert_eq!(table.times().await, (MINUTE, MINUTE + HOUR));
}

#[tokio::test]
async fn a_window_that_was_opened_at_another_pace_takes_that_back_when_it_is_undone() {
    let table = Table::new().await;
    let old = paces(&table, 0).await.0;
    table.decide(pace(3), 1).await;
    let standing = table.standing().await;
    table.decide(Override::Void, 2).await;
    assert_eq!(table.times().await, (2, 2 + 3 * HOUR), "asked again, it is the next window");
    table.undone(&standing, 3).await;
    assert_eq!(paces(&table, 3).await, (old, Some(every(3))));
}

#[tokio::test]
async fn a_result_that_waits_is_announced_as_it_was_said() {
    let table = Table::announced_later().await;
    table.bid(MINUTE).await;
    let announced = table.times().await;
    table.decide(pace(3), 2 * MINUTE).await;
    assert_eq!(table.times().await, announced, "the window that waits has been opened already");
    let (opens, closes) = announced;
    table.both(DRAW, DRAW, opens + MINUTE).await;
    let next = table.times().await;
    assert_eq!(next.1 - next.0, 3 * HOUR);
    assert!(closes > opens);
}

#[tokio::test]
async fn another_absence_policy_counts_from_the_next_window_on() {
    let table = Table::new().await;
    let what = Override::Absence { absence: allowing(2) };
    let before = see(&table.desk, &table.code, "kaede", 0).await.absence;
    let standing = table.standing().await;
    table.decide(what.clone(), 1).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", 1).await.absence, allowing(2));
    assert_eq!(table.refuses(what.clone(), 2).await, Refused::Nothing);
    table.undone(&standing, 3).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", 3).await.absence, before);
    table.decide(what, 4).await;
    // 楓 has no allowance in the window that was open then, and has one in the next.
    seal(&table.desk, &table.code, "sakura", BID, MINUTE).await;
    assert_eq!(
        looks(&table.desk, &table.code, HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    let (_, closes) = table.times().await;
    seal(&table.desk, &table.code, "sakura", DRAW, closes - MINUTE).await;
    looks(&table.desk, &table.code, closes).await;
    assert_eq!(table.times().await.1, closes + HOUR, "it is put off for them");
}

#[tokio::test]
async fn each_is_told_in_a_sentence() {
    let table = Table::in_words(Announce::AtOnce).await;
    let told = table.words(pace(5), None, 1).await;
    assert!(told.contains("Pace from the next window on: deadline every 5h (UTC)"), "{told}");
    let told = table.words(Override::Absence { absence: allowing(2) }, None, 1).await;
    assert!(told.contains("Absence policy from the next window on: "), "{told}");
    assert!(told.contains("it applies to everyone"), "{told}");
}

#[tokio::test]
async fn the_table_votes_about_both() {
    let table = Table::new().await;
    let read = async |text: &str| {
        let sight = see(&table.desk, &table.code, "kaede", 1).await;
        read_ballot(text, &sight, time(1))
    };
    let motion = Override::Pace { pace: Box::new(every(3)) };
    for text in ["pace every 3h", "進行 3時間ごと"] {
        assert_eq!(read(text).await, Ok(Ballot::Propose(motion.clone())), "{text}");
    }
    for text in ["absence extensions 2", "欠席 延長2回"] {
        let Ok(Ballot::Propose(Override::Absence { absence })) = read(text).await else {
            panic!("{text}")
        };
        assert_eq!(absence.allowance, 2, "{text}");
    }
    assert!(matches!(read("pace soon").await, Err(VoteFault::NoPace(_))));
    assert!(matches!(read("欠席 たぶん").await, Err(VoteFault::NoAbsence(_))));
    let propose = |name: &'static str, motion: Override| {
        let table = &table;
        async move {
            crate::propose_vote(&table.desk, &table.code, &account(name), motion, time(2)).await
        }
    };
    let same = Override::Pace { pace: Box::new(every(1)) };
    let kept = Pace { reminders: Vec::new(), ..every(1) };
    assert!(
        propose("sakura", Override::Pace { pace: Box::new(kept) }).await.is_err(),
        "it has that pace"
    );
    let vote = propose("sakura", motion).await.unwrap();
    for lang in Lang::ALL {
        let reader = Reader::new(games::GAMES[0], lang);
        let words = vote.words(&Letters::built_in(), &reader, UTC).unwrap();
        assert!(words.contains("3h") || words.contains("3時間"), "{words}");
    }
    assert_eq!(refused(propose("kaede", same).await), VoteRefused::VoteOpen);
    crate::give_voice(&table.desk, &table.code, &account("kaede"), vote.number, true, time(3))
        .await
        .unwrap();
    assert_eq!(paces(&table, 3).await.1, Some(every(3)));
    let logged = crate::overrides(&table.desk, &table.code, &gm()).await.unwrap();
    assert!(logged[0].voted && logged[0].what == pace(3));
    table.bid(MINUTE).await;
    assert_eq!(table.times().await, (MINUTE, MINUTE + 3 * HOUR));
}

#[tokio::test]
async fn a_host_decides_it_as_any_game_master() {
    let table = Table::new().await;
    let host = crate::tests::kit::gm_called("sakura");
    let decided = crate::decide(&table.desk, &table.code, &host, decision(pace(3)), time(1)).await;
    decided.unwrap();
    let letters = table.told_to("kaede", 1).await;
    let told = letters.iter().any(|part| {
        matches!(part, crate::record::letter::Part::Event(Event::Overridden { what, .. }) if *what == pace(3))
    });
    assert!(told, "{letters:?}");
}
