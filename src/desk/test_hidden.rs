//! Where sealings are hidden, nothing tells of them before the result does.

use super::test_support::{
    BID, DRAW, Database, HOUR, MINUTE, account, desk, execute, looks, progress, rows, say, seal,
    see, table, verify,
};
use super::{Gm, Judgement, Looked, Override, Said};
use crate::rules::test_game::{P2, said};
use crate::rules::window::Progress::{NothingDeclared, SealedComplete};
use crate::tables::Why;

const QUARTER: i64 = 15 * MINUTE;

#[tokio::test]
async fn nobody_sees_that_others_have_sealed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy-hidden").await;
    let viewers = ["sakura", "kaede", "nobody"];
    let timing = see(&desk, &code, "nobody", 1).await.play.unwrap().timing;
    let letters = sent(&database).await;
    for (name, text, said) in [
        ("kaede", BID, Said::Draft),
        ("sakura", BID, Said::Sealed),
        ("kaede", BID, Said::Sealed),
        ("sakura", "bid.gold=4", Said::Sealed),
    ] {
        let filed = say(&desk, &code, name, text, said, MINUTE).await.unwrap();
        assert_eq!(filed.timing, timing, "nor is it told to who seals last");
        for viewer in viewers {
            let play = see(&desk, &code, viewer, MINUTE).await.play.unwrap();
            assert_eq!(play.timing, timing);
            assert!(viewer != "nobody" || play.own.is_empty());
        }
        assert_eq!(progress(&desk, &code, "nobody", MINUTE).await, [NothingDeclared; 2]);
    }
    assert!(see(&desk, &code, "sakura", 1).await.closes_on_a_quarter());
    assert_eq!(progress(&desk, &code, "sakura", 1).await, [SealedComplete, NothingDeclared]);
    assert_eq!(progress(&desk, &code, "kaede", 1).await, [NothingDeclared, SealedComplete]);
    assert_eq!(looks(&desk, &code, QUARTER - 1).await, Looked::Nothing);
    assert_eq!(sent(&database).await, letters, "no letter tells of it");
    assert_eq!(looks(&desk, &code, QUARTER).await, Looked::Closed(Why::AllSealed));
    assert_eq!(sent(&database).await.len(), letters.len() + 2);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn nor_does_a_game_master_who_plays() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy-hidden").await;
    say(&desk, &code, "kaede", BID, Said::Sealed, MINUTE).await.unwrap();
    let gm = Gm { account: account("sakura"), roles: Vec::new() };
    let bench = desk.bench(&code, &gm, MINUTE).await.unwrap();
    let progress = bench.open.unwrap().progress;
    assert_eq!(progress.iter().map(|(_, seen)| *seen).collect::<Vec<_>>(), [NothingDeclared; 2]);
}

/// A decision can be looked at and dropped, and nobody hears of it.
#[tokio::test]
async fn nor_does_what_a_decision_would_take_back() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy-hidden").await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 1).await;
    }
    assert_eq!(looks(&desk, &code, QUARTER).await, Looked::Closed(Why::AllSealed));
    let (gm, now) = (Gm { account: account("sakura"), roles: Vec::new() }, QUARTER + MINUTE);
    let otherwise = Judgement::Declare { seat: P2, answers: said("bid.gold=6") };
    let declare = Judgement::Declare { seat: P2, answers: said(DRAW) };
    let decisions = [
        Override::Judge { window: 0, change: otherwise },
        Override::Judge { window: 1, change: declare },
        Override::Void,
        Override::Rollback { number: 0, round: None },
        Override::Kick { seat: P2 },
        Override::House { seat: P2, policy: "random".to_owned() },
    ];
    let mut shown: Vec<Vec<String>> = Vec::new();
    for step in [None, Some(Said::Draft), Some(Said::Sealed)] {
        if let Some(step) = step {
            say(&desk, &code, "kaede", DRAW, step, now).await.unwrap();
        }
        let mut told = Vec::new();
        for what in &decisions {
            let seen = desk.rehearse(&code, &gm, what.clone(), None, now).await.unwrap();
            told.push(format!("{:?} {:?} {:?}", seen.remarks, seen.before, seen.after));
        }
        shown.push(told);
    }
    for (nothing, others) in shown[0].iter().zip(shown[1].iter().zip(&shown[2])) {
        assert_eq!((nothing, nothing), others);
    }
}

#[tokio::test]
async fn a_seal_within_the_last_quarter_brings_nothing_forward() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy-hidden").await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 46 * MINUTE).await;
    }
    assert_eq!(looks(&desk, &code, 48 * MINUTE).await, Looked::Reminded);
    assert_eq!(looks(&desk, &code, HOUR - 1).await, Looked::Nothing);
    assert_eq!(looks(&desk, &code, HOUR).await, Looked::Closed(Why::Deadline));
}

#[tokio::test]
async fn a_reminder_goes_to_all_where_it_is_not_told_who_has_sealed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for (game, only, reminded) in [("toy-hidden", 0, 2), ("toy", 1, 2), ("toy", 0, 1)] {
        let code = table(&desk, game).await;
        execute(&database, &format!("update tables set count_only = {only}")).await;
        seal(&desk, &code, "sakura", BID, MINUTE).await;
        assert_eq!(looks(&desk, &code, 48 * MINUTE).await, Looked::Reminded);
        let question = format!(
            "select address, body from outbox where letter like '{code}-0-reminder-%'
             order by address"
        );
        let letters: Vec<(String, String)> = rows(&database, &question).await;
        let addresses: Vec<&str> = letters.iter().map(|(address, _)| address.as_str()).collect();
        assert_eq!(addresses, &["terminal:kaede", "terminal:sakura"][..reminded], "{game}");
        if let Some((_, body)) = letters.get(1) {
            assert!(body.contains("\"progress\":\"sealed\""), "{body}");
        }
    }
}

#[tokio::test]
async fn a_count_is_told_only_where_the_game_hides_nothing() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for (game, count) in [("toy-hidden", None), ("toy", Some((1, 2)))] {
        let code = table(&desk, game).await;
        execute(&database, "update tables set count_only = 1").await;
        seal(&desk, &code, "sakura", BID, 1).await;
        for (name, own) in [("nobody", 0), ("sakura", 1)] {
            let sight = see(&desk, &code, name, 1).await;
            let standing = sight.standing(sight.play.as_ref().unwrap());
            assert_eq!(standing.seats.len(), own, "{game}: of others nobody is named to {name}");
            assert_eq!(standing.count.map(|count| (count.sealed, count.asked)), count, "{game}");
        }
    }
}

#[tokio::test]
async fn nobody_is_named_at_the_deadline_where_it_is_not_told_who_has_sealed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for (game, only, named) in [("toy-hidden", 0, "[]"), ("toy", 1, "[]"), ("toy", 0, "[1]")] {
        let code = table(&desk, game).await;
        execute(&database, &format!("update tables set count_only = {only}")).await;
        seal(&desk, &code, "sakura", BID, MINUTE).await;
        looks(&desk, &code, 48 * MINUTE).await;
        assert_eq!(looks(&desk, &code, HOUR).await, Looked::Closed(Why::Deadline));
        let closed = format!("\"awaited\":{named}");
        let letters = sent(&database).await;
        let told = letters.iter().filter(|(letter, _)| letter.starts_with(&format!("{code}-1-")));
        assert_eq!(told.filter(|(_, body)| body.contains(&closed)).count(), 2, "{game} {only}");
    }
}

async fn sent(database: &Database) -> Vec<(String, String)> {
    rows(database, "select letter, body from outbox order by letter").await
}
