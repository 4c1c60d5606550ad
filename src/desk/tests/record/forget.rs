//! The erasure of a person: nothing that is stored leads to them, and the games go on.

use sqlx::AssertSqlSafe;

use crate::model::Desk;
use crate::record::Event;
use crate::table::form::Form;
use crate::tests::support::{
    BID, DRAW, Database, HOUR, account, connection, dealt, desk, draft, execute, form, guest,
    happened, looks, refused, rows, seal, see, table, verify,
};
use crate::tick::TickOutcome;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::Refused;
use rules::text::Lang;
use tables::pace::OutageRule;
use tables::{CloseReason, Pace, Stage, WindowNumber};

/// Returns every value in every column of every table.
pub(crate) async fn everything(database: &Database) -> Vec<String> {
    let mut connection = connection(database).await;
    let columns = if database.is_embedded() {
        "select m.name, p.name from sqlite_master m join pragma_table_info(m.name) p
         where m.type = 'table' and m.name <> '_sqlx_migrations'"
    } else {
        "select table_name::text, column_name::text from information_schema.columns
         where table_schema = 'public' and table_name <> '_sqlx_migrations'"
    };
    let columns: Vec<(String, String)> =
        sqlx::query_as(columns).fetch_all(&mut connection).await.unwrap();
    let mut everything = Vec::new();
    for (table, column) in columns {
        let question = format!("select coalesce(cast({column} as text), '') from {table}");
        let rows: Vec<(String,)> =
            sqlx::query_as(AssertSqlSafe(question)).fetch_all(&mut connection).await.unwrap();
        everything.extend(rows.iter().map(|(value,)| format!("{table}.{column}: {value}")));
    }
    everything
}

/// Returns the values that contain a name.
pub(crate) async fn found(database: &Database, name: &str) -> Vec<String> {
    let mut found = everything(database).await;
    found.retain(|value| value.contains(name));
    found
}

/// Moves a letter from the outbox to the mail of a terminal.
async fn delivered(database: &Database, letter: &str) {
    let statement = format!(
        "insert into mail (letter, address, code, sequence, body)
         select letter, address, substr(letter, 1, 5), 0, body from outbox where letter = '{letter}'"
    );
    execute(database, &statement).await;
    let statement = format!("update outbox set sent_at = 1, body = '' where letter = '{letter}'");
    execute(database, &statement).await;
}

#[tokio::test]
async fn nothing_leads_to_who_was_forgotten_and_the_game_goes_on() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    seal(&desk, &code, "sakura", BID, 1).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    draft(&desk, &code, "sakura", DRAW, 2).await;
    delivered(&database, &format!("{code}-0-opening-P1")).await;
    delivered(&database, &format!("{code}-0-opening-P2")).await;
    let put = "insert into places (place, server) values ('somewhere', 'a server')";
    execute(&database, put).await;
    execute(&database, "update tables set place = 'somewhere'").await;
    let (sakura, names) = (account("sakura"), ("a server", "another sakura"));
    assert!(crate::rename(&desk, &sakura, names, time(2)).await.unwrap());
    assert!(!found(&database, "another sakura").await.is_empty());
    assert_eq!(see(&desk, &code, "kaede", 2).await.names[0], "another sakura");
    verify(&database, &desk).await;
    let again = crate::rename(&desk, &sakura, names, time(2)).await.unwrap();
    assert!(!again, "they are known by it");
    let obstacle = format!(
        "insert into obstacles (code, cause, met_at) values ('{code}', 'gone terminal:sakura', 2)"
    );
    execute(&database, &obstacle).await;
    let of_it = format!(
        "insert into outbox (letter, address, send_at, body, attempts)
         values ('{code}-obstacle-gone terminal:sakura-guest', 'terminal:kaede', 2, '', 1)"
    );
    execute(&database, &of_it).await;
    assert!(!found(&database, "sakura").await.is_empty());

    assert!(crate::forget(&desk, &account("sakura"), time(3)).await.unwrap());
    assert_eq!(found(&database, "sakura").await, [""; 0]);
    assert!(
        !crate::forget(&desk, &account("sakura"), time(3)).await.unwrap(),
        "they are not known any more"
    );
    verify(&database, &desk).await;
    let sight = see(&desk, &code, "kaede", 3).await;
    assert_eq!((sight.names, sight.taken), (vec![String::new(), "kaede".to_owned()], vec![P1, P2]));
    let letters: Vec<(String,)> =
        rows(&database, "select letter from outbox where address = 'terminal:kaede'").await;
    assert!(letters.len() > 1, "{letters:?}");

    // 桜's draft does not count, and nobody waits for them.
    assert_eq!(
        refused(crate::close(&desk, &code, &account("sakura"), None, time(4)).await),
        Refused::NotLeader
    );
    seal(&desk, &code, "kaede", DRAW, 4).await;
    assert_eq!(looks(&desk, &code, 5).await, TickOutcome::Closed(CloseReason::AllSealed));
    let mut now = 5;
    for _ in 0..3 {
        now += 2 * HOUR;
        looks(&desk, &code, now).await;
    }
    let closed = happened(&desk, &code).await;
    let awaited = closed.iter().filter_map(|happened| match happened {
        Event::Closed { number, awaited, .. } if !awaited.is_empty() => Some((*number, awaited)),
        _ => None,
    });
    let awaited: Vec<_> = awaited.collect();
    assert_eq!(awaited[0], (WindowNumber::new(1), &vec![P1]));
    assert!(awaited.len() > 1, "{awaited:?}");
    verify(&database, &desk).await;

    // An erased person who comes back is a new one.
    let sight = see(&desk, &code, "sakura", now).await;
    assert_eq!((sight.seat, sight.is_host), (None, false));
}

#[tokio::test]
async fn nobody_stands_in_for_who_was_forgotten_or_is_stood_in_for_by_them() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    for (name, other) in [("sakura", "momiji"), ("kaede", "tsubaki")] {
        crate::delegate(&desk, &code, &account(name), guest(other), time(9 * HOUR), time(1))
            .await
            .unwrap();
        crate::away(&desk, &account(name), time(HOUR), time(2 * HOUR), time(1)).await.unwrap();
    }
    let missed = "insert into attendance (code, seat, person, misses, put_off)
        select code, seat, person, 1, 0 from seats";
    execute(&database, missed).await;
    let kept = crate::personal_data(&desk, &account("tsubaki"), time(2)).await.unwrap().unwrap();
    assert_eq!(kept["stands_in"][0]["code"], code.as_str());
    assert!(!kept["letters"].as_array().unwrap().is_empty());
    let kept = crate::personal_data(&desk, &account("kaede"), time(2)).await.unwrap().unwrap();
    assert_eq!(kept["away"]["from_at"], HOUR);
    assert_eq!(kept["attendance"][0]["misses"], 1);

    assert!(crate::forget(&desk, &account("tsubaki"), time(3)).await.unwrap());
    assert_eq!(see(&desk, &code, "tsubaki", 3).await.seat, None);
    assert!(crate::forget(&desk, &account("sakura"), time(4)).await.unwrap());
    for name in ["tsubaki", "sakura"] {
        assert_eq!(found(&database, name).await, [""; 0]);
    }
    assert_eq!(see(&desk, &code, "momiji", 4).await.seat, None, "a house player sits there");
    let left: Vec<(i64,)> = rows(&database, "select seat from substitutes").await;
    let missed: Vec<(i64,)> = rows(&database, "select seat from attendance").await;
    assert_eq!(missed, [(1,)]);
    let away: Vec<(i64,)> = rows(&database, "select from_at from away").await;
    assert_eq!((left.len(), away.len()), (0, 1), "楓 is still away");
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_seal_counts_though_nobody_knows_whose_it_is() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    seal(&desk, &code, "sakura", "bid.gold=6", 1).await;
    crate::forget(&desk, &account("sakura"), time(2)).await.unwrap();
    seal(&desk, &code, "kaede", BID, 3).await;
    assert_eq!(looks(&desk, &code, 3).await, TickOutcome::Closed(CloseReason::AllSealed));
    verify(&database, &desk).await;
}

/// The other player has sealed by then, so there is nothing to wait for.
#[tokio::test]
async fn a_window_waits_no_more_for_who_was_forgotten() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Nothing);
    crate::forget(&desk, &account("sakura"), time(2)).await.unwrap();
    assert_eq!(looks(&desk, &code, 2).await, TickOutcome::Closed(CloseReason::AllSealed));
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_forming_table_is_left_and_ends_with_its_host() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, form("toy"), time(0)).await.unwrap().code;
    for name in ["sakura", "kaede"] {
        crate::join(&desk, &code, guest(name), None, time(0)).await.unwrap();
    }
    crate::forget(&desk, &account("kaede"), time(1)).await.unwrap();
    let sight = see(&desk, &code, "sakura", 1).await;
    assert_eq!((sight.stage, sight.taken), (Stage::Forming, vec![P1]));
    crate::join(&desk, &code, guest("momiji"), None, time(2)).await.unwrap();
    crate::forget(&desk, &account("sakura"), time(3)).await.unwrap();
    let sight = see(&desk, &code, "momiji", 3).await;
    assert_eq!((sight.stage, sight.taken), (Stage::Over, vec![P2]));
    assert_eq!(sight.names, ["", "momiji"], "each name stands by its own seat");
    for name in ["sakura", "kaede"] {
        assert_eq!(found(&database, name).await, [""; 0]);
    }
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_table_that_waits_for_its_host_waits_for_the_next_and_goes_on_without_one() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pace = Pace { outage: OutageRule::Wait, ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let code = dealt(&desk, Form { pace, ..form("toy") }).await;
    out(&desk, HOUR / 2, 3 * HOUR).await;
    assert_eq!(looks(&desk, &code, 3 * HOUR).await, TickOutcome::Waiting);
    crate::forget(&desk, &account("sakura"), time(4 * HOUR)).await.unwrap();
    let sight = see(&desk, &code, "kaede", 4 * HOUR).await;
    assert!(sight.is_host && sight.held.is_some(), "somebody else can let it go on");
    crate::forget(&desk, &account("kaede"), time(5 * HOUR)).await.unwrap();
    let sight = see(&desk, &code, "nobody", 5 * HOUR).await;
    assert_eq!((sight.held, sight.pace.outage), (None, OutageRule::Extend));
    assert!(sight.play.unwrap().timing.closes > time(5 * HOUR));
    assert_eq!(found(&database, "sakura").await, [""; 0]);
    verify(&database, &desk).await;
}

/// Records an outage from one time to another.
async fn out(desk: &Desk, from: i64, to: i64) {
    crate::beat(desk, "process", time(from), span(HOUR)).await.unwrap();
    crate::beat(desk, "process", time(to), span(HOUR)).await.unwrap();
}

#[tokio::test]
async fn what_is_kept_of_somebody_is_theirs_alone() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    assert!(crate::personal_data(&desk, &account("sakura"), time(1)).await.unwrap().is_none());
    let code = table(&desk, "toy").await;
    seal(&desk, &code, "sakura", "bid.gold=6 bid.motto=mine", 1).await;
    seal(&desk, &code, "kaede", "bid.gold=5 bid.motto=theirs", 1).await;
    let kept = crate::personal_data(&desk, &account("sakura"), time(1)).await.unwrap().unwrap();
    assert_eq!(kept["account"], account("sakura").as_str());
    assert_eq!(kept["language"], Lang::En.code());
    assert_eq!(kept["tables"][0]["code"], code.as_str());
    let declared = &kept["declarations"][0];
    assert_eq!(declared["answers"].to_string().matches("mine").count(), 1);
    assert!(declared["salt"].is_string() && declared["hash"].is_string());
    assert_eq!(kept["letters"][0]["body"]["seat"], serde_json::json!(P1));
    let said = kept.to_string();
    let seed: Vec<(String,)> = rows(&database, "select seed from tables").await;
    assert!(!said.contains("theirs") && !said.contains(&seed[0].0), "{said}");
}

#[tokio::test]
async fn what_has_not_been_announced_is_not_taken_out() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let announce = tables::Announce::After(span(HOUR));
    let pace = Pace { announce, ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let code = dealt(&desk, Form { pace, ..form("toy") }).await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 1).await;
    }
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    let letters = async |now| {
        let kept = crate::personal_data(&desk, &account("sakura"), now).await.unwrap().unwrap();
        kept["letters"].to_string().contains("1-opening")
    };
    assert!(!letters(time(2)).await);
    assert!(letters(time(HOUR + 1)).await);
}
