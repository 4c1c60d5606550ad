//! The replay of a table from its record.

use crate::audit::replay::Replayed;
use crate::model::Override;
use crate::tests::kit::{Table, skip};
use crate::tests::support::{DRAW, execute, refused, suspended};
use kit::toy::P1;
use letters::Refused;
use rules::Round;
use tables::{OverrideNumber, WindowNumber};

#[tokio::test]
async fn it_says_which_windows_were_touched_by_hand() {
    let table = Table::new().await;
    suspended(&table.desk, &table.code).await;
    table.decide(skip(1, P1), 3).await;
    table.decide(Override::Void, 3).await;
    table.both(DRAW, DRAW, 4).await;
    let replay = crate::replay(&table.desk, &table.code).await.unwrap();
    assert!(replay.is_sound());
    let window = |number, window| {
        let (number, window) = (WindowNumber::new(number), Round::new(window));
        Replayed { number, window, is_same: true }
    };
    assert_eq!(replay.windows, [window(0, 0), window(1, 1), window(3, 1), window(5, 2)]);
    let touched =
        |number, window, what| (OverrideNumber::new(number), Some(WindowNumber::new(window)), what);
    assert_eq!(replay.touched, [touched(0, 3, skip(1, P1)), touched(1, 5, Override::Void)]);
    assert_eq!(refused(crate::replay(&table.desk, &"nowhere".into()).await), Refused::NoTable);
}

#[tokio::test]
async fn whatever_is_changed_afterwards_is_found() {
    for (statement, window) in [
        ("update declarations set answers = '{}' where number = 1 and seat = 0", Some(1)),
        ("update declarations set hash = '00' where number = 0 and seat = 1", Some(0)),
        (
            "update snapshots set state = replace(state, '\"round\":0', '\"round\":3') where number = 1",
            Some(1),
        ),
        (
            "update windows set said = replace(said, '\"attempt\":0', '\"attempt\":1') where number = 1",
            Some(1),
        ),
        ("update tables set seed = replace(seed, '07', '08')", Some(0)),
        ("update journal set body = replace(body, 'all-sealed', 'deadline') where entry = 5", None),
        ("update journal set at = at + 1 where entry = 2", None),
    ] {
        let table = Table::new().await;
        table.bid(1).await;
        table.both("tax.pay=gold*1", "tax.pay=gold*2", 2).await;
        assert!(crate::replay(&table.desk, &table.code).await.unwrap().is_sound());
        execute(&table.database, statement).await;
        let replay = crate::replay(&table.desk, &table.code).await.unwrap();
        assert!(!replay.is_sound(), "{statement}");
        let wrong = replay.windows.iter().find(|window| !window.is_same);
        assert_eq!(wrong.map(|window| window.number), window.map(WindowNumber::new), "{statement}");
        assert_eq!(replay.broken.is_some(), window.is_none(), "{statement}");
    }
}
