//! The life of a table, in order, and what is refused in each of its stages.

use std::fmt::Debug;

use serde_json::json;

use crate::model::{Desk, NotDone};
use crate::record::Event;
use crate::table::form::{Form, TableChange};
use crate::tests::support::{
    BID, Database, HOUR, SEED, VALUE, account, codes, desk, everything, form, guest, happened,
    looks, passes, refused, rows, say, seal, see, suspended, table, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use games::any::TableOptionsError;
use kit::time::time;
use kit::toy::{P1, P2};
use letters::{DeclarationRefused, OverrideRefused, Refused, SeatRefused};
use rules::{Seat, Viewer};
use tables::{CloseReason, EndKind, Stage, TableCode, WindowNumber};

/// A table whose refusals are checked to change nothing.
struct Table {
    database: Database,
    desk: Desk,
    code: TableCode,
}

impl Table {
    async fn refuses<T: Debug>(
        &self,
        why: impl Into<Refused>,
        done: impl Future<Output = Result<T, NotDone>>,
    ) {
        let before = everything(&self.database, &self.code).await;
        assert_eq!(refused(done.await), why.into());
        assert_eq!(everything(&self.database, &self.code).await, before);
    }

    async fn start(&self, name: &str) -> Result<(), NotDone> {
        crate::start(&self.desk, &self.code, &account(name), "random", time(0)).await
    }

    async fn join(&self, name: &str) -> Result<Seat, NotDone> {
        crate::join(&self.desk, &self.code, guest(name), None, time(0)).await
    }

    async fn leave(&self, name: &str) -> Result<Seat, NotDone> {
        crate::leave(&self.desk, &self.code, &account(name), time(0)).await
    }

    async fn say(
        &self,
        name: &str,
        now: i64,
    ) -> Result<crate::window::declare::ReceivedDeclaration, NotDone> {
        say(&self.desk, &self.code, name, BID, DeclarationStatus::Sealed, now).await
    }

    async fn end(&self, name: &str, now: i64) -> Result<(), NotDone> {
        crate::end(&self.desk, &self.code, &account(name), None, None, time(now)).await
    }

    async fn close(&self, name: &str, now: i64) -> Result<(), NotDone> {
        crate::close(&self.desk, &self.code, &account(name), None, time(now)).await
    }

    async fn resume(&self, name: &str, now: i64) -> Result<(), NotDone> {
        crate::resume(&self.desk, &self.code, &account(name), None, time(now)).await
    }
}

async fn formed() -> Table {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, form("toy"), time(0)).await.unwrap().code;
    Table { database, desk, code }
}

#[tokio::test]
async fn people_join_and_leave_until_the_host_starts() {
    let table = formed().await;
    assert_eq!(table.join("sakura").await.unwrap(), P1);
    assert_eq!(table.join("sakura").await.unwrap(), P1, "who sits there stays there");
    assert_eq!(table.join("kaede").await.unwrap(), P2);
    table.refuses(SeatRefused::Full, table.join("momiji")).await;
    table.refuses(Refused::NotSeated, table.leave("momiji")).await;
    table.refuses(Refused::NotBegun, table.say("sakura", 0)).await;
    table.refuses(Refused::NotBegun, table.close("sakura", 0)).await;
    table.refuses(Refused::NotBegun, table.resume("sakura", 0)).await;
    assert_eq!(table.leave("sakura").await.unwrap(), P1);
    assert_eq!(table.join("momiji").await.unwrap(), P1, "the first free chair");
    assert_eq!(table.leave("momiji").await.unwrap(), P1);

    table.refuses(Refused::NotLeader, table.start("kaede")).await;
    table.start("sakura").await.unwrap();
    let sight = see(&table.desk, &table.code, "kaede", 0).await;
    assert_eq!((sight.stage, sight.seat, sight.is_host), (Stage::Playing, Some(P2), false));
    assert_eq!(sight.taken, [P1, P2], "a house player has the free chair");
    assert!(see(&table.desk, &table.code, "sakura", 0).await.is_host);
    table.refuses(Refused::Begun, table.start("sakura")).await;
    table.refuses(Refused::Begun, table.join("momiji")).await;
    table.refuses(SeatRefused::NoLeaving, table.leave("kaede")).await;
    table.refuses(Refused::NotSeated, table.say("momiji", 0)).await;
    table.refuses(Refused::NotLeader, table.close("kaede", 0)).await;
    table.refuses(OverrideRefused::NotHeld, table.resume("sakura", 0)).await;

    table.say("kaede", 1).await.unwrap();
    assert_eq!(
        looks(&table.desk, &table.code, 1).await,
        TickOutcome::Closed(CloseReason::AllSealed)
    );
    table.close("sakura", 2).await.unwrap();
    assert_eq!(
        see(&table.desk, &table.code, "kaede", 2).await.play.unwrap().number,
        WindowNumber::new(2)
    );

    table.refuses(Refused::NotLeader, table.end("kaede", 3)).await;
    table.end("sakura", 3).await.unwrap();
    assert_eq!(see(&table.desk, &table.code, "kaede", 3).await.stage, Stage::Over);
    let last = happened(&table.desk, &table.code).await.pop();
    assert!(
        matches!(last, Some(Event::Over { how: EndKind::Ended, seed, .. }) if seed == hex::encode(SEED.0))
    );
    table.refuses(Refused::Over, table.end("sakura", 4)).await;
    table.refuses(Refused::Over, table.close("sakura", 4)).await;
    table.refuses(Refused::Over, table.say("kaede", 4)).await;
    assert_eq!(looks(&table.desk, &table.code, 2 * HOUR).await, TickOutcome::Nothing);
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn of_a_table_that_is_not_there_nothing_is_done() {
    let Table { database, desk, .. } = formed().await;
    let table = Table { code: "NOONE".into(), database, desk };
    table.refuses(Refused::NoTable, table.join("momiji")).await;
    table.refuses(Refused::NoTable, table.leave("sakura")).await;
    table.refuses(Refused::NoTable, table.start("sakura")).await;
    table.refuses(Refused::NoTable, table.say("sakura", 0)).await;
    table.refuses(Refused::NoTable, table.end("sakura", 0)).await;
    table
        .refuses(
            Refused::NoTable,
            crate::see(&table.desk, &"NOONE".into(), &account("sakura"), time(0)),
        )
        .await;
    assert_eq!(looks(&table.desk, &"NOONE".into(), 0).await, TickOutcome::Nothing);
}

#[tokio::test]
async fn a_game_is_formed_as_it_can_be_played() {
    let Table { database, desk, .. } = formed().await;
    let unknown = crate::form(&desk, form("chess"), time(0)).await;
    assert_eq!(refused(unknown), Refused::OtherEdition);
    let crowded =
        crate::form(&desk, crate::table::form::Form { chairs: 5, ..form("toy") }, time(0)).await;
    assert!(matches!(crowded, Err(NotDone::Options(TableOptionsError::Seats { seats: 5, .. }))));
    assert_eq!(codes(&database).await.len(), 1);
}

#[tokio::test]
async fn a_declaration_is_replaced_drafted_withdrawn_and_sealed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    let mut receipts = Vec::new();
    for (text, said) in [
        (BID, DeclarationStatus::Sealed),
        ("bid.gold=4", DeclarationStatus::Sealed),
        ("bid.gold=5", DeclarationStatus::Draft),
        ("", DeclarationStatus::Draft),
        ("bid.gold=6 bid.motto=hi", DeclarationStatus::Sealed),
    ] {
        let received = say(&desk, &code, "sakura", text, said, 1).await.unwrap();
        assert_eq!(
            (received.seat, received.number, received.timing.settles),
            (P1, WindowNumber::FIRST, None)
        );
        assert_eq!(received.receipt.is_some(), said == DeclarationStatus::Sealed);
        receipts.extend(received.receipt);
        let own = see(&desk, &code, "sakura", 1).await.play.unwrap().own;
        assert_eq!(own, kit::toy::said(text));
        assert!(see(&desk, &code, "kaede", 1).await.play.unwrap().own.is_empty());
    }
    receipts.dedup();
    assert_eq!(receipts.len(), 3, "each sealing has a receipt of its own");
    seal(&desk, &code, "kaede", BID, 2).await;
    assert_eq!(looks(&desk, &code, 2).await, TickOutcome::Closed(CloseReason::AllSealed));
    let report = see(&desk, &code, "sakura", 2).await.play.unwrap().contest.report(Viewer::Public);
    assert_eq!(report["gold"], serde_json::json!([10, 7]));
    assert_eq!(report["motto"], serde_json::json!(["hi", ""]));
    verify(&database, &desk).await;
}

#[tokio::test]
async fn who_is_not_asked_declares_nothing() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    suspended(&desk, &code).await;
    let table = Table { database, desk, code };
    table.refuses(DeclarationRefused::NotAsked, table.say("sakura", 3)).await;
    table.say("kaede", 3).await.unwrap();
}

#[tokio::test]
async fn a_window_takes_nothing_at_its_deadline() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    let table = Table { database, desk, code };
    table.say("sakura", HOUR - 1).await.unwrap();
    table.refuses(DeclarationRefused::Closed, table.say("sakura", HOUR)).await;
    table.refuses(DeclarationRefused::Closed, table.say("kaede", HOUR)).await;
    assert_eq!(
        looks(&table.desk, &table.code, HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
}

#[tokio::test]
async fn a_game_is_played_to_its_end() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    let mut now = 0;
    while let Some(due) = crate::next_due(&desk).await.unwrap() {
        now = due.milliseconds();
        assert_eq!(crate::due(&desk, time(now), 9).await.unwrap(), [code.as_str()]);
        assert_ne!(passes(&desk, &code, now).await, TickOutcome::Nothing);
    }
    assert_eq!(now, 6 * HOUR, "the deal, and five rounds");
    let sight = see(&desk, &code, "sakura", now).await;
    assert_eq!(sight.stage, Stage::Over);
    let play = sight.play.as_ref().unwrap();
    assert!(play.asked.is_empty() && play.contest.standing().is_some());
    assert_eq!(crate::past(&desk, &sight, time(now)).await.unwrap().len(), 7);
    assert_eq!(crate::newest_of(&desk, &account("sakura")).await.unwrap(), None);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_seat_is_chosen_and_changed_until_the_game_begins() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, Form { chairs: 4, ..form("toy") }, time(0)).await.unwrap().code;
    let table = Table { database, desk, code };
    let [p3, p4] = [Seat::new(2), Seat::new(3)];
    let at = async |name: &str, chair: Seat| {
        crate::join_at(&table.desk, &table.code, guest(name), Some(VALUE), Some(chair), time(0))
            .await
    };
    let free = |seats: &[Seat]| SeatRefused::NotFree(seats.iter().copied().collect());
    assert_eq!(at("sakura", p3).await.unwrap(), p3);
    table.refuses(free(&[P1, P2, p4]), at("kaede", p3)).await;
    let none = SeatRefused::NoChair([P1, P2, p4].into_iter().collect());
    table.refuses(none, at("kaede", Seat::new(7))).await;
    assert_eq!(table.join("kaede").await.unwrap(), P1);
    // A seated player moves with the value they brought, and frees their seat.
    table.refuses(free(&[P2, p4]), at("sakura", P1)).await;
    assert_eq!(at("sakura", p4).await.unwrap(), p4);
    assert_eq!(at("sakura", p4).await.unwrap(), p4, "they sit there already");
    assert_eq!(at("kaede", p3).await.unwrap(), p3);
    let value = hex::encode(VALUE);
    let kept: Vec<(i64, String)> =
        rows(&table.database, "select seat, value from seats order by seat").await;
    assert_eq!(kept, [(2, value.clone()), (3, value)]);
    table.start("sakura").await.unwrap();
    table.refuses(Refused::Begun, at("sakura", P1)).await;
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn an_option_for_one_number_of_chairs_sets_it_or_is_set_by_it() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pairs = json!({ "sides": "pairs" });
    let of = |chairs| Form { chairs, options: pairs.clone(), ..form("stages") };
    let misfit = |done: Result<(), NotDone>| match done.unwrap_err() {
        NotDone::Options(TableOptionsError::Misfit { misfit, seats, .. }) => (misfit.clause, seats),
        other => panic!("{other}"),
    };
    assert_eq!(misfit(crate::form(&desk, of(3), time(0)).await.map(drop)), ("S2", 3));
    let code = crate::form(&desk, of(4), time(0)).await.unwrap().code;
    let set =
        async |change| crate::change_table(&desk, &code, &account("sakura"), change, time(0)).await;
    set(TableChange::Chairs(2)).await.unwrap();
    let set_up = see(&desk, &code, "sakura", 0).await;
    assert_eq!((set_up.chairs, &set_up.options), (2, &json!({})));
    let (key, value) = ("sides".to_owned(), "pairs".to_owned());
    set(TableChange::Option { key, value }).await.unwrap();
    let set_up = see(&desk, &code, "sakura", 0).await;
    assert_eq!((set_up.chairs, &set_up.options), (4, &pairs));
}
