//! Windows that are resolved otherwise than by their declarations and dice.

use serde_json::json;

use crate::model::{Judgement, Override};
use crate::overrides::decision::{Decision, Remark};
use crate::overrides::read::reader::OverrideRequest;
use crate::record::{Event, Part};
use crate::tests::kit::{LATER, Table, decision, gm, gm_called, judge, skip};
use crate::tests::support::{
    BID, DRAW, HOUR, MINUTE, draft, happened, looks, placing, refused, rows, say, seal, see,
    suspended, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::time;
use kit::toy::{P1, P2, said};
use letters::{DeclarationRefused, OverrideRefused, Refused};
use rules::{Key, Round, Value, Viewer};
use tables::{CloseReason, HoldReason, Notified, OverrideNumber, WindowNumber};

/// A turn that leaves its act to a die.
const BY_DIE: &str = "tax.pay=gold*1";

const UNSEEN: Remark = Remark::Unseen { missing: Vec::new() };

fn key(text: &str) -> Key {
    text.parse().unwrap()
}

fn choice(id: &str) -> Value {
    Value::Choice(id.into())
}

/// Returns the line about a seat's die.
fn die_of(result: &[String], seat: &str) -> String {
    let seat = format!("\"seat\":{}", i32::from(seat != "P1"));
    let line = result.iter().find(|line| line.contains("act.way") && line.contains(&seat));
    line.unwrap_or_else(|| panic!("{result:?}")).clone()
}

/// Plays a table whose first round both players leave to the dice, announced later or immediately.
async fn thrown(later: bool) -> (Table, i64) {
    let table = if later { Table::announced_later().await } else { Table::new().await };
    table.bid(1).await;
    let now = table.times().await.0;
    table.both(BY_DIE, BY_DIE, now).await;
    (table, now)
}

async fn gold(table: &Table, now: i64) -> serde_json::Value {
    let play = see(&table.desk, &table.code, "sakura", now).await.play.unwrap();
    play.contest.report(Viewer::Public)["gold"].clone()
}

#[tokio::test]
async fn what_is_decided_in_an_open_window_waits_for_its_close() {
    let table = Table::new().await;
    table.bid(1).await;
    let before = table.standing().await;
    for change in [
        Judgement::Skip { seat: P1 },
        Judgement::Unskip { seat: P1 },
        Judgement::Return { seat: P1, part: key("act") },
        Judgement::Die { seat: Some(P1), key: key("act.way"), shows: choice("drop") },
        Judgement::Choose { seat: P1, answers: said("act.way=drop") },
        Judgement::Declare { seat: P1, answers: said(DRAW) },
    ] {
        assert_eq!(table.decide(judge(1, change), 2).await, []);
        assert_ne!(table.standing().await, before);
        table.undone(&before, 2).await;
    }
    let late = judge(1, Judgement::AcceptLate { seat: P1 });
    assert_eq!(table.refuses(late, 2).await, OverrideRefused::NothingLate);
    table.decide(skip(1, P1), 3).await;
    table.both(DRAW, DRAW, 3).await;
    let result = table.result(1).await;
    assert!(result.iter().any(|line| line.contains("skipped")), "{result:?}");
    assert!(result.iter().all(|line| !line.contains("{\"Drew\":{\"seat\":0")), "{result:?}");
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn whoever_is_declared_for_has_sealed_and_can_change_it() {
    let table = Table::new().await;
    seal(&table.desk, &table.code, "kaede", BID, 1).await;
    let declare = |text: &str| judge(0, Judgement::Declare { seat: P1, answers: said(text) });
    table.decide(declare("bid.gold=6"), 2).await;
    assert_eq!(crate::next_due(&table.desk).await.unwrap(), Some(time(2)), "nobody is waited for");
    seal(&table.desk, &table.code, "sakura", "bid.gold=5", 2).await;
    table.closes(2).await;
    assert_eq!(gold(&table, 2).await, json!([9, 7]));
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn another_die_shifts_nothing_else() {
    for later in [false, true] {
        let (table, now) = thrown(later).await;
        let before = table.standing().await;
        let first = table.result(1).await;
        let shown = ["draw", "drop"].into_iter().find(|way| !die_of(&first, "P1").contains(way));
        let die =
            Judgement::Die { seat: Some(P1), key: key("act.way"), shows: choice(shown.unwrap()) };
        let remarks = table.decide(judge(1, die.clone()), now).await;
        let waits = Remark::WithResult { announced: Some(time(now + LATER)) };
        assert_eq!(remarks, [if later { waits } else { Remark::Posted }]);
        let anew = table.result(3).await;
        assert!(die_of(&anew, "P1").contains(shown.unwrap()), "{anew:?}");
        assert_eq!(die_of(&anew, "P2"), die_of(&first, "P2"));
        assert_eq!(table.open().await, 4);
        table.undone(&before, now).await;
        table.decide(judge(1, die), now).await;
        let number = table.open().await;
        let opens = table.times().await.0;
        assert_eq!(opens, if later { now + LATER } else { now });
        let told = table.told(&format!("{number}-opening%")).await;
        assert_eq!(told.len(), 2);
        assert_eq!(table.told("2-opening%").await, [], "what is superseded is not sent any more");
        let sight = see(&table.desk, &table.code, "kaede", opens).await;
        assert_eq!(
            crate::past(&table.desk, &sight, time(opens)).await.unwrap().len(),
            3,
            "each once"
        );
        table.both(DRAW, DRAW, opens).await;
        verify(&table.database, &table.desk).await;
    }
}

/// The letters that were sent stay, and the correction is sent once.
#[tokio::test]
async fn what_was_posted_is_corrected_once() {
    let (table, now) = thrown(false).await;
    table.sent(now).await;
    table.decide(skip(1, P1), now).await;
    assert_eq!(table.told("2-opening%").await, []);
    for name in ["sakura", "kaede"] {
        let parts = table.told_to(name, now).await;
        let [
            Part::Event(Event::Overridden { .. }),
            Part::Result { .. },
            Part::Receipts { .. },
            Part::Opening { number, .. },
        ] = &parts[..]
        else {
            panic!("{parts:?}")
        };
        assert_eq!(*number, WindowNumber::new(4));
    }
    // The same holds for undoing.
    table.sent(now).await;
    let remarks = table.decide(Override::Undo { number: OverrideNumber::new(0) }, now).await;
    assert_eq!(remarks, [Remark::Known], "what it brought was before everybody's eyes");
    for name in ["sakura", "kaede"] {
        let parts = table.told_to(name, now).await;
        let [
            Part::Event(Event::Overridden { .. }),
            Part::Result { .. },
            Part::Receipts { .. },
            Part::Opening { number, .. },
        ] = &parts[..]
        else {
            panic!("{parts:?}")
        };
        assert_eq!(*number, WindowNumber::new(2));
    }
}

#[tokio::test]
async fn before_the_announcement_nobody_sees_that_it_was_resolved_anew() {
    let (table, now) = thrown(true).await;
    let seen = async |at| {
        let sight = see(&table.desk, &table.code, "kaede", at).await;
        format!("{sight:?} {:?}", crate::past(&table.desk, &sight, time(at)).await.unwrap())
    };
    let before = seen(now + 1).await;
    table.decide(skip(1, P1), now).await;
    assert_eq!(seen(now + 1).await, before);
    table.decide(skip(1, P2), now).await;
    assert_eq!(seen(now + 1).await, before);
    for number in [1, 3, 5].map(WindowNumber::new) {
        assert!(
            crate::gone(&table.desk, &table.code, number, time(now + 1)).await.unwrap().is_none()
        );
    }
    let announced = now + LATER;
    let parts = table.told_to("kaede", announced).await;
    let told: Vec<_> = parts
        .iter()
        .filter(|part| {
            matches!(part, Part::Event(Event::Overridden { what: Override::Judge { .. }, .. }))
        })
        .collect();
    assert_eq!(told.len(), 2, "both decisions are told with the result: {parts:?}");
    assert_eq!(table.times().await.0, announced);
    assert_eq!(gold(&table, announced).await, json!([6, 6]), "both paid their tax");
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn every_change_resolves_the_last_window_anew() {
    for later in [false, true] {
        let (table, now) = thrown(later).await;
        let before = table.standing().await;
        let shown = die_of(&table.result(1).await, "P1");
        let other = if shown.contains("drop") { "draw" } else { "drop" };
        for (change, says) in [
            (
                Judgement::Declare { seat: P1, answers: said("tax.pay=gold*3 act.way=draw") },
                "\"gold\":3",
            ),
            (Judgement::Skip { seat: P1 }, "skipped"),
            (Judgement::Return { seat: P1, part: key("act") }, "returned"),
            (Judgement::Choose { seat: P1, answers: said(&format!("act.way={other}")) }, "forced"),
        ] {
            let number = rows::<(i64,)>(&table.database, "select windows from tables").await[0].0;
            table.decide(judge(1, change), now).await;
            let result = table.result(number.try_into().unwrap()).await;
            assert!(result.iter().any(|line| line.contains(says)), "{says}: {result:?}");
            table.undone(&before, now).await;
        }
        verify(&table.database, &table.desk).await;
    }
}

#[tokio::test]
async fn a_turn_that_was_missed_can_be_spared() {
    let table = Table::new().await;
    table.bid(1).await;
    seal(&table.desk, &table.code, "kaede", DRAW, 2).await;
    let now = 1 + HOUR;
    assert_eq!(
        looks(&table.desk, &table.code, now).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    assert!(table.result(1).await.iter().any(|line| line.contains("skipped")));
    table.decide(judge(1, Judgement::Unskip { seat: P1 }), now).await;
    let result = table.result(3).await;
    assert!(result.iter().any(|line| line.contains("unskipped")), "{result:?}");
    // The outcome of an override can be overridden as well.
    table.decide(skip(3, P1), now).await;
    let result = table.result(5).await;
    assert!(result.iter().all(|line| !line.contains("unskipped")), "{result:?}");
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn what_came_too_late_is_kept_and_counts_if_the_game_master_says_so() {
    let table = Table::announced_later().await;
    let (desk, code) = (&table.desk, &table.code);
    seal(desk, code, "kaede", BID, 1).await;
    assert_eq!(looks(desk, code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let late = judge(0, Judgement::AcceptLate { seat: P1 });
    assert_eq!(table.refuses(late.clone(), HOUR).await, OverrideRefused::NothingLate);
    let declare = async |name, text| {
        refused(say(desk, code, name, text, DeclarationStatus::Sealed, HOUR).await)
    };
    assert_eq!(declare("kaede", "bid.gold=1").await, Refused::NotYet, "it was in time");
    assert_eq!(declare("momiji", BID).await, Refused::NotSeated);
    assert_eq!(declare("sakura", "bid.gold=5").await, DeclarationRefused::Late);
    assert_eq!(
        declare("sakura", "bid.gold=6").await,
        DeclarationRefused::Late,
        "the last one counts"
    );
    let own = see(desk, code, "sakura", HOUR).await.play.unwrap().own;
    assert_eq!(own, said("bid.gold=6"));
    let of_others = judge(0, Judgement::AcceptLate { seat: P2 });
    assert_eq!(table.refuses(of_others, HOUR).await, OverrideRefused::NothingLate);

    let before = table.standing().await;
    table.decide(late.clone(), HOUR).await;
    table.undone(&before, HOUR).await;
    // The late declaration is still there after another override before it.
    let other = Judgement::Choose { seat: P2, answers: said("bid.gold=2") };
    table.decide(judge(0, other), HOUR).await;
    table.decide(late, HOUR).await;
    let announced = HOUR + LATER;
    assert_eq!(table.times().await.0, announced);
    assert_eq!(gold(&table, announced).await, json!([10, 6]));
    table.both(DRAW, DRAW, announced).await;
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn once_somebody_has_declared_only_a_rollback_helps() {
    let (table, now) = thrown(false).await;
    assert_eq!(table.refuses(skip(0, P1), now).await, OverrideRefused::OnlyRollback);
    assert_eq!(table.refuses(skip(99, P1), now).await, OverrideRefused::NoWindow);
    draft(&table.desk, &table.code, "kaede", DRAW, now).await;
    for change in [
        Judgement::Skip { seat: P1 },
        Judgement::AcceptLate { seat: P1 },
        Judgement::Declare { seat: P1, answers: said(DRAW) },
    ] {
        assert_eq!(table.refuses(judge(1, change), now).await, OverrideRefused::OnlyRollback);
    }
    assert!(!table.decide(skip(2, P1), now).await.contains(&Remark::Posted), "the open one");
}

#[tokio::test]
async fn what_would_change_nothing_is_not_decided() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(skip(1, P1), 2).await;
    assert_eq!(table.refuses(skip(1, P1), 2).await, Refused::Nothing);
    let (table, now) = thrown(true).await;
    let unskip = judge(1, Judgement::Unskip { seat: P1 });
    assert_eq!(table.refuses(unskip, now).await, Refused::Nothing, "nobody was skipped");
    let shown = die_of(&table.result(1).await, "P1");
    let way = if shown.contains("drop") { "drop" } else { "draw" };
    let choose = judge(1, Judgement::Choose { seat: P1, answers: said(&format!("act.way={way}")) });
    assert_eq!(table.refuses(choose, now).await, Refused::Nothing);
    let die = Judgement::Die { seat: Some(P1), key: key("act.way"), shows: choice(way) };
    assert_eq!(table.refuses(judge(1, die), now).await, Refused::Nothing);
    table.decide(skip(1, P1), now).await;
    assert_eq!(table.refuses(skip(1, P1), now).await, Refused::Nothing);
}

/// A player is answered the same whatever an unseen die shows and whatever was sealed: nothing can be found
/// out by trying.
#[tokio::test]
async fn who_plays_reads_no_die_off_by_trying() {
    for announced in [false, true] {
        let (table, now) = thrown(!announced).await;
        let host = gm_called("sakura");
        let answers = async |change: Judgement| {
            let what = judge(1, change);
            match crate::rehearse(&table.desk, &table.code, &host, what, None, time(now)).await {
                Ok(shown) => format!("{:?} {:?}", shown.remarks, shown.after.is_none()),
                Err(error) => format!("{error:?}"),
            }
        };
        for way in ["drop", "draw"] {
            let die = Judgement::Die { seat: Some(P1), key: key("act.way"), shows: choice(way) };
            let choose = Judgement::Choose { seat: P1, answers: said(&format!("act.way={way}")) };
            let declare = Judgement::Declare { seat: P2, answers: said(DRAW) };
            for change in [die, choose, declare] {
                let told = answers(change.clone()).await;
                assert!(told.contains("Unseen"), "{change:?}: {told}");
            }
        }
        let gm_view = crate::gm_view(&table.desk, &table.code, &host, time(now)).await.unwrap();
        let last = gm_view.last.as_ref().unwrap();
        assert_eq!(last.declared.is_some(), announced, "nothing is seen before it is told");
        if !announced {
            let read =
                |said: &str| format!("{:?}", OverrideRequest::read(said, &gm_view, time(now)));
            let told: Vec<String> =
                ["drop", "draw"].map(|way| read(&format!("die P1 way: {way}"))).to_vec();
            assert_eq!(told[0], told[1]);
        }
    }
}

#[tokio::test]
async fn everything_that_is_chosen_counts() {
    let (table, now) = thrown(true).await;
    let answers = said("tax.pay=gold*2 act.way=draw");
    table.decide(judge(1, Judgement::Choose { seat: P1, answers }), now).await;
    let result = table.result(3).await;
    let forced = result.iter().filter(|line| line.contains("forced")).count();
    assert_eq!(forced, 2, "{result:?}");
    verify(&table.database, &table.desk).await;
}

/// Players could otherwise look at the throws to come, and drop an override that they do not like.
#[tokio::test]
async fn who_plays_sees_what_follows_only_once_it_is_decided() {
    let (table, now) = thrown(true).await;
    let (what, host, other) = (judge(1, Judgement::Skip { seat: P1 }), gm_called("sakura"), gm());
    let seen = async |gm, what: &Override| {
        crate::rehearse(&table.desk, &table.code, gm, what.clone(), None, time(now)).await.unwrap()
    };
    assert!(seen(&other, &what).await.after.is_some());
    let shown = seen(&host, &what).await;
    assert!(shown.after.is_none() && shown.remarks.contains(&UNSEEN), "{:?}", shown.remarks);
    table.decide(Override::Hold, now).await;
    assert!(seen(&other, &Override::Publish).await.after.is_some());
    assert!(seen(&host, &Override::Publish).await.after.is_none());
    crate::decide(&table.desk, &table.code, &host, decision(what), time(now)).await.unwrap();
    verify(&table.database, &table.desk).await;
}

/// The player alone is sent the declaration that counts for them; the game master sees that a seal is
/// replaced.
#[tokio::test]
async fn what_is_entered_or_returned_is_told_to_whom_it_is_about() {
    let table = Table::new().await;
    seal(&table.desk, &table.code, "kaede", BID, 1).await;
    let declare = Judgement::Declare { seat: P2, answers: said("bid.gold=6") };
    let remarks = table.decide(judge(0, declare.clone()), 2).await;
    assert_eq!(remarks, [Remark::Replaced { seat: P2 }]);
    let entered = async |name| {
        let parts = table.told_to(name, 3).await.into_iter();
        parts.filter(|part| matches!(part, Part::Entered { .. })).collect::<Vec<_>>()
    };
    assert_eq!(entered("kaede").await, [Part::Entered { change: declare.clone() }]);
    let part = key("bid").whole();
    let return_unused_pause = Judgement::Return { seat: P2, part };
    let quietly =
        Decision { notified: Notified::Private, ..decision(judge(0, return_unused_pause.clone())) };
    crate::decide(&table.desk, &table.code, &gm(), quietly, time(3)).await.unwrap();
    let told = [declare, return_unused_pause].map(|change| Part::Entered { change });
    assert_eq!(entered("kaede").await, told);
    assert_eq!(entered("sakura").await, []);
}

#[tokio::test]
async fn who_is_not_asked_is_not_declared_for() {
    let table = Table::new().await;
    suspended(&table.desk, &table.code).await;
    let open = table.open().await;
    let declare = judge(open, Judgement::Declare { seat: P1, answers: said(DRAW) });
    assert_eq!(table.refuses(declare, 3).await, OverrideRefused::SeatNotAsked);
}

/// The posts of a suspension are not changed by an override in it or about it.
#[tokio::test]
async fn what_a_suspension_has_posted_stays() {
    let table = Table::new().await;
    suspended(&table.desk, &table.code).await;
    let open = table.open().await;
    assert_eq!(table.refuses(skip(open, P1), 3).await, OverrideRefused::OnlyRollback);
    let before = table.standing().await;
    table.decide(skip(open, P2), 3).await;
    table.undone(&before, 3).await;
    // As long as nobody has reacted, the round itself can be resolved again.
    table.decide(skip(1, P1), 3).await;
    let play = see(&table.desk, &table.code, "sakura", 3).await.play.unwrap();
    assert_eq!((play.contest.round(), play.contest.is_suspended()), (Round::new(2), false));
    table.undone(&before, 3).await;
    seal(&table.desk, &table.code, "kaede", "react.answer=pass", 3).await;
    table.closes(3).await;
    assert_eq!(table.refuses(skip(open, P1), 3).await, OverrideRefused::OnlyRollback);
    let stop = Judgement::Choose { seat: P2, answers: said("react.answer=stop") };
    table.decide(judge(open, stop), 3).await;
    let last = happened(&table.desk, &table.code).await;
    let stopped = last.iter().rev().find_map(|happened| match happened {
        Event::Closed { entries, .. } => Some(serde_json::to_string(entries).unwrap()),
        _ => None,
    });
    assert!(stopped.unwrap().contains("Stopped"));
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn what_is_under_review_stays_so_when_it_is_resolved_anew() {
    let (table, now) = thrown(true).await;
    table.decide(Override::Hold, now).await;
    let before = table.standing().await;
    table.decide(skip(1, P1), now + MINUTE).await;
    assert_eq!(
        see(&table.desk, &table.code, "kaede", now + HOUR).await.held,
        Some(HoldReason::Review)
    );
    assert_eq!(crate::next_due(&table.desk).await.unwrap(), None);
    table.undone(&before, now + MINUTE).await;
    table.decide(skip(1, P1), now + MINUTE).await;
    table.decide(Override::Publish, now + HOUR).await;
    let parts = table.told_to("kaede", now + HOUR).await;
    let judged = |part: &Part| {
        matches!(part, Part::Event(Event::Overridden { what: Override::Judge { .. }, .. }))
    };
    assert_eq!(parts.iter().filter(|part| judged(part)).count(), 1, "{parts:?}");
    let sight = see(&table.desk, &table.code, "kaede", now + HOUR).await;
    assert_eq!(crate::past(&table.desk, &sight, time(now + HOUR)).await.unwrap().len(), 3);
    table.both(DRAW, DRAW, now + HOUR).await;
    verify(&table.database, &table.desk).await;
}

/// The window that was asked again after a move is the one that closed.
#[tokio::test]
async fn what_is_decided_after_a_move_is_told_with_the_result() {
    let table = Table::announced_later().await;
    table.bid(1).await;
    let now = table.times().await.0;
    table.decide(give("gold.who=P2 gold.count=9"), now).await;
    let number = table.open().await;
    table.both(BY_DIE, BY_DIE, now).await;
    table.decide(Override::Hold, now).await;
    table.decide(skip(number, P2), now + 1).await;
    table.decide(Override::Publish, now + 2).await;
    let parts = table.told_to("kaede", now + 2).await;
    let judged = |part: &Part| {
        matches!(part, Part::Event(Event::Overridden { what: Override::Judge { .. }, .. }))
    };
    assert_eq!(parts.iter().filter(|part| judged(part)).count(), 1, "{parts:?}");
    verify(&table.database, &table.desk).await;
}

// --- Moves of the game master ---

fn give(text: &str) -> Override {
    Override::Edit { said: said(text) }
}

#[tokio::test]
async fn a_move_changes_the_board_and_what_was_sealed_stays() {
    let table = Table::new().await;
    table.bid(1).await;
    let play = see(&table.desk, &table.code, "sakura", 1).await.play.unwrap();
    seal(&table.desk, &table.code, "sakura", &placing(&*play.contest, P1), MINUTE).await;
    draft(&table.desk, &table.code, "kaede", DRAW, MINUTE).await;
    let (before, times) = (table.standing().await, table.times().await);
    assert_eq!(
        table.refuses(give("gold.who=P2 gold.count=10"), 2 * MINUTE).await,
        OverrideRefused::Unfit
    );
    assert_eq!(table.refuses(give("gold.wha=P2"), 2 * MINUTE).await, OverrideRefused::Unfit);
    table.decide(give("gold.who=P2 gold.count=9"), 2 * MINUTE).await;
    assert_eq!(gold(&table, 2 * MINUTE).await, json!([7, 9]));
    assert_eq!(table.times().await, times, "nobody has more time, or less");
    let (_, parts) = table.told("2-opening-P1").await.remove(0);
    let Some(Part::Opening { closes, .. }) = parts.last() else { panic!("{parts:?}") };
    assert_eq!(*closes, time(times.1));
    table.undone(&before, 2 * MINUTE).await;
    assert_eq!(gold(&table, 2 * MINUTE).await, json!([7, 7]));
    table.decide(give("gold.who=P2 gold.count=9"), 2 * MINUTE).await;
    let own = see(&table.desk, &table.code, "kaede", 2 * MINUTE).await.play.unwrap().own;
    assert_eq!(own, said(DRAW), "a draft stays a draft");
    seal(&table.desk, &table.code, "kaede", DRAW, 3 * MINUTE).await;
    table.closes(3 * MINUTE).await;
    verify(&table.database, &table.desk).await;
    let play = see(&table.desk, &table.code, "sakura", 3 * MINUTE).await.play.unwrap();
    assert!(play.contest.is_suspended());
    let now = give("gold.who=P2 gold.count=9");
    assert_eq!(table.refuses(now, 3 * MINUTE).await, OverrideRefused::Suspended);
}

/// A bot player declares again after the move.
#[tokio::test]
async fn a_move_leaves_no_house_player_behind() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(Override::House { seat: P2, policy: "random".to_owned() }, 2).await;
    table.decide(give("gold.who=P2 gold.count=0"), 3).await;
    seal(&table.desk, &table.code, "sakura", DRAW, 3).await;
    table.closes(3).await;
    verify(&table.database, &table.desk).await;
}
