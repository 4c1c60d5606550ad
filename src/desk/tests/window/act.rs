//! Acts: moves made immediately and before everybody's eyes while a window is open.

use crate::audit::replay::difference::Differs;
use crate::model::{Desk, NotDone, Override};
use crate::record::Event;
use crate::tests::kit::{Table, decision, gm};
use crate::tests::support::{
    BID, DRAW, Database, HOUR, account, desk, execute, happened, looks, refused, rows, seal, see,
    table, verify,
};
use crate::tick::TickOutcome;
use games::meaning::LineMeaning;
use kit::time::time;
use kit::toy::{P1, P2, said};
use letters::{DeclarationRefused, Refused};
use tables::pace::Announce;
use tables::{CloseReason, TableCode, WindowNumber};

async fn act(
    desk: &Desk,
    code: &TableCode,
    name: &str,
    text: &str,
    now: i64,
) -> Result<(), NotDone> {
    crate::act(desk, code, &account(name), &said(text), time(now)).await
}

/// Deals a table of 桜 and 楓 and plays their bids: 7 gold each.
async fn playing(desk: &Desk) -> TableCode {
    let code = table(desk, "toy").await;
    bid(desk, &code).await;
    code
}

async fn bid(desk: &Desk, code: &TableCode) {
    for name in ["sakura", "kaede"] {
        seal(desk, code, name, BID, 1).await;
    }
    assert_eq!(looks(desk, code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
}

/// Returns the number of acts after the bids that no letter to 楓 shows.
async fn shown(desk: &Desk, code: &TableCode, now: i64) -> usize {
    let sight = see(desk, code, "kaede", now).await;
    let window = Some(WindowNumber::new(1));
    crate::acts(desk, &sight, window, 0).await.unwrap().0.len()
}

async fn gold(desk: &Desk, code: &TableCode, now: i64) -> serde_json::Value {
    let play = see(desk, code, "sakura", now).await.play.unwrap();
    play.contest.report(rules::Viewer::Public)["gold"].clone()
}

#[tokio::test]
async fn what_says_nothing_of_a_declaration_is_meant_as_an_act() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = playing(&desk).await;
    let sight = see(&desk, &code, "sakura", 2).await;
    let none = said("");
    for (line, is_act) in
        [("休む", true), ("P2 give", true), ("give", true), ("act: draw", false), ("plum", false)]
    {
        let meaning = sight.meaning(line, &none);
        assert_eq!(matches!(meaning, LineMeaning::Acts(_)), is_act, "{line}");
    }
}

#[tokio::test]
async fn it_is_done_at_once_and_what_was_sealed_stays() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = playing(&desk).await;
    seal(&desk, &code, "sakura", DRAW, 2).await;
    let letters = rows::<(String,)>(&database, "select letter from outbox").await.len();
    act(&desk, &code, "kaede", "now.do=give now.to=P1", 3).await.unwrap();
    assert_eq!(shown(&desk, &code, 3).await, 0, "a letter tells it");
    assert_eq!(gold(&desk, &code, 3).await, serde_json::json!([8, 6]));
    let told = rows::<(String,)>(&database, "select letter from outbox").await.len();
    assert_eq!(told, letters + 2, "everybody is told");
    let window = see(&desk, &code, "sakura", 3).await.play.unwrap();
    assert_eq!(window.own, said(DRAW));
    // The window does not wait for a player who rests, and closes with the last one.
    act(&desk, &code, "kaede", "now.do=rest", 4).await.unwrap();
    assert_eq!(shown(&desk, &code, 4).await, 1, "everybody sees it, and no letter tells it");
    assert_eq!(see(&desk, &code, "kaede", 4).await.play.unwrap().asked, [P1]);
    assert_eq!(looks(&desk, &code, 4).await, TickOutcome::Closed(CloseReason::AllSealed));
    // The window waits for nobody if all rest.
    act(&desk, &code, "kaede", "now.do=rest", 5).await.unwrap();
    assert_eq!(looks(&desk, &code, 5).await, TickOutcome::Nothing);
    act(&desk, &code, "sakura", "now.do=rest", 6).await.unwrap();
    let give = "now.do=give now.to=P2";
    assert_eq!(
        refused(act(&desk, &code, "sakura", give, 6).await),
        DeclarationRefused::TooLateToAct
    );
    assert_eq!(looks(&desk, &code, 6).await, TickOutcome::Closed(CloseReason::AllSealed));
    verify(&database, &desk).await;
}

#[tokio::test]
async fn what_cannot_be_done_changes_nothing() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = playing(&desk).await;
    let before = happened(&desk, &code).await;
    for text in ["", "now.do=give", "now.do=steal", "act.way=draw"] {
        assert_eq!(refused(act(&desk, &code, "kaede", text, 3).await), Refused::NotNow, "{text}");
    }
    let give = "now.do=give now.to=P1";
    assert_eq!(refused(act(&desk, &code, "momiji", give, 3).await), Refused::NotSeated);
    assert_eq!(
        refused(act(&desk, &code, "kaede", give, 2 * HOUR).await),
        DeclarationRefused::TooLateToAct
    );
    assert_eq!(happened(&desk, &code).await, before);
    assert_eq!(gold(&desk, &code, 3).await, serde_json::json!([7, 7]));
}

#[tokio::test]
async fn house_players_act_as_well() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, crate::tests::support::form("toy"), time(0)).await.unwrap().code;
    let guest = crate::tests::support::guest("sakura");
    crate::join(&desk, &code, guest, Some(crate::tests::support::VALUE), time(0)).await.unwrap();
    crate::start(&desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    let mut now = 0;
    for round in 0..4 {
        let play = see(&desk, &code, "sakura", now).await.play.unwrap();
        if play.asked.contains(&P1) {
            let text = if round == 0 { BID } else { DRAW };
            seal(&desk, &code, "sakura", text, now).await;
        }
        if looks(&desk, &code, now).await == TickOutcome::Nothing {
            now += HOUR;
            looks(&desk, &code, now).await;
        }
    }
    let acts = happened(&desk, &code).await;
    let by_house =
        |happened: &&Event| matches!(happened, Event::Acted { act, .. } if act.seat == P2);
    assert!(acts.iter().filter(by_house).count() > 0);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn game_masters_decide_about_windows_in_which_something_was_done() {
    for what in [
        Override::Void,
        Override::Edit { said: said("gold.who=P2 gold.count=3") },
        Override::Rollback { number: WindowNumber::new(1), round: None },
    ] {
        let table = Table::of("toy", Announce::AtOnce).await;
        let (desk, code) = (&table.desk, &table.code);
        bid(desk, code).await;
        act(desk, code, "kaede", "now.do=give now.to=P1", 3).await.unwrap();
        crate::decide(desk, code, &gm(), decision(what.clone()), time(4)).await.unwrap();
        let after = gold(desk, code, 4).await;
        let expected = match what {
            // Declarations and acts in the window do not count any more.
            Override::Void | Override::Rollback { .. } => [7, 7],
            _ => [8, 3],
        };
        assert_eq!(after, serde_json::json!(expected), "{what:?}");
        act(desk, code, "sakura", "now.do=give now.to=P2", 5).await.unwrap();
        for name in ["sakura", "kaede"] {
            seal(desk, code, name, DRAW, 6).await;
        }
        looks(desk, code, 6).await;
        verify(&table.database, desk).await;
    }
}

#[tokio::test]
async fn an_act_that_was_forged_or_left_out_is_noticed() {
    for (forged, what) in [
        ("update windows set said = replace(said, '\"P1\"', '\"P2\"') where number = 1", None),
        ("update windows set said = replace(said, 'give', 'rest') where number = 1", None),
        ("update journal set body = replace(body, '\"Gave\"', '\"Gift\"')", Some(())),
    ] {
        let database = Database::fresh().await;
        let desk = desk(&database).await;
        let code = playing(&desk).await;
        act(&desk, &code, "kaede", "now.do=give now.to=P1", 3).await.unwrap();
        for name in ["sakura", "kaede"] {
            seal(&desk, &code, name, DRAW, 6).await;
        }
        looks(&desk, &code, 6).await;
        assert!(crate::replay(&desk, &code).await.unwrap().is_sound());
        execute(&database, forged).await;
        let replay = crate::replay(&desk, &code).await.unwrap();
        assert!(!replay.is_sound(), "{forged}");
        if what.is_none() {
            let ground = replay.differences.iter().any(|differs| differs.what == Differs::Ground);
            assert!(ground, "{:?}", replay.differences);
        }
    }
}
