//! Another program that has stopped, a locked row, a connection that swallows its data: none of them delays
//! the other tables, or lasts for ever.
//!
//! An embedded database has no connection and no row locks: these tests need a server.

use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use desk::Desk;
use games::GAMES;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, query_as};
use store::{Location, Store};
use tables::Pace;
use tables::ids::TableCode;
use tables::time::{Span, Time};

use crate::elsewhere;
use crate::swallowing::Line;
use kit::database::Database;
use kit::program::{Running, shimekiri};

/// The duration of a window, in milliseconds.
const PERIOD: i64 = 1500;

/// The maximum delay in milliseconds, on a slow machine, unless a program waits for a stuck one.
const LATE: i64 = 10_000;

/// The timeout of a recovery.
const PATIENCE: Duration = Duration::from_mins(1);

fn now() -> Time {
    #[expect(clippy::disallowed_methods, reason = "the test is a person with a watch")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Time::default() + Span::from(since)
}

fn serve(url: &str) -> Command {
    let mut command = shimekiri(url, "serve");
    command.env("SHIMEKIRI_CLOCK_BEAT", "200ms").env("SHIMEKIRI_LOG_LEVEL", "info");
    command.env("SHIMEKIRI_PICTURES_SHOW", "false").env("LANG", "C");
    command
}

/// Starts tables of bot players and a person who never declares.
async fn tables(url: &str, count: usize) -> Vec<TableCode> {
    let desk = Desk::new(Store::open(&Location::new(url)).await.unwrap(), GAMES);
    let mut codes = Vec::new();
    for table in 0..count {
        let account = format!("elsewhere:sakura{table}").into();
        let pace = Pace::play(Span::from_milliseconds(PERIOD), chrono_tz::UTC);
        codes.push(elsewhere::begun(&desk, account, pace, now()).await);
    }
    desk.store().close().await;
    codes
}

/// Returns the delay of the latest of these tables, and the time since the latest beat, in milliseconds.
async fn lag(connection: &mut AnyConnection, codes: &[TableCode]) -> (i64, i64) {
    let text = "select coalesce(min(look_at), $2), (select max(beat_at) from processes)
                from tables where code like $1";
    let (mut late, mut silent) = (0, 0);
    for code in codes {
        let question = query_as::<_, (i64, Option<i64>)>(text).bind(code.clone()).bind(i64::MAX);
        let (due, beat) = question.fetch_one(&mut *connection).await.unwrap();
        late = late.max(now().milliseconds() - due);
        silent = silent.max(now().milliseconds() - beat.unwrap_or(0));
    }
    (late, silent)
}

/// Waits until these tables are in time again.
async fn recovers(connection: &mut AnyConnection, codes: &[TableCode]) {
    let until = Instant::now() + PATIENCE;
    loop {
        let (late, silent) = lag(connection, codes).await;
        if late < 2 * PERIOD && silent < 2 * PERIOD {
            return;
        }
        assert!(Instant::now() < until, "{late} ms late, silent for {silent} ms");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_somebody_holds_keeps_no_other_table_waiting() {
    let database = Database::fresh().await;
    if database.is_embedded() {
        return;
    }
    let codes = tables(&database.url, 4).await;
    let mut watch = AnyConnection::connect(&database.url).await.unwrap();
    let mut running = Running::start(serve(&database.url));
    running.hear("serving");
    recovers(&mut watch, &codes).await;
    let mut holder = AnyConnection::connect(&database.url).await.unwrap();
    let hold = format!("update tables set touched = touched where code = '{}'", codes[0]);
    holder.execute("begin").await.unwrap();
    holder.execute(AssertSqlSafe(hold)).await.unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        let (late, silent) = lag(&mut watch, &codes[1..]).await;
        assert!(late < LATE && silent < LATE, "{late} ms late, silent for {silent} ms");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert!(lag(&mut watch, &codes[..1]).await.0 > LATE, "nothing is done at a table that is held");
    holder.execute("rollback").await.unwrap();
    recovers(&mut watch, &codes).await;
    running.child.kill().unwrap();
    running.end();
}

/// Starts a program that stops in the middle of a transaction.
async fn stopped(url: &str, watch: &mut AnyConnection) -> Running {
    let idle = "select count(*) from pg_stat_activity
                where datname = current_database() and state = 'idle in transaction'";
    for statement in (40..).step_by(7) {
        let mut command = serve(url);
        command.env("SHIMEKIRI_STOP_AT", statement.to_string());
        let mut running = Running::start(command);
        let state = format!("/proc/{}/stat", running.child.id());
        while !std::fs::read_to_string(&state).unwrap().contains(") T ") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let (idle,) = query_as::<_, (i64,)>(idle).fetch_one(&mut *watch).await.unwrap();
        if idle > 0 {
            return running;
        }
        running.child.kill().unwrap();
        running.end();
    }
    unreachable!("there are always more statements");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_has_stopped_in_a_transaction_lets_go_of_its_tables() {
    let database = Database::fresh().await;
    if database.is_embedded() {
        return;
    }
    let codes = tables(&database.url, 8).await;
    let mut watch = AnyConnection::connect(&database.url).await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let peer = stopped(&database.url, &mut watch).await;
    let mut running = Running::start(serve(&database.url));
    running.hear("serving");
    recovers(&mut watch, &codes).await;
    for mut program in [peer.child, running.child] {
        program.kill().unwrap();
        program.wait().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_swallows_is_dropped_and_made_anew() {
    let database = Database::fresh().await;
    if database.is_embedded() {
        return;
    }
    let codes = tables(&database.url, 8).await;
    let mut watch = AnyConnection::connect(&database.url).await.unwrap();
    let line = Line::to(&database.url);
    let mut running = Running::start(serve(&line.url));
    running.hear("serving");
    recovers(&mut watch, &codes).await;
    line.swallow();
    // Pending statements on the connection are lost.
    tokio::time::sleep(Duration::from_secs(5)).await;
    recovers(&mut watch, &codes).await;
    let id = running.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let (said, code) = running.end();
    assert_eq!(code, Some(0), "{said}");
}
