//! A table whose game begins as soon as somebody takes the last chair.

use crate::model::Desk;
use crate::table::form::TableChange;
use crate::tests::support::{Database, account, desk, form, guest, refused, see, verify};
use kit::time::time;
use letters::{Refused, SeatRefused};
use rules::dice::{Brought, promise_of};
use tables::{Stage, TableCode, TableSetting};

/// Forms a table for two with 桜 on a chair; returns its code.
async fn formed(desk: &Desk, begins: bool) -> TableCode {
    let code = crate::form(desk, form("toy"), time(0)).await.unwrap().code;
    let change = TableChange::Set(TableSetting::BeginsWhenFull, begins);
    crate::change_table(desk, &code, &account("sakura"), change, time(0)).await.unwrap();
    crate::join(desk, &code, guest("sakura"), None, time(0)).await.unwrap();
    code
}

#[tokio::test]
async fn the_last_one_to_sit_down_begins_it_if_the_host_wants_that() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for (begins, stage) in [(false, Stage::Forming), (true, Stage::Playing)] {
        let code = formed(&desk, begins).await;
        // A player who sits there already takes no chair.
        crate::join(&desk, &code, guest("sakura"), None, time(1)).await.unwrap();
        assert_eq!(see(&desk, &code, "sakura", 1).await.stage, Stage::Forming);
        crate::join(&desk, &code, guest("kaede"), None, time(2)).await.unwrap();
        assert_eq!(see(&desk, &code, "kaede", 2).await.stage, stage);
        let third = crate::join(&desk, &code, guest("ume"), None, time(3)).await;
        assert_eq!(refused(third), if begins { Refused::Begun } else { SeatRefused::Full.into() });
    }
    verify(&database, &desk).await;
}

#[tokio::test]
async fn where_values_are_promised_the_last_one_that_is_told_begins_it() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = formed(&desk, true).await;
    let value = [7; 32];
    let promise = promise_of(&value);
    crate::join(&desk, &code, guest("kaede"), Brought::Promise(promise), time(1)).await.unwrap();
    assert_eq!(see(&desk, &code, "kaede", 1).await.stage, Stage::Forming);
    crate::join(&desk, &code, guest("kaede"), Brought::Value(value), time(2)).await.unwrap();
    assert_eq!(see(&desk, &code, "kaede", 2).await.stage, Stage::Playing);
    verify(&database, &desk).await;
}

/// The table is full once the host has removed the free chair.
#[tokio::test]
async fn a_table_that_becomes_full_as_a_chair_goes_begins() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = formed(&desk, true).await;
    let set =
        async |change| crate::change_table(&desk, &code, &account("sakura"), change, time(1)).await;
    set(TableChange::Chairs(3)).await.unwrap();
    crate::join(&desk, &code, guest("kaede"), None, time(2)).await.unwrap();
    assert_eq!(see(&desk, &code, "kaede", 2).await.stage, Stage::Forming);
    set(TableChange::Chairs(2)).await.unwrap();
    assert_eq!(see(&desk, &code, "kaede", 3).await.stage, Stage::Playing);
    verify(&database, &desk).await;
}
