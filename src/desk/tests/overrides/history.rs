//! Rollback, ending, and undoing.

use crate::model::{Judgement, Override};
use crate::overrides::decision::Remark;
use crate::record::{Event, Part};
use crate::tests::kit::{LATER, Table, decision, gm, gm_called, judge, skip};
use crate::tests::support::{
    BID, DRAW, HOUR, MINUTE, account, draft, happened, looks, passes, refused, rows, say, seal,
    see, suspended, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::time;
use kit::toy::{P1, P2, said};
use letters::{OverrideRefused, Refused};
use rules::{Entry, Round, Viewer};
use tables::{CloseReason, EndKind, OverrideNumber, Stage, WindowNumber};

const BY_DIE: &str = "tax.pay=gold*1";

fn back(number: u32) -> Override {
    Override::Rollback { number: WindowNumber::new(number), round: None }
}

/// Returns the stored state of the open window's root.
async fn state(table: &Table) -> String {
    let question = "select state from snapshots
                    where number = (select root from windows
                        where number = (select open_window from tables))";
    rows::<(String,)>(&table.database, question).await.remove(0).0
}

/// Plays a table to its third round, after a round of dice.
async fn third_round() -> Table {
    let table = Table::new().await;
    table.bid(1).await;
    table.both(BY_DIE, BY_DIE, 2).await;
    while see(&table.desk, &table.code, "sakura", 3).await.play.unwrap().contest.round()
        < Round::new(3)
    {
        let due = table.times().await.1;
        passes(&table.desk, &table.code, due).await;
    }
    table
}

#[tokio::test]
async fn a_table_goes_back_to_every_window_with_other_dice_each_time() {
    let table = third_round().await;
    let last = table.open().await;
    let now = table.times().await.0 + 1;
    draft(&table.desk, &table.code, "sakura", DRAW, now).await;
    let before = table.standing().await;
    for number in 0..=last {
        let remarks = table.decide(back(number), now).await;
        let void = Remark::Lost { seats: vec![P1] };
        assert_eq!(remarks, [void, Remark::Posted, Remark::Revealed]);
        let root = format!("select root from windows where number = {number}");
        let root = rows::<(i64,)>(&table.database, &root).await[0].0;
        let follows = format!("select coalesce(follows, -1) from windows where number = {root}");
        let open = table.open().await;
        let of_it = format!("select coalesce(follows, -1) from windows where number = {open}");
        assert_eq!(
            rows::<(i64,)>(&table.database, &of_it).await,
            rows::<(i64,)>(&table.database, &follows).await
        );
        assert_eq!(table.times().await, (now, now + HOUR));
        let play = see(&table.desk, &table.code, "sakura", now).await.play.unwrap();
        assert!(play.own.is_empty());
        table.undone(&before, now).await;
    }
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn going_back_twice_brings_other_dice_and_what_came_later_is_gone() {
    let table = third_round().await;
    let now = table.times().await.0;
    let first = table.result(1).await;
    let mut states = vec![state(&table).await];
    let mut seen = vec![first];
    for _ in 0..2 {
        table.decide(back(1), now).await;
        states.push(state(&table).await);
        let number = table.open().await;
        let sight = see(&table.desk, &table.code, "kaede", now).await;
        assert_eq!(
            crate::past(&table.desk, &sight, time(now)).await.unwrap().len(),
            2,
            "the deal and the bids"
        );
        assert_eq!(sight.play.unwrap().contest.round(), Round::new(1));
        table.both(BY_DIE, BY_DIE, now).await;
        seen.push(table.result(number).await);
    }
    for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        assert_ne!(states[a], states[b], "the decks are shuffled");
        assert_ne!(seen[a], seen[b], "and the dice are others");
    }
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_deal_is_dealt_again() {
    let table = Table::new().await;
    table.bid(1).await;
    let dealt = state(&table).await;
    table.sent(1).await;
    table.decide(back(0), 2).await;
    let number = table.open().await;
    let entries = happened(&table.desk, &table.code).await;
    let again = entries.iter().filter_map(|happened| match happened {
        Event::Dealt { number, .. } => Some(*number),
        _ => None,
    });
    assert_eq!(again.collect::<Vec<_>>(), [WindowNumber::new(0), WindowNumber::new(number)]);
    for name in ["sakura", "kaede"] {
        let parts = table.told_to(name, 2).await;
        let [
            Part::Event(Event::Overridden { .. }),
            Part::Result { entries, .. },
            Part::Receipts { .. },
            Part::Opening { .. },
        ] = &parts[..]
        else {
            panic!("{parts:?}")
        };
        let entries: &Vec<Entry<_>> = entries;
        assert!(!entries.is_empty());
    }
    let sight = see(&table.desk, &table.code, "kaede", 2).await;
    assert_eq!(
        crate::past(&table.desk, &sight, time(2)).await.unwrap().len(),
        1,
        "one deal counts"
    );
    table.both(BID, BID, 2).await;
    let hands =
        |state: &str| serde_json::from_str::<serde_json::Value>(state).unwrap()["hands"].clone();
    assert_ne!(hands(&state(&table).await), hands(&dealt));
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_suspension_goes_back_to_its_root() {
    let table = Table::new().await;
    suspended(&table.desk, &table.code).await;
    let open = table.open().await;
    let before = table.standing().await;
    table.decide(back(open), 3).await;
    let play = see(&table.desk, &table.code, "sakura", 3).await.play.unwrap();
    assert_eq!(
        (play.contest.round(), play.contest.is_suspended(), play.asked),
        (Round::FIRST, false, vec![P1, P2])
    );
    table.undone(&before, 3).await;
    table.decide(back(0), 3).await;
    table.bid(4).await;
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn nobody_goes_back_to_what_was_never_announced() {
    let table = Table::announced_later().await;
    table.bid(1).await;
    let announced = 1 + LATER;
    assert_eq!(table.refuses(back(1), 2).await, Refused::NotYet);
    assert_eq!(table.refuses(back(9), 2).await, OverrideRefused::NoWindow);
    let bid = Judgement::Declare { seat: P1, answers: said("bid.gold=6") };
    table.decide(judge(0, bid), 3).await;
    assert_eq!(table.open().await, 3);
    assert_eq!(table.refuses(back(1), announced + 1).await, OverrideRefused::NoWindow);
    // Before the announcement, the resolution that was rolled back is not sent any more.
    table.decide(back(0), 4).await;
    assert_eq!(table.told("3-opening%").await, []);
    assert_eq!(table.refuses(back(3), announced + 1).await, OverrideRefused::NoWindow);
    let sight = see(&table.desk, &table.code, "kaede", announced).await;
    assert_eq!(crate::past(&table.desk, &sight, time(announced)).await.unwrap().len(), 1);
    table.both(BID, BID, 5).await;
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn what_is_undone_gives_back_the_time_that_somebody_would_miss() {
    let table = Table::new().await;
    let least = HOUR / 1_000;
    for (since, lost) in [(1, least - 1), (HOUR / 2, least)] {
        let (_, closes) = table.times().await;
        table.decide(back(0), since).await;
        let number = table.newest().await;
        table.decide(Override::Undo { number }, since + lost).await;
        let given = if lost < least { 0 } else { lost };
        assert_eq!(table.times().await.1, closes + given);
    }
}

/// A finished game can be rolled back as long as its end is not announced.
#[tokio::test]
async fn a_game_that_is_over_goes_back_before_it_is_announced() {
    let table = Table::announced_later().await;
    let mut now = 0;
    while let Some(due) = crate::next_due(&table.desk).await.unwrap() {
        now = due.milliseconds();
        passes(&table.desk, &table.code, now).await;
    }
    let before = table.standing().await;
    let last = table.open().await - 1;
    table.decide(back(last), now + 1).await;
    let sight = see(&table.desk, &table.code, "kaede", now + 1).await;
    assert_eq!(sight.stage, Stage::Playing);
    assert!(sight.play.unwrap().contest.standing().is_none());
    let scores =
        "select letter from outbox where body like '%scores%' and letter not like '%onlooker%'";
    assert_eq!(rows::<(String,)>(&table.database, scores).await, []);
    table.undone(&before, now + 1).await;
    assert_eq!(rows::<(String,)>(&table.database, scores).await.len(), 2);
    table.decide(skip(last, P1), now + 2).await;
    assert_eq!(rows::<(String,)>(&table.database, scores).await.len(), 2);
    let announced = now + LATER;
    assert_eq!(see(&table.desk, &table.code, "kaede", announced).await.stage, Stage::Over);
    for what in [back(0), skip(last, P1)] {
        assert_eq!(table.refuses(what, announced).await, Refused::Over);
    }
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_table_is_ended_for_good() {
    let table = Table::new().await;
    table.decide(Override::Say { words: "hello".to_owned(), to: vec![P1] }, 1).await;
    assert_eq!(table.decide(Override::End, 2).await, [Remark::Final]);
    assert_eq!(see(&table.desk, &table.code, "kaede", 2).await.stage, Stage::Over);
    let parts = table.told_to("kaede", 2).await;
    let Some(Part::Event(Event::Over { how: EndKind::Ended, reason: Some(reason), .. })) =
        parts.last()
    else {
        panic!("{parts:?}")
    };
    assert_eq!(reason, "it is only fair");
    for what in [
        Override::End,
        Override::Undo { number: OverrideNumber::new(0) },
        Override::Undo { number: OverrideNumber::new(1) },
        back(0),
        Override::Void,
        Override::Resume,
        Override::Pause { until: time(HOUR) },
        skip(0, P1),
    ] {
        assert_eq!(table.refuses(what, 3).await, Refused::Over);
    }
    // Nothing follows the hash that the end is announced with.
    let bye = Override::Say { words: "bye".to_owned(), to: Vec::new() };
    let ruling = Override::Rule { words: "P2 may not win".to_owned() };
    for what in [bye, ruling] {
        assert_eq!(table.refuses(what, 3).await, Refused::Over);
    }
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn what_something_has_followed_from_is_not_undone() {
    let table = Table::new().await;
    assert_eq!(
        table.refuses(Override::Undo { number: OverrideNumber::new(0) }, 1).await,
        OverrideRefused::NoOverride
    );
    table.decide(Override::Extend { closes: time(2 * HOUR) }, 1).await;
    table.decide(Override::Extend { closes: time(3 * HOUR) }, 1).await;
    let undo = |number| Override::Undo { number };
    assert_eq!(
        table.refuses(undo(OverrideNumber::new(0)), 2).await,
        OverrideRefused::NewerFirst(OverrideNumber::new(1))
    );
    table.decide(undo(OverrideNumber::new(1)), 2).await;
    table.decide(undo(OverrideNumber::new(0)), 2).await;
    assert_eq!(table.times().await, (0, HOUR), "the newer one first, then the older one");
    assert_eq!(
        table.refuses(undo(OverrideNumber::new(2)), 2).await,
        OverrideRefused::NewerFirst(OverrideNumber::new(3))
    );
    table.bid(2).await;
    assert_eq!(table.refuses(undo(OverrideNumber::new(3)), 3).await, OverrideRefused::OnlyRollback);
    table.decide(Override::Open, 3).await;
    assert_eq!(table.refuses(undo(OverrideNumber::new(4)), 3).await, OverrideRefused::Final);
    assert_eq!(table.refuses(Override::Open, 3).await, OverrideRefused::OpenAlready);
}

#[tokio::test]
async fn what_undid_something_can_be_undone() {
    let table = Table::new().await;
    table.bid(1).await;
    table.both(BY_DIE, BY_DIE, 2).await;
    for what in [
        Override::Extend { closes: time(5 * HOUR) },
        Override::Pause { until: time(5 * HOUR) },
        Override::Void,
        back(1),
        skip(1, P1),
        Override::Swap { a: P1, b: P2 },
        Override::Edit { said: said("gold.who=P2 gold.count=9") },
    ] {
        let before = table.standing().await;
        table.decide(what, 3).await;
        let after = table.standing().await;
        table.undone(&before, 3).await;
        let number = table.newest().await;
        let before_it = OverrideNumber::new(number.get() - 1);
        assert_eq!(
            table.refuses(Override::Undo { number: before_it }, 3).await,
            OverrideRefused::Undone
        );
        table.undone(&after, 3).await;
        let log = crate::overrides(&table.desk, &table.code, &gm()).await.unwrap();
        let undone: Vec<_> = log.iter().rev().take(3).map(|logged| logged.undone).collect();
        assert_eq!(undone, [None, Some(number.next()), None], "what was undone counts again");
        table.undone(&before, 3).await;
        let log = crate::overrides(&table.desk, &table.code, &gm()).await.unwrap();
        let undone: Vec<_> = log.iter().rev().take(4).map(|logged| logged.undone).collect();
        assert_eq!(
            undone,
            [None, Some(number.next().next()), None, Some(number)],
            "and does not any more"
        );
    }
    verify(&table.database, &table.desk).await;
}

/// Nobody has less time because of an override that was undone.
#[tokio::test]
async fn what_is_undone_later_gives_the_time_back() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(Override::Void, 10 * MINUTE).await;
    seal(&table.desk, &table.code, "kaede", DRAW, 11 * MINUTE).await;
    let remarks =
        table.decide(Override::Undo { number: OverrideNumber::new(0) }, 40 * MINUTE).await;
    assert_eq!(remarks, [Remark::Lost { seats: vec![P2] }]);
    assert_eq!(table.times().await, (1, 1 + HOUR + 30 * MINUTE));
    let due = 1 + HOUR + 30 * MINUTE;
    assert_eq!(looks(&table.desk, &table.code, due - 1).await, TickOutcome::Nothing);
    let declared =
        say(&table.desk, &table.code, "sakura", DRAW, DeclarationStatus::Draft, due - 1).await;
    assert_eq!(declared.unwrap().number, WindowNumber::new(1));
    assert_eq!(
        looks(&table.desk, &table.code, due).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_host_who_plays_decides_before_everybody() {
    let table = Table::new().await;
    let host = gm_called("sakura");
    let what = Override::Extend { closes: time(2 * HOUR) };
    let shown = crate::rehearse(&table.desk, &table.code, &host, what.clone(), None, time(1))
        .await
        .unwrap();
    assert_eq!(shown.remarks, [Remark::Playing { seat: P1 }]);
    let because = crate::overrides::decision::Because::Playing;
    assert_eq!(shown.audience, crate::overrides::decision::Audience::Everybody { because });
    let publicly = decision(what);
    crate::decide(&table.desk, &table.code, &host, publicly.clone(), time(1)).await.unwrap();
    assert_eq!(table.told("override-0-%").await.len(), 2);
    let log = crate::overrides(&table.desk, &table.code, &gm_called("kaede")).await.unwrap();
    assert_eq!((log.len(), log[0].by.clone(), log[0].public), (1, Some(account("sakura")), true));
    assert_eq!(
        refused(
            crate::decide(&table.desk, &table.code, &gm_called("kaede"), publicly, time(1)).await
        ),
        OverrideRefused::NotGm
    );
    let play = see(&table.desk, &table.code, "sakura", 1).await.play.unwrap();
    assert!(play.contest.report(Viewer::Public)["hands"][0][0].is_null());
}

/// A result that everybody has been sent is not sent again as new; the head of the journal is.
#[tokio::test]
async fn undoing_a_correction_tells_no_result_twice() {
    let table = Table::new().await;
    table.bid(1).await;
    let bid = Judgement::Declare { seat: P1, answers: said("bid.gold=6") };
    table.decide(judge(0, bid), 2).await;
    let give = said("gold.who=P2 gold.count=9");
    for what in [Override::Edit { said: give }, Override::Void] {
        let now = 3;
        table.sent(now).await;
        table.decide(what.clone(), now).await;
        let told = table.told_to("kaede", now).await;
        let is_head = |part: &Part| matches!(part, Part::Receipts { sealed, head } if sealed.is_empty() && !head.is_empty());
        assert!(told.iter().any(is_head), "{told:?}");
        table.sent(now).await;
        table.decide(Override::Undo { number: table.newest().await }, now).await;
        let told = table.told_to("kaede", now).await;
        assert!(
            matches!(
                &told[..],
                [
                    Part::Event(Event::Overridden { what: Override::Undo { .. }, .. }),
                    Part::Receipts { .. },
                    Part::Opening { .. }
                ]
            ),
            "{what:?}: {told:?}"
        );
    }
    verify(&table.database, &table.desk).await;
}

/// An override about a pending result is announced with the result, and the dry run says so.
#[tokio::test]
async fn what_waits_for_a_result_is_promised_with_it() {
    let table = Table::announced_later().await;
    table.bid(1).await;
    let bid = Judgement::Declare { seat: P1, answers: said("bid.gold=6") };
    let otherwise = judge(0, bid);
    let remarks = table.decide(otherwise.clone(), 2).await;
    let announced = 1 + LATER;
    assert!(
        remarks.contains(&Remark::WithResult { announced: Some(time(announced)) }),
        "{remarks:?}"
    );
    let told = |part: &Part| matches!(part, Part::Event(Event::Overridden { what, .. }) if *what == otherwise);
    assert!(!table.told_to("kaede", announced - 1).await.iter().any(told));
    assert!(table.told_to("kaede", announced).await.iter().any(told));
}
