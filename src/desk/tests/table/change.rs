//! The settings of a host before the game begins.

use serde_json::{Value as Json, json};

use crate::model::{Desk, NotDone};
use crate::record::Event;
use crate::table::form::{Form, TableChange};
use crate::tests::support::{
    Database, HOUR, account, desk, everything, execute, form, guest, happened, refused, see, verify,
};
use games::GAMES;
use games::any::TableOptionsError;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::{Refused, StartRefused};
use rules::Seat;
use rules::text::Lang;
use store::{Location, Store};
use tables::{Pace, TableCode, TableSetting};

async fn settle(
    desk: &Desk,
    code: &TableCode,
    name: &str,
    change: TableChange,
) -> Result<(), NotDone> {
    crate::change_table(desk, code, &account(name), change, time(1)).await
}

#[tokio::test]
async fn a_host_sets_a_table_that_waits_and_nobody_else() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, Form { chairs: 3, ..form("toy") }, time(0)).await.unwrap().code;
    crate::join(&desk, &code, guest("kaede"), None, time(0)).await.unwrap();

    let before = everything(&database, &code).await;
    let denied = settle(&desk, &code, "kaede", TableChange::Chairs(2)).await;
    assert_eq!(refused(denied), Refused::NotLeader);
    let denied = settle(&desk, &"22222".into(), "sakura", TableChange::Chairs(2)).await;
    assert_eq!(refused(denied), Refused::NoTable);
    let denied = settle(&desk, &code, "sakura", TableChange::Game("chess".to_owned())).await;
    assert_eq!(refused(denied), Refused::OtherEdition);
    let crowded = settle(&desk, &code, "sakura", TableChange::Chairs(9)).await.unwrap_err();
    assert!(
        matches!(crowded, NotDone::Options(TableOptionsError::Seats { seats: 9, .. })),
        "{crowded}"
    );
    assert_eq!(everything(&database, &code).await, before, "what is refused changes nothing");

    let pace = Pace::play(span(2 * HOUR), chrono_tz::Asia::Tokyo);
    for change in [
        TableChange::Chairs(4),
        TableChange::Pace(pace.clone()),
        TableChange::Language(Lang::Ja),
        TableChange::Set(TableSetting::CountOnly, true),
        TableChange::Game("toy-hidden".to_owned()),
    ] {
        settle(&desk, &code, "sakura", change).await.unwrap();
    }
    let sight = see(&desk, &code, "sakura", 1).await;
    assert_eq!((sight.chairs, &sight.pace, sight.language), (4, &pace, Lang::Ja));
    assert_eq!((sight.game.key(), sight.has(TableSetting::CountOnly)), ("toy-hidden", true));
    let settled = happened(&desk, &code).await;
    let settled = settled.iter().filter(|one| matches!(one, Event::SettingsChanged { .. })).count();
    assert_eq!(settled, 2, "the chairs and the game are what a game is played again from");

    crate::start(&desk, &code, &account("sakura"), "random", time(2)).await.unwrap();
    assert_eq!(see(&desk, &code, "sakura", 2).await.taken.len(), 4);
    let late =
        settle(&desk, &code, "sakura", TableChange::Set(TableSetting::CountOnly, false)).await;
    assert_eq!(refused(late), Refused::Begun);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn nobody_loses_their_chair() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, Form { chairs: 4, ..form("toy") }, time(0)).await.unwrap().code;
    for name in ["sakura", "kaede", "ume"] {
        crate::join(&desk, &code, guest(name), None, time(0)).await.unwrap();
    }
    let full = settle(&desk, &code, "sakura", TableChange::Chairs(2)).await;
    assert_eq!(refused(full), StartRefused::TooFewChairs);
    crate::leave(&desk, &code, &account("sakura"), time(0)).await.unwrap();
    let sight = see(&desk, &code, "kaede", 0).await;
    assert_eq!((sight.names, sight.taken), (names(["", "kaede", "ume"]), vec![P2, Seat::new(2)]));
    settle(&desk, &code, "sakura", TableChange::Chairs(2)).await.unwrap();
    let sight = see(&desk, &code, "ume", 1).await;
    assert_eq!((sight.seat, sight.names), (Some(P1), names(["ume", "kaede"])));
    verify(&database, &desk).await;
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

#[tokio::test]
async fn options_are_those_of_the_game() {
    let database = Database::fresh().await;
    let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
    for game in GAMES {
        let chairs = *game.seats().start();
        let code = Form { options: Json::Null, chairs, ..form(game.key()) };
        let code = crate::form(&desk, code, time(0)).await.unwrap().code;
        for option in game.options(&Json::Null) {
            if let Some((key, values)) = option.option.with {
                let (key, value) = (key.to_owned(), values[0].to_owned());
                settle(&desk, &code, "sakura", TableChange::Option { key, value }).await.unwrap();
            }
            for value in option.option.values {
                let (key, value) = (option.option.key.to_owned(), (*value).to_owned());
                settle(&desk, &code, "sakura", TableChange::Option { key, value }).await.unwrap();
            }
            let set = see(&desk, &code, "sakura", 1).await.options;
            let is = set[option.option.key].as_str();
            assert_eq!(is, option.option.values.last().copied());
        }
        let before = everything(&database, &code).await;
        let unknown = TableChange::Option { key: "x".to_owned(), value: "y".to_owned() };
        let unknown = settle(&desk, &code, "sakura", unknown).await.unwrap_err();
        assert!(matches!(unknown, NotDone::Options(TableOptionsError::Options(_))), "{unknown}");
        assert_eq!(everything(&database, &code).await, before);
        // Options of another game are unknown to this one.
        let options = json!({ "of": "another" });
        execute(
            &database,
            &format!("update tables set game = 'x', options = '{options}' where code = '{code}'"),
        )
        .await;
        let change = TableChange::Game(game.key().to_owned());
        settle(&desk, &code, "sakura", change).await.unwrap();
        let set_up = see(&desk, &code, "sakura", 1).await;
        assert_eq!(set_up.options, game.fitted(&Json::Null, set_up.chairs));
    }
}
