//! The verification of a table that is over, by a replay on request.

use crate::audit::replay::difference::Differs;
use crate::model::Override;
use crate::tests::kit::Table;
use crate::tests::support::{DRAW, account, execute, refused};
use kit::time::time;
use kit::toy_game::TOY;
use letters::{Letters, Reader, Refused};
use rules::Round;
use rules::text::Lang;

async fn over() -> Table {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(Override::Void, 2).await;
    table.both(DRAW, DRAW, 3).await;
    crate::end(&table.desk, &table.code, &account("sakura"), None, None, time(4)).await.unwrap();
    table
}

/// Returns the texts of the verification, in both languages.
async fn told(table: &Table) -> [String; 2] {
    let replay = crate::verify(&table.desk, &table.code, time(5)).await.unwrap();
    [Lang::En, Lang::Ja].map(|lang| {
        let reader = Reader::new(TOY, lang).in_plain_text();
        replay.written(&Letters::built_in(), &reader, &table.code, &[]).unwrap()
    })
}

#[tokio::test]
async fn it_is_told_whether_a_table_comes_as_it_was_told_and_who_touched_it() {
    let table = Table::new().await;
    assert_eq!(refused(crate::verify(&table.desk, &table.code, time(1)).await), Refused::NotOver);
    assert_eq!(
        refused(crate::verify(&table.desk, &"nowhere".into(), time(1)).await),
        Refused::NoTable
    );
    let [en, ja] = told(&over().await).await;
    assert!(en.contains("OK: 2 windows") && en.contains("window 1: #1"), "{en}");
    assert!(ja.contains("検証OK：受付2回") && ja.contains("第1回受付：#1"), "{ja}");
}

#[tokio::test]
async fn the_first_difference_is_told() {
    let table = over().await;
    let statement = "update declarations set answers = '{}' where number = 0 and seat = 0";
    execute(&table.database, statement).await;
    let replay = crate::verify(&table.desk, &table.code, time(5)).await.unwrap();
    let first = replay.differences.first().unwrap();
    assert_eq!((first.what, first.window), (Differs::Seal, Some(Round::DEAL)));
    let [en, ja] = told(&table).await;
    assert!(en.contains("NOT") && en.contains("a sealed declaration; the setup; P1"), "{en}");
    assert!(ja.contains("提出された宣言、準備、"), "{ja}");
}
