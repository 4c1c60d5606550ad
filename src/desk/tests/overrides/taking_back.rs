//! Acts that are taken back: by a vote of all, or by a game master.

use crate::audit::replay::difference::Differs;
use crate::model::{NotDone, Override, Vote};
use crate::overrides::decision::{Audience, Because};
use crate::tests::kit::{Table, gm};
use crate::tests::support::{DRAW, account, execute, looks, refused, seal, see, verify};
use kit::time::time;
use kit::toy::{P1, P2, said};
use letters::{OverrideRefused, Refused, VoteRefused};
use rules::Viewer;
use tables::pace::Announce;
use tables::{VoteNumber, VoteOutcome};

const GIVE: &str = "now.do=give now.to=P1";

/// The table of 桜 and 楓 after their bids: 7 gold each.
async fn playing() -> Table {
    let table = Table::of("toy", Announce::AtOnce).await;
    table.bid(1).await;
    table
}

impl Table {
    async fn acts(&self, name: &str, text: &str, now: i64) {
        crate::act(&self.desk, &self.code, &account(name), &said(text), time(now)).await.unwrap();
    }

    async fn gold(&self, now: i64) -> serde_json::Value {
        let play = see(&self.desk, &self.code, "sakura", now).await.play.unwrap();
        play.contest.report(Viewer::Public)["gold"].clone()
    }

    async fn wants_back(&self, name: &str, now: i64) -> Result<Vote, NotDone> {
        let play = see(&self.desk, &self.code, name, now).await.play.unwrap();
        let motion = Override::of_last_act(&*play.contest);
        crate::propose_vote(&self.desk, &self.code, &account(name), motion, time(now)).await
    }

    async fn says(&self, name: &str, vote: &Vote, yes: bool, now: i64) -> Result<Vote, NotDone> {
        crate::give_voice(&self.desk, &self.code, &account(name), vote.number, yes, time(now)).await
    }

    async fn outcome(&self, number: VoteNumber) -> Option<VoteOutcome> {
        let votes = crate::votes(&self.desk, &self.code).await.unwrap();
        votes.into_iter().find(|vote| vote.number == number).unwrap().outcome
    }

    /// Returns the number of entries from acts in the open round, as the log shows them.
    async fn past(&self, now: i64) -> usize {
        let sight = see(&self.desk, &self.code, "sakura", now).await;
        let past = crate::past(&self.desk, &sight, time(now)).await.unwrap();
        let round = sight.play.as_ref().unwrap().contest.round();
        past.iter().filter(|past| past.round == round).map(|past| past.entries.len()).sum()
    }

    /// Both players draw, the game goes on, and its record is verified.
    async fn goes_on(&self, now: i64) {
        for name in ["sakura", "kaede"] {
            seal(&self.desk, &self.code, name, DRAW, now).await;
        }
        looks(&self.desk, &self.code, now).await;
        verify(&self.database, &self.desk).await;
    }
}

fn take_back(seat: rules::Seat, act: usize) -> Override {
    Override::TakeBack { seat: Some(seat), act }
}

#[tokio::test]
async fn all_agree_and_everything_else_stays() {
    let table = playing().await;
    seal(&table.desk, &table.code, "sakura", DRAW, 2).await;
    table.acts("kaede", GIVE, 3).await;
    table.acts("kaede", GIVE, 3).await;
    assert_eq!((table.gold(3).await, table.past(3).await), (serde_json::json!([9, 5]), 2));
    let vote = table.wants_back("kaede", 4).await.unwrap();
    assert_eq!((vote.yes, vote.needed, vote.outcome), (1, 2, None));
    assert_eq!(vote.what, take_back(P2, 2));
    let vote = table.says("sakura", &vote, true, 5).await.unwrap();
    assert_eq!(vote.outcome, Some(VoteOutcome::Passed));
    assert_eq!((table.gold(5).await, table.past(5).await), (serde_json::json!([8, 6]), 1));
    let window = see(&table.desk, &table.code, "sakura", 5).await.play.unwrap();
    assert_eq!((window.contest.acts_done(), window.own), (1, said(DRAW)));
    table.goes_on(6).await;
}

#[tokio::test]
async fn a_player_who_refuses_keeps_the_card() {
    let table = playing().await;
    table.acts("kaede", GIVE, 3).await;
    let vote = table.wants_back("kaede", 4).await.unwrap();
    let vote = table.says("sakura", &vote, false, 5).await.unwrap();
    assert_eq!(vote.outcome, Some(VoteOutcome::Rejected));
    assert_eq!(table.gold(5).await, serde_json::json!([8, 6]));
}

#[tokio::test]
async fn what_stands_or_was_never_done_is_not_taken_back() {
    let table = playing().await;
    assert_eq!(refused(table.wants_back("kaede", 3).await), OverrideRefused::NoAct);
    assert_eq!(
        table.refuses(Override::TakeBack { seat: None, act: 0 }, 3).await,
        OverrideRefused::NoAct
    );
    table.acts("kaede", GIVE, 3).await;
    table.acts("kaede", "now.do=rest", 3).await;
    let stands = OverrideRefused::ActStands(Some("T7"));
    assert_eq!(refused(table.wants_back("kaede", 4).await), stands);
    assert_eq!(table.refuses(take_back(P2, 2), 4).await, stands);
    assert_eq!(table.refuses(take_back(P2, 1), 4).await, Refused::MovedOn, "it is not the last");
}

#[tokio::test]
async fn no_other_act_is_taken_back_than_the_one_that_was_voted_on() {
    let table = playing().await;
    table.acts("kaede", GIVE, 3).await;
    let vote = table.wants_back("kaede", 4).await.unwrap();
    table.acts("sakura", "now.do=give now.to=P2", 5).await;
    assert_eq!(refused(table.says("sakura", &vote, true, 6).await), VoteRefused::VoteOver);
    assert_eq!(table.outcome(vote.number).await, Some(VoteOutcome::Overtaken));
    assert_eq!(table.gold(6).await, serde_json::json!([7, 7]));
    // A vote on an act does not count for a new one in its place.
    let vote = table.wants_back("kaede", 7).await.unwrap();
    table.decide(take_back(P1, 2), 8).await;
    assert_eq!(table.outcome(vote.number).await, Some(VoteOutcome::Overtaken));
    table.acts("kaede", GIVE, 9).await;
    assert_eq!(refused(table.says("sakura", &vote, true, 10).await), VoteRefused::VoteOver);
    assert_eq!(table.gold(10).await, serde_json::json!([9, 5]));
    table.goes_on(11).await;
}

#[tokio::test]
async fn a_game_master_takes_back_before_everybodys_eyes_and_undoes_it() {
    let table = playing().await;
    seal(&table.desk, &table.code, "sakura", DRAW, 2).await;
    table.acts("kaede", GIVE, 3).await;
    let before = table.standing().await;
    let shown = table.rehearse(&take_back(P2, 1), 4).await.unwrap();
    assert_eq!(shown.audience, Audience::Everybody { because: Because::Seen });
    table.decide(take_back(P2, 1), 4).await;
    assert_eq!((table.gold(4).await, table.past(4).await), (serde_json::json!([7, 7]), 0));
    table.undone(&before, 5).await;
    assert_eq!((table.gold(5).await, table.past(5).await), (serde_json::json!([8, 6]), 1));
    // An undoing can be undone in its turn.
    let number = table.newest().await;
    table.decide(Override::Undo { number }, 6).await;
    assert_eq!((table.gold(6).await, table.past(6).await), (serde_json::json!([7, 7]), 0));
    table.acts("kaede", GIVE, 7).await;
    let number = table.newest().await;
    assert_eq!(table.refuses(Override::Undo { number }, 8).await, OverrideRefused::OnlyRollback);
    table.goes_on(9).await;
    assert!(crate::overrides(&table.desk, &table.code, &gm()).await.unwrap().len() == 3);
}

#[tokio::test]
async fn what_was_taken_back_and_is_kept_otherwise_is_noticed() {
    for forged in [
        "update journal set body = replace(body, '\"Gave\"', '\"Gift\"')",
        "update journal set body = replace(body, 'take-back', 'hold')",
        "update overrides set what = replace(what, '\"act\":1', '\"act\":2')",
    ] {
        let table = playing().await;
        table.acts("kaede", GIVE, 3).await;
        table.decide(take_back(P2, 1), 4).await;
        table.goes_on(5).await;
        execute(&table.database, forged).await;
        let replay = crate::replay(&table.desk, &table.code).await.unwrap();
        let differs = |what| replay.differences.iter().any(|differs| differs.what == what);
        let found = [Differs::Ground, Differs::Decision, Differs::Event].map(differs);
        assert!(found.contains(&true), "{forged}: {:?}", replay.differences);
    }
}
