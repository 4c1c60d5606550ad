//! Who is told of a decision, the log of all of them, and what is left of it when somebody is
//! forgotten.

use super::test_forget::found;
use super::test_gm_kit::{LATER, Table, decision, gm, gm_called, judge, skip};
use super::test_support::{
    BID, DRAW, HOUR, account, guest, looks, refused, rows, say, seal, see, verify,
};
use super::{Decision, Judgement, Looked, Notified, Override, Part, Said};
use crate::letters::Refused;
use crate::rules::test_game::P2;
use crate::tables::Why;

fn quietly(what: Override) -> Decision {
    Decision { notified: Notified::Private, ..decision(what) }
}

fn words(words: &str) -> String {
    words.to_owned()
}

#[tokio::test]
async fn a_private_notice_reaches_only_those_it_is_about() {
    let table = Table::new().await;
    table.bid(1).await;
    table.sent(1).await;
    let decide = async |what| {
        table.desk.decide(&table.code, &gm(), quietly(what), 2).await.unwrap();
    };
    decide(skip(1, P2)).await;
    decide(Override::Extend { closes: 5 * HOUR }).await;
    assert_eq!(table.told_to("sakura", 2).await, []);
    let told = table.told_to("kaede", 2).await;
    let [Part::Override { what, reason }] = &told[..] else { panic!("{told:?}") };
    assert_eq!((what, reason.as_str()), (&skip(1, P2), "it is only fair"));
    let of_players = table.desk.overrides(&table.code, &gm_called("kaede")).await.unwrap();
    assert_eq!(of_players, [], "the log of what is private is for game masters");
    assert_eq!(table.desk.overrides(&table.code, &gm()).await.unwrap().len(), 2);
    // Some things are told in any case.
    for what in [
        Override::Open,
        Override::Rule { words: words("that is so") },
        Override::Say { words: words("hello"), to: vec![P2] },
        Override::Void,
        Override::Rollback { number: 0 },
    ] {
        table.sent(2).await;
        decide(what).await;
        for name in ["sakura", "kaede"] {
            let parts = table.told_to(name, 2).await;
            assert!(matches!(parts[0], Part::Override { .. }), "{name}: {parts:?}");
        }
    }
    let of_players = table.desk.overrides(&table.code, &gm_called("kaede")).await.unwrap();
    assert_eq!(of_players.len(), 5);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn the_log_tells_who_when_what_and_why() {
    let table = Table::new().await;
    table.decide(Override::Extend { closes: 2 * HOUR }, 7).await;
    table.decide(Override::Undo { number: 0 }, 8).await;
    let log = table.desk.overrides(&table.code, &gm()).await.unwrap();
    assert_eq!((log[0].number, log[0].at, log[0].undone), (0, 7, Some(1)));
    assert_eq!(log[0].by, Some(account("momiji")));
    assert_eq!(
        (log[1].what.clone(), log[1].reason.as_str()),
        (Override::Undo { number: 0 }, "it is only fair")
    );
    let nowhere = table.desk.overrides("nowhere", &gm()).await;
    assert_eq!(refused(nowhere), Refused::NoTable);
}

#[tokio::test]
async fn at_an_open_table_it_is_known_that_the_game_master_looks() {
    let table = Table::new().await;
    assert!(!see(&table.desk, &table.code, "kaede", 1).await.is_open);
    table.decide(Override::Open, 1).await;
    assert!(see(&table.desk, &table.code, "kaede", 1).await.is_open);
}

// --- Being forgotten ---

#[tokio::test]
async fn of_a_game_master_who_is_forgotten_no_word_is_left() {
    let table = Table::new().await;
    let because = Decision {
        reason: words("momiji says so"),
        ..decision(Override::Extend { closes: 2 * HOUR })
    };
    table.desk.decide(&table.code, &gm(), because, 1).await.unwrap();
    let kept = table.desk.kept(&account("momiji"), 1).await.unwrap().unwrap();
    let kept = serde_json::to_value(kept).unwrap();
    assert_eq!(kept["game_master_of"][0], table.code);
    assert_eq!(kept["decided"][0]["reason"], "momiji says so");
    assert_eq!(kept["decided"][0]["what"]["does"], "extend");
    let others = table.desk.kept(&account("kaede"), 1).await.unwrap().unwrap();
    assert_eq!(serde_json::to_value(others).unwrap()["decided"], serde_json::json!([]));
    assert!(table.desk.forget(&account("momiji"), 2).await.unwrap());
    assert_eq!(found(&table.database, "momiji").await, [""; 0]);
    let decided = table.desk.decide(&table.code, &gm(), decision(Override::Open), 2).await;
    assert_eq!(refused(decided), Refused::NotGm);
    let log = table.desk.overrides(&table.code, &gm_called("sakura")).await.unwrap();
    assert_eq!((log.len(), log[0].by.clone(), log[0].reason.as_str()), (1, None, ""));
    let told = table.told_to("kaede", 2).await;
    assert!(
        told.iter().any(|part| matches!(part, Part::Override { .. })),
        "what was decided stays"
    );
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn whoever_was_replaced_is_forgotten_too() {
    let table = Table::new().await;
    let replace = Override::Replace { seat: P2 };
    seal(&table.desk, &table.code, "sakura", BID, 1).await;
    seal(&table.desk, &table.code, "kaede", "bid.gold=5 bid.motto=mine", 1).await;
    table.closes(1).await;
    seal(&table.desk, &table.code, "kaede", DRAW, 1).await;
    table.decide_with(replace, Some(guest("ume")), 1).await;
    seal(&table.desk, &table.code, "ume", DRAW, 1).await;
    let declared = async |name| {
        let kept = table.desk.kept(&account(name), 1).await.unwrap().unwrap();
        let kept = serde_json::to_value(kept).unwrap();
        let numbers = kept["declarations"].as_array().unwrap().iter();
        (numbers.map(|of| of["number"].clone()).collect::<Vec<_>>(), kept["left"].clone())
    };
    let (of_ume, left) = declared("ume").await;
    assert_eq!((of_ume, left), (vec![1.into()], serde_json::json!([])));
    let (of_kaede, left) = declared("kaede").await;
    assert_eq!((of_kaede, left[0]["name"].clone()), (vec![0.into()], "kaede".into()));
    table.desk.forget(&account("kaede"), 2).await.unwrap();
    assert_eq!(found(&table.database, "kaede").await, [""; 0]);
    let undo = Override::Undo { number: 0 };
    assert_eq!(table.refuses(undo, 3).await, Refused::Final);
    table.desk.forget(&account("ume"), 3).await.unwrap();
    assert_eq!(found(&table.database, "ume").await, [""; 0]);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn what_came_too_late_goes_with_whom_it_was_of() {
    let table = Table::announced_later().await;
    seal(&table.desk, &table.code, "sakura", BID, 1).await;
    assert_eq!(looks(&table.desk, &table.code, HOUR).await, Looked::Closed(Why::Deadline));
    let late =
        say(&table.desk, &table.code, "kaede", "bid.gold=2 bid.motto=mine", Said::Draft, HOUR)
            .await;
    assert_eq!(refused(late), Refused::Late);
    table.desk.forget(&account("kaede"), HOUR + 1).await.unwrap();
    assert_eq!(found(&table.database, "mine").await, [""; 0]);
    let accept = judge(0, Judgement::AcceptLate { seat: P2 });
    assert_eq!(table.refuses(accept, HOUR + 1).await, Refused::NothingLate);
    let house = "select house from seats where seat = 1";
    assert_eq!(rows::<(String,)>(&table.database, house).await[0].0, "random");
    seal(&table.desk, &table.code, "sakura", DRAW, HOUR + LATER).await;
    verify(&table.database, &table.desk).await;
}
