//! Several processes keep the deadlines of many tables on one database, one of them is killed,
//! and everything happens exactly once.

#![expect(clippy::print_stderr, reason = "the figures are worth knowing")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::future::join_all;
use serde_json::{Value as Json, json};

use crate::held::{Held, connect};
use desk::{Contact, DeclarationStatus, Desk, Event, Form, NotDone};
use games::GAMES;
use kit::database::Database;
use kit::program::{Running, shimekiri};
use letters::{DeclarationRefused, Refused};
use rules::Declaration;
use rules::text::Lang;
use store::{Location, Store};
use tables::ids::TableCode;
use tables::time::{Span, Time};
use tables::{Pace, Stage};

const TABLES: usize = 24;
const PEOPLE: [&str; 3] = ["sakura", "kaede", "ume"];
/// The duration of a window, in milliseconds.
const PERIOD: i64 = 2000;
/// The duration of the play.
const EVENING: Duration = Duration::from_secs(9);

fn now() -> Time {
    #[expect(clippy::disallowed_methods, reason = "the test is a person with a watch")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Time::default() + Span::from(since)
}

/// Starts `serve` with the most verbose log.
fn serve(url: &str) -> Running {
    let mut command = shimekiri(url, "serve");
    command.env("SHIMEKIRI_CLOCK_BEAT", "200ms").env("SHIMEKIRI_COURIER_RETRY", "1s");
    command.env("SHIMEKIRI_LOG_LEVEL", "trace").env("LANG", "C");
    Running::start(command)
}

fn guest(name: &str, table: usize) -> Contact {
    let account = format!("terminal:{name}{table}");
    Contact {
        account: account.clone().into(),
        name: name.to_owned(),
        language: Lang::En,
        address: account.into(),
    }
}

async fn form(desk: &Desk, table: usize) -> TableCode {
    let form = Form {
        game: "eitsuku".to_owned(),
        options: Json::Null,
        chairs: PEOPLE.len(),
        pace: Pace::play(Span::from_milliseconds(PERIOD), chrono_tz::UTC),
        host: guest(PEOPLE[0], table),
        place: None,
        settings: tables::TableSettings::default(),
        seed: None,
    };
    let code = desk::form(desk, form, now()).await.unwrap().code;
    for name in PEOPLE {
        desk::join(desk, &code, guest(name, table), None, now()).await.unwrap();
    }
    desk::start(desk, &code, &guest(PEOPLE[0], table).account, "house", now()).await.unwrap();
    code
}

/// The acknowledgements to one person.
#[derive(Default)]
struct Acknowledged {
    /// The last declaration by window, if it is certain which window took it.
    kept: BTreeMap<u32, Declaration>,
    receipts: Vec<String>,
}

/// Declares in every window: a draft, then mostly a seal, sometimes so late that the window may be closed.
async fn play(desk: &Desk, code: &TableCode, table: usize, seat: usize) -> Acknowledged {
    let account = guest(PEOPLE[seat], table).account;
    let mut acknowledged = Acknowledged::default();
    let until = Instant::now() + EVENING;
    let mut turn = table + seat;
    while Instant::now() < until {
        turn += 1;
        let sight = desk::see(desk, code, &account, now()).await.unwrap();
        if sight.stage == Stage::Over {
            break;
        }
        let play = sight.play.unwrap();
        let (window, left) = (play.number.get(), (play.timing.closes - now()).milliseconds());
        let mut newest = window;
        let late = turn.is_multiple_of(4);
        let pause = if late { left - 30 } else { 40 * i64::try_from(turn % 7).unwrap() };
        tokio::time::sleep(Duration::from_millis(pause.clamp(0, PERIOD).unsigned_abs())).await;
        let words = if turn.is_multiple_of(2) { "3A" } else { "3B" };
        let what = json!({ "3.set": { "given": { "choice": words } } });
        let mut what: Declaration = serde_json::from_value(what).unwrap();
        for said in [DeclarationStatus::Draft, DeclarationStatus::Sealed] {
            if said == DeclarationStatus::Sealed && turn.is_multiple_of(5) {
                continue;
            }
            match desk::declare(desk, code, &account, &what, said, None, now()).await {
                Ok(filed) => {
                    let sight = desk::see(desk, code, &account, now()).await.unwrap();
                    newest = sight.play.unwrap().number.get();
                    if newest == window {
                        acknowledged.kept.insert(window, what.clone());
                    } else {
                        acknowledged.kept.remove(&window);
                    }
                    acknowledged.receipts.extend(filed.receipt);
                }
                Err(NotDone::Refused(
                    Refused::NotYet
                    | Refused::Over
                    | Refused::Declaration(
                        DeclarationRefused::Closed
                        | DeclarationRefused::Late
                        | DeclarationRefused::NotAsked
                        | DeclarationRefused::Waiting,
                    ),
                )) => {}
                Err(error) => panic!("{code}: {error}"),
            }
            what.set(
                "4.scout".parse().unwrap(),
                serde_json::from_value(json!({ "given": { "choice": "4A" } })).unwrap(),
            );
        }
        let look = async {
            loop {
                let sight = desk::see(desk, code, &account, now()).await.unwrap();
                if sight.stage == Stage::Over || sight.play.unwrap().number.get() != newest {
                    break;
                }
                // On a very busy machine, a table where nobody was in time for two windows waits for its
                // host, who resumes it; a second attempt is refused.
                if sight.held.is_some() {
                    let host = guest(PEOPLE[0], table).account;
                    let _ = desk::resume(desk, code, &host, None, now()).await;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        // The deadlines are kept, whichever process is killed.
        let patience = tokio::time::timeout(Duration::from_mins(1), look).await;
        assert!(patience.is_ok(), "{code}: window {newest} does not close");
    }
    acknowledged
}

/// Sends the signal to stop, and waits for the end. Returns the output.
fn drain(running: Running) -> String {
    let began = Instant::now();
    let id = running.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let (said, code) = running.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(began.elapsed() < Duration::from_mins(1), "{:?}", began.elapsed());
    said
}

fn check(held: &Held, seat: usize, acknowledged: &Acknowledged) {
    let seat = i64::try_from(seat).unwrap();
    for (window, what) in &acknowledged.kept {
        let kept = &held.declared[&(i64::from(*window), seat)];
        let answers: Declaration = serde_json::from_str(&kept.answers).unwrap();
        assert_eq!(&answers, what, "{}: {window} {seat}", held.code);
    }
    // Nobody seals twice in a window.
    let gone = acknowledged.receipts.iter().filter(|receipt| {
        !held.declared.values().any(|kept| kept.receipt.as_ref() == Some(receipt))
    });
    assert_eq!(gone.count(), 0, "{}: {seat}: a sealing is gone", held.code);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_keep_the_deadlines_and_one_of_them_is_killed() {
    let database = Database::fresh().await;
    // A password that the server does not ask for, but that must not appear in the log.
    let url = match database.url.split_once('@') {
        Some((user, server)) => {
            let user = user.rsplit_once(':').map_or(user, |(before, after)| {
                if after.starts_with("//") { user } else { before }
            });
            format!("{user}:hunter2@{server}")
        }
        None => database.url.clone(),
    };
    let store = Store::open(&Location::new(&url)).await.unwrap();
    let desk = Desk::new(store, GAMES);
    let mut first = serve(&url);
    let mut second = serve(&url);
    let mut starts = vec![first.hear("serving"), second.hear("serving")];
    let codes: Vec<TableCode> = join_all((0..TABLES).map(|table| form(&desk, table))).await;
    let people = codes.iter().enumerate().flat_map(|(table, code)| {
        let desk = &desk;
        (0..PEOPLE.len()).map(move |seat| play(desk, code, table, seat))
    });
    let accident = async {
        tokio::time::sleep(EVENING / 3).await;
        first.child.kill().unwrap();
        tokio::time::sleep(EVENING / 6).await;
        serve(&url)
    };
    let (acknowledged, mut third) = tokio::join!(join_all(people), accident);
    starts.push(third.hear("serving"));
    // Everybody has left. All due work is done, and every letter arrives, before the process stops.
    let (first, code) = first.end();
    assert_eq!(code, None);
    tokio::time::sleep(Duration::from_secs(4)).await;
    let ends = [first, drain(second), drain(third)];
    let logs: Vec<String> = starts.into_iter().zip(ends).map(|(start, end)| start + &end).collect();
    desk.store().close().await;

    let mut connection = connect(&url).await;
    let (mut windows, mut letters, mut kept) = (0, 0, 0);
    for (table, code) in codes.iter().enumerate() {
        let held = Held::read(&mut connection, code.as_str()).await;
        for seat in 0..PEOPLE.len() {
            let acknowledged = &acknowledged[table * PEOPLE.len() + seat];
            check(&held, seat, acknowledged);
            kept += acknowledged.kept.len();
        }
        let late = held.outbox.iter().filter(|(_, sent)| sent.is_none()).count();
        // Letters of the last moment wait for the next process: bots and standing orders alone close a few
        // windows in a row.
        assert!(late <= 12 * PEOPLE.len(), "{code}: {late} letters wait");
        windows += held.journal.iter().filter(|row| matches!(row, Event::Closed { .. })).count();
        letters += held.mail.len();
        for log in &logs {
            assert!(!log.contains(&held.seed), "{code}: the log has its seed");
            for declared in held.declared.values() {
                let salt = declared.salt.as_deref().unwrap_or("no salt");
                assert!(!log.contains(salt), "{code}: the log has a salt");
            }
            assert!(!log.contains("\"given\"") && !log.contains("\\\"given\\\""), "{code}");
        }
    }
    assert!(windows > 3 * TABLES, "only {windows} windows were closed");
    for log in &logs {
        assert!(!log.contains("hunter2"), "the log has the password");
        assert!(log.contains("serving"), "there is a log");
    }
    // The machine's load decides which process resolves a table.
    assert!(logs.iter().any(|log| log.contains("looked")), "the log tells what was done");
    // The next process finds no incomplete work.
    let mut last = serve(&url);
    last.hear("serving");
    let until = Instant::now() + Duration::from_secs(20);
    let undelivered = "select count(*) from outbox where sent_at is null and send_at <= $1";
    loop {
        let undelivered = sqlx::query_as::<_, (i64,)>(undelivered).bind(now().milliseconds());
        let (count,) = undelivered.fetch_one(&mut connection).await.unwrap();
        if count == 0 {
            break;
        }
        assert!(Instant::now() < until, "{count} letters do not arrive");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drain(last);
    eprintln!("{windows} windows closed, {letters} letters delivered, {kept} declarations kept");
}
