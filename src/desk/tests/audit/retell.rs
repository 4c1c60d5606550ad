//! The retelling of a table that is over: complete and in order, with each viewer's own view.

use std::collections::BTreeSet;

use crate::audit::retell::{Retold, Step, StepKind, Validity};
use crate::model::{Judgement, Override};
use crate::tests::kit::{Table, gm, skip};
use crate::tests::support::{BID, DRAW, HOUR, account, execute, refused, seal, suspended};
use kit::time::time;
use kit::toy::{P1, P2};
use letters::Refused;
use rules::{Fell, Item, Round, Viewer};
use tables::{CloseReason, EndKind, OverrideNumber, WindowNumber};

async fn retold(table: &Table, now: i64) -> Retold {
    crate::retell(&table.desk, &table.code, time(now)).await.unwrap().unwrap()
}

/// Returns the closed windows, with their rounds and their validity.
fn windows(retold: &Retold) -> Vec<(u32, u32, Validity)> {
    let closed = |step: &Step| match step.what {
        StepKind::Closed { number, round, .. } => Some((number.get(), round.get(), step.fate)),
        _ => None,
    };
    retold.steps.iter().filter_map(closed).collect()
}

#[tokio::test]
async fn a_table_is_told_from_its_deal_to_its_end() {
    let table = Table::new().await;
    suspended(&table.desk, &table.code).await;
    assert!(
        crate::retell(&table.desk, &table.code, time(HOUR)).await.unwrap().is_none(),
        "it goes on"
    );
    assert_eq!(
        refused(crate::retell(&table.desk, &"nowhere".into(), time(0)).await),
        Refused::NoTable
    );
    seal(&table.desk, &table.code, "kaede", "react.react=stop", 3).await;
    table.closes(3).await;
    table.decide(Override::End, 4).await;
    let retold = retold(&table, 5).await;
    let suspended = |number, round, suspended| {
        let why = CloseReason::AllSealed;
        let (number, round) = (WindowNumber::new(number), Round::new(round));
        StepKind::Closed { number, round, suspended, why }
    };
    let told: Vec<StepKind> = retold.steps.iter().map(|step| step.what).collect();
    assert_eq!(
        told,
        [
            StepKind::Dealt,
            suspended(0, 0, true),
            suspended(1, 1, false),
            suspended(2, 1, true),
            StepKind::Over { how: EndKind::Ended },
        ]
    );
    assert!(retold.steps.iter().all(|step| step.fate == Validity::Counts));
    let dice = |step: &Step| step.seen_by(Viewer::All).dice;
    let shuffled = dice(&retold.steps[0]);
    assert!(shuffled.iter().any(|die| matches!(die.fell, Fell::Order(_))), "{shuffled:?}");
    assert!(retold.steps[0].seen_by(Viewer::Public).dice.is_empty());
    let thrown: Vec<String> = retold.steps[2..]
        .iter()
        .flat_map(|step| dice(step).into_iter().map(|die| die.label))
        .collect();
    let once: BTreeSet<&String> = thrown.iter().collect();
    assert_eq!(once.len(), thrown.len(), "each die of a round is thrown once: {thrown:?}");
    let end = retold.steps.last().unwrap();
    assert!(end.is_scored());
    let seen = end.seen_by(Viewer::Public);
    assert_eq!(seen.decided.len(), 1);
    assert_eq!(retold.called(seen.decided[0].by.as_ref().unwrap()), "momiji");
    assert_eq!(retold.seed, "07".repeat(32));
}

#[tokio::test]
async fn a_seat_is_told_nothing_of_what_another_has_closed() {
    let table = Table::new().await;
    suspended(&table.desk, &table.code).await;
    seal(&table.desk, &table.code, "kaede", "react.react=stop", 3).await;
    table.closes(3).await;
    table.decide(Override::End, 4).await;
    let retold = retold(&table, 5).await;
    let viewers = [Viewer::Public, Viewer::Seat(P1), Viewer::Seat(P2), Viewer::All];
    assert_eq!(retold.viewers(), viewers);
    for step in &retold.steps {
        let all = step.seen_by(Viewer::All);
        for viewer in viewers {
            let seen = step.seen_by(viewer);
            let knows = |seat| viewer == Viewer::All || viewer == Viewer::Seat(seat);
            for (declared, whole) in seen.declared.iter().zip(&all.declared) {
                assert_eq!(declared.said.is_some(), knows(declared.seat) && whole.said.is_some());
                assert_eq!((declared.seat, declared.receipt), (whole.seat, whole.receipt));
            }
            assert!(
                seen.dice.iter().all(|die| viewer == Viewer::All || die.seat().is_some_and(knows))
            );
            for entry in &seen.entries {
                let Item::Ruling(ruling) = &entry.item else { continue };
                assert!(knows(ruling.seat) || (ruling.value.is_none() && ruling.fault.is_none()));
            }
            // The toy shows a hand to its holder, and to others only the backs.
            let report = seen.report.unwrap();
            for seat in [P1, P2] {
                let hand = report["hands"][seat.index()].as_array().unwrap();
                assert!(
                    knows(seat) || hand.iter().all(serde_json::Value::is_null),
                    "{viewer:?}: {report}"
                );
            }
        }
    }
    let bids = retold.steps[1].seen_by(Viewer::All).declared;
    assert!(bids.iter().all(|bid| bid.said.is_some() && bid.receipt.is_some()));
    assert!(retold.steps.iter().any(|step| !step.seen_by(Viewer::All).entries.is_empty()));
}

#[tokio::test]
async fn what_was_resolved_anew_or_gone_back_from_is_told_as_such() {
    let table = Table::new().await;
    table.bid(1).await;
    table.both("tax.pay=gold*1", "tax.pay=gold*2", 2).await;
    // The last window is resolved again, the next one is asked again, and then all is rewound to the first.
    table.decide(skip(1, P1), 3).await;
    table.decide(Override::Void, 3).await;
    table.both(DRAW, DRAW, 4).await;
    let told = Override::Rollback { number: WindowNumber::new(0), round: Some(Round::new(0)) };
    table.decide(told, 5).await;
    table.both(BID, BID, 6).await;
    table.decide(Override::End, 7).await;
    let retold = retold(&table, 8).await;
    let fates: Vec<(u32, Validity)> =
        windows(&retold).into_iter().map(|(number, _, fate)| (number, fate)).collect();
    let last = *fates.last().unwrap();
    assert_eq!(fates[0], (0, Validity::GoneBack));
    assert_eq!(fates[1], (1, Validity::Anew));
    assert!(
        fates[2..fates.len() - 1].iter().all(|(_, fate)| *fate == Validity::GoneBack),
        "{fates:?}"
    );
    assert_eq!(last.1, Validity::Counts);
    let dealt: Vec<Validity> = retold
        .steps
        .iter()
        .filter(|step| step.what == StepKind::Dealt)
        .map(|step| step.fate)
        .collect();
    assert_eq!(dealt, [Validity::GoneBack, Validity::Counts]);
    // Each override appears once, and a judgement together with the window that it led to.
    let decided = |step: &Step| step.seen_by(Viewer::All).decided;
    let all: Vec<OverrideNumber> = retold
        .steps
        .iter()
        .flat_map(|step| decided(step).into_iter().map(|logged| logged.number))
        .collect();
    assert_eq!(all.len(), 4);
    let judged = |step: &&Step| matches!(step.what, StepKind::Closed { number, .. } if number == WindowNumber::new(3));
    let judged = decided(retold.steps.iter().find(judged).unwrap());
    assert!(matches!(judged[0].what, Override::Judge { change: Judgement::Skip { .. }, .. }));
}

#[tokio::test]
async fn what_was_decided_quietly_is_for_those_who_see_everything() {
    let table = Table::new().await;
    table.bid(1).await;
    let quietly = crate::overrides::decision::Decision {
        notified: tables::Notified::Private,
        ..crate::tests::kit::decision(skip(1, P1))
    };
    crate::decide(&table.desk, &table.code, &gm(), quietly, time(2)).await.unwrap();
    table.both(DRAW, DRAW, 3).await;
    crate::end(&table.desk, &table.code, &account("sakura"), None, None, time(4)).await.unwrap();
    let retold = retold(&table, 5).await;
    let step = &retold.steps[2];
    assert_eq!(step.seen_by(Viewer::All).decided.len(), 1);
    for viewer in [Viewer::Public, Viewer::Seat(P1)] {
        assert!(step.seen_by(viewer).decided.is_empty());
    }
}

#[tokio::test]
async fn what_does_not_come_to_what_was_told_is_not_told_again() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(Override::Cancel, 2).await;
    assert_eq!(
        retold(&table, 3).await.steps.last().unwrap().what,
        StepKind::Over { how: EndKind::Cancelled }
    );
    assert!(!retold(&table, 3).await.steps.last().unwrap().is_scored());
    execute(&table.database, "update windows set said = '{}' where number = 0").await;
    assert!(crate::retell(&table.desk, &table.code, time(3)).await.is_err());
}
