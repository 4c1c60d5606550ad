//! Values for the dice: nobody can choose theirs by another's promised value.

use crate::model::{Desk, Gm, Override};
use crate::overrides::decision::Decision;
use crate::record::{Event, Part};
use crate::table::form::{Form, TableChange};
use crate::tests::support::{
    Database, account, desk, form, guest, happened, refused, rows, see, verify,
};
use kit::time::time;
use kit::toy::{P1, P2};
use letters::{Changes, SeatRefused, StartRefused};
use rules::dice::{Brought, commitment, own_value, promise_of, value_of};
use tables::{Notified, TableCode};

fn promise(words: &str) -> Brought {
    Brought::Promise(promise_of(&value_of(words)))
}

fn words(words: &str) -> Brought {
    Brought::Value(value_of(words))
}

/// Forms a table with dice of its own.
async fn formed(database: &Database) -> (Desk, TableCode) {
    let desk = desk(database).await;
    let code = crate::form(&desk, Form { chairs: 3, seed: None, ..form("toy") }, time(0))
        .await
        .unwrap()
        .code;
    (desk, code)
}

async fn values(database: &Database) -> Vec<String> {
    let rows: Vec<(String,)> = rows(database, "select value from seats order by seat").await;
    rows.into_iter().map(|(value,)| value).collect()
}

async fn start(desk: &Desk, code: &TableCode) -> Result<(), crate::model::NotDone> {
    crate::start(desk, code, &account("sakura"), "random", time(1)).await
}

async fn decide(desk: &Desk, code: &TableCode, what: Override) {
    let gm = Gm { account: account("sakura"), roles: Vec::new() };
    let decision = Decision {
        what,
        guest: None,
        reason: "-".to_owned(),
        notified: Notified::Public,
        foundation: None,
        shown: Changes::default(),
    };
    crate::decide(desk, code, &gm, decision, time(1)).await.unwrap();
}

/// The operator of the bot cannot choose the value of a seat that brings none: the commitment covers it.
#[tokio::test]
async fn the_value_of_who_brings_none_follows_from_what_was_committed_to() {
    let database = Database::fresh().await;
    let (desk, code) = formed(&database).await;
    crate::join(&desk, &code, guest("sakura"), None, time(0)).await.unwrap();
    crate::join(&desk, &code, guest("kaede"), words("rain"), time(0)).await.unwrap();
    start(&desk, &code).await.unwrap();
    let (seed, dice): (String, String) =
        rows(&database, "select seed, dice from tables").await.remove(0);
    let seed: [u8; 32] = hex::decode(seed).unwrap().try_into().unwrap();
    let own = |seat| hex::encode(own_value(code.as_str(), &seed, rules::Seat::new(seat), 0));
    assert_eq!(code, *dice);
    assert_eq!(values(&database).await, [own(0), hex::encode(value_of("rain")), own(2)]);
    let told = happened(&desk, &code).await;
    let Event::Formed { commitment: committed, dice, .. } = &told[0] else { panic!("{told:?}") };
    assert_eq!(*committed, hex::encode(commitment(code.as_str(), &seed)));
    assert_eq!(code, **dice);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_promise_is_told_when_nothing_else_can_be_chosen_any_more() {
    let database = Database::fresh().await;
    let (desk, code) = formed(&database).await;
    let join = |name, brought: Brought| crate::join(&desk, &code, guest(name), brought, time(1));
    crate::join(&desk, &code, guest("sakura"), words("snow"), time(0)).await.unwrap();
    join("kaede", promise("rain")).await.unwrap();
    assert_eq!(values(&database).await[1], "", "nobody knows it");
    let sight = see(&desk, &code, "kaede", 1).await;
    assert_eq!(sight.owes, Some(hex::encode(promise_of(&value_of("rain")))));
    // A promise cannot be kept too early: the players who sit down meanwhile could have promised, too.
    assert_eq!(refused(join("kaede", words("rain")).await), SeatRefused::NotDue);
    assert_eq!(refused(join("kaede", words("hail")).await), SeatRefused::NotPromised);
    assert_eq!(refused(start(&desk, &code).await), StartRefused::Promised(P2));
    let due = "select body from outbox where letter like '%-due-%'";
    let letters: Vec<(String,)> = rows(&database, due).await;
    assert_eq!(letters.len(), 2, "everybody is told");
    let letter: crate::record::letter::Letter = serde_json::from_str(&letters[0].0).unwrap();
    assert_eq!(letter.parts, [Part::Event(Event::Due { seats: vec![P2] })]);
    // As long as no promise is kept, others may come, and the host asks again.
    join("ume", promise("wind")).await.unwrap();
    assert_eq!(refused(join("kaede", words("rain")).await), SeatRefused::NotDue);
    assert_eq!(refused(start(&desk, &code).await), StartRefused::Promised(P2));
    join("kaede", words("rain")).await.unwrap();
    join("kaede", words("rain")).await.unwrap();
    // From now on a player who knows that value cannot choose by it.
    for refusal in [
        join("sakura", words("ice")).await,
        join("kaede", words("ice")).await,
        join("momiji", words("ice")).await,
        crate::leave(&desk, &code, &account("sakura"), time(1)).await,
        crate::change_table(&desk, &code, &account("sakura"), TableChange::Chairs(4), time(1))
            .await
            .map(|()| P1),
    ] {
        assert_eq!(refused(refusal), SeatRefused::Fixed);
    }
    assert_eq!(refused(start(&desk, &code).await), StartRefused::Promised(rules::Seat::new(2)));
    assert_eq!(refused(join("ume", words("ice")).await), SeatRefused::NotPromised);
    join("ume", words("wind")).await.unwrap();
    start(&desk, &code).await.unwrap();
    let all = ["snow", "rain", "wind"].map(|words| hex::encode(value_of(words)));
    assert_eq!(values(&database).await, all);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn whoever_keeps_silent_can_be_sent_away_and_then_everybody_chooses_anew() {
    let database = Database::fresh().await;
    let (desk, code) = formed(&database).await;
    let join = |name, brought: Brought| crate::join(&desk, &code, guest(name), brought, time(1));
    join("sakura", promise("snow")).await.unwrap();
    join("kaede", promise("rain")).await.unwrap();
    join("ume", Brought::Nothing).await.unwrap();
    assert_eq!(refused(start(&desk, &code).await), StartRefused::Promised(P1));
    join("sakura", words("snow")).await.unwrap();
    decide(&desk, &code, Override::Kick { seat: P2 }).await;
    assert_eq!(see(&desk, &code, "sakura", 1).await.owes.as_deref(), Some(""));
    let told = happened(&desk, &code).await;
    assert!(told.contains(&Event::Left { seat: P2, anew: true }), "{told:?}");
    // A value that was revealed is no promise any more.
    assert_eq!(refused(start(&desk, &code).await), StartRefused::Promised(P1));
    join("sakura", promise("ice")).await.unwrap();
    join("momiji", Brought::Nothing).await.unwrap();
    assert_eq!(refused(start(&desk, &code).await), StartRefused::Promised(P1));
    join("sakura", words("ice")).await.unwrap();
    start(&desk, &code).await.unwrap();
    verify(&database, &desk).await;
}

/// A player who stands up knows the value of their seat; the next player there has another one.
#[tokio::test]
async fn whoever_sits_down_where_somebody_stood_up_has_another_value() {
    let database = Database::fresh().await;
    let (desk, code) = formed(&database).await;
    crate::join(&desk, &code, guest("sakura"), None, time(0)).await.unwrap();
    crate::join(&desk, &code, guest("kaede"), None, time(0)).await.unwrap();
    let known = see(&desk, &code, "kaede", 1).await.value.unwrap();
    crate::leave(&desk, &code, &account("kaede"), time(1)).await.unwrap();
    assert_eq!(see(&desk, &code, "kaede", 1).await.value, None);
    crate::join(&desk, &code, guest("ume"), None, time(1)).await.unwrap();
    let next = see(&desk, &code, "ume", 1).await.value.unwrap();
    assert_ne!(known, next);
    // A bot player can take a seat that was left, too.
    crate::leave(&desk, &code, &account("ume"), time(1)).await.unwrap();
    start(&desk, &code).await.unwrap();
    let all = values(&database).await;
    assert!(!all.contains(&known) && !all.contains(&next), "{all:?}");
    verify(&database, &desk).await;
}
