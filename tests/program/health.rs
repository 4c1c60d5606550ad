//! The health endpoint, over a real socket.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value as Json;
use sqlx::{Connection, Executor};

use crate::elsewhere;
use desk::Desk;
use games::GAMES;
use kit::database::Database;
use kit::program::{Running, shimekiri};
use store::{Location, Store};
use tables::Pace;
use tables::time::{Span, Time};

/// Starts `serve` with the health endpoint at an address.
fn serve(url: &str, address: &str) -> Running {
    let mut command = shimekiri(url, "serve");
    command.env("SHIMEKIRI_HEALTH_ADDRESS", address).env("LANG", "C");
    command.env("SHIMEKIRI_PICTURES_SHOW", "false").env("SHIMEKIRI_LOG_LEVEL", "info");
    Running::start(command)
}

/// Returns the address of the endpoint from the log.
fn address(running: &mut Running) -> String {
    let said = running.hear("address=127.0.0.1:");
    let port = running.hear("\n");
    let port: String = port.chars().take_while(char::is_ascii_digit).collect();
    assert!(said.contains("can be asked"), "{said}");
    format!("127.0.0.1:{port}")
}

/// Returns the status and the body of a page.
fn ask(address: &str, page: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    write!(stream, "GET {page} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    let (head, body) = said.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// Returns the value of a metric.
fn figure(metrics: &str, name: &str) -> f64 {
    let mut lines = metrics.lines().filter_map(|line| line.strip_prefix(name));
    let value = lines.find_map(|rest| rest.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("there is no {name}:\n{metrics}")).parse().unwrap()
}

fn stop(running: Running) -> String {
    let id = running.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let (said, code) = running.end();
    assert_eq!(code, Some(0), "{said}");
    said
}

/// Returns the time of five seconds ago.
fn lately() -> Time {
    #[expect(clippy::disallowed_methods, reason = "the test is a person with a watch")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Time::default() + Span::from(since) - Span::seconds(5)
}

/// Starts a table whose letters no process carries, with a window of an hour that opened at `then`.
async fn form(url: &str, then: Time) {
    let desk = Desk::new(Store::open(&Location::new(url)).await.unwrap(), GAMES);
    let pace = Pace::play(Span::hours(1), chrono_tz::UTC);
    elsewhere::begun(&desk, "elsewhere:sakura".into(), pace, then).await;
    desk.store().close().await;
}

#[tokio::test]
async fn a_house_says_how_it_is() {
    let database = Database::fresh().await;
    form(&database.url, lately()).await;
    let mut running = serve(&database.url, "127.0.0.1:0");
    let address = address(&mut running);
    assert_eq!(ask(&address, "/healthz"), (200, "alive\n".to_owned()));
    assert_eq!(ask(&address, "/nothing").0, 404);

    let (status, ready) = ask(&address, "/readyz");
    let ready: Json = serde_json::from_str(&ready).unwrap();
    assert_eq!((status, &ready["ready"]), (200, &Json::Bool(true)), "{ready}");
    assert_eq!((&ready["database"], &ready["gateway"]), (&"up".into(), &"none".into()));

    // The first beat is committed after a moment.
    let asked = std::iter::repeat_with(|| ask(&address, "/metrics"));
    let (status, metrics) = asked
        .take(200)
        .inspect(|_| std::thread::sleep(Duration::from_millis(20)))
        .find(|(_, metrics)| figure(metrics, "shimekiri_commits_total") > 0.0)
        .unwrap();
    assert_eq!(status, 200);
    let version = format!("{{version=\"{}\",commit=\"", env!("CARGO_PKG_VERSION"));
    assert!(metrics.contains(&version), "{metrics}");
    let is = |name| figure(&metrics, name);
    assert!((is("shimekiri_database_up") - 1.0).abs() < 0.1);
    assert!((is("shimekiri_tables{stage=\"playing\"}") - 1.0).abs() < 0.1);
    assert!(is("shimekiri_outbox_due") > 0.0, "nobody carries letters to elsewhere");
    assert!(is("shimekiri_outbox_oldest_seconds") > 1.0);
    assert!(is("shimekiri_commits_total") > 0.0);
    for name in ["letters_failed", "rate_limited", "unknown_dispatches"] {
        assert!(figure(&metrics, &format!("shimekiri_{name}_total")) < 0.1, "{name}");
    }
    assert!(is("shimekiri_scheduler_lag_seconds") < 30.0);
    // A whole page, as a program parses it: every sample after its type.
    for line in metrics.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap();
        let of_histogram = ["_bucket", "_sum", "_count"].iter();
        let mut families = of_histogram.filter_map(|part| name.strip_suffix(part));
        let name = families.find(|name| name.ends_with("_seconds")).unwrap_or(name);
        assert!(metrics.contains(&format!("# TYPE {name} ")), "{line}");
    }

    // A second process finds its address in use, and ends with one sentence.
    let (said, code) = serve(&database.url, &address).end();
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(&address) && said.trim().lines().count() == 1, "{said}");

    // A missing database table makes the process unready.
    assert_eq!(ready["schema"], "up");
    let mut open = sqlx::AnyConnection::connect(&database.url).await.unwrap();
    open.execute("drop table heard").await.unwrap();
    let (status, ready) = ask(&address, "/readyz");
    let ready: Json = serde_json::from_str(&ready).unwrap();
    assert_eq!((status, &ready["ready"]), (503, &Json::Bool(false)), "{ready}");
    assert_eq!((&ready["database"], &ready["schema"]), (&"up".into(), &"down".into()));
    stop(running);
}

/// Every metric in the dashboard and the alerts exists, and a backup is made when it is due.
#[tokio::test]
async fn what_the_dashboard_and_the_alerts_ask_for_is_told() {
    let database = Database::fresh().await;
    let folder = database.folder.path().join("copies");
    let mut command = shimekiri(&database.url, "serve");
    command.env("SHIMEKIRI_HEALTH_ADDRESS", "127.0.0.1:0").env("LANG", "C");
    command.env("SHIMEKIRI_PICTURES_SHOW", "false").env("SHIMEKIRI_LOG_LEVEL", "info");
    command.env("SHIMEKIRI_BACKUP_EVERY", "100ms").env("SHIMEKIRI_BACKUP_KEEP", "2");
    command.env("SHIMEKIRI_BACKUP_FOLDER", &folder);
    let mut running = Running::start(command);
    let address = address(&mut running);
    for _ in 0..4 {
        running.hear("the database was copied");
    }
    let (_, metrics) = ask(&address, "/metrics");
    assert!(figure(&metrics, "shimekiri_backups_total") > 2.5);
    let mut names = 0;
    for file in ["deploy/grafana.json", "deploy/alerts.yaml"] {
        let text = std::fs::read_to_string(file).unwrap();
        let is_name = |letter: char| letter.is_ascii_lowercase() || letter == '_';
        for name in text.split(|letter| !is_name(letter)) {
            if !name.starts_with("shimekiri_") && !name.starts_with("process_") {
                continue;
            }
            names += 1;
            let family = name.strip_suffix("_bucket").unwrap_or(name);
            assert!(metrics.contains(&format!("# TYPE {family} ")), "{file}: {name}\n{metrics}");
        }
    }
    assert!(names > 20, "{names}");
    for name in ["process_resident_memory_bytes", "process_open_fds"] {
        assert!(figure(&metrics, name) > 0.5, "{name}");
    }
    assert!(figure(&metrics, "shimekiri_close_seconds_bucket{le=\"+Inf\"}") < 0.5);
    let said = stop(running);
    assert!(!said.contains("ERROR"), "{said}");
    let kept = std::fs::read_dir(&folder).unwrap().count();
    assert!((2..=3).contains(&kept), "{kept} copies are kept");
}

/// A failed backup is reported in one sentence, and does not make the process unready.
#[tokio::test]
async fn a_copy_that_cannot_be_made_is_told_of() {
    let database = Database::fresh().await;
    let folder = database.folder.path().join("copies");
    std::fs::write(&folder, "no folder").unwrap();
    for (lang, words) in [("en", "could not be made"), ("ja", "バックアップを作れませんでした")]
    {
        let mut command = shimekiri(&database.url, &format!("serve --lang {lang}"));
        command.env("SHIMEKIRI_HEALTH_ADDRESS", "127.0.0.1:0");
        command.env("SHIMEKIRI_PICTURES_SHOW", "false").env("SHIMEKIRI_LOG_LEVEL", "info");
        command.env("SHIMEKIRI_BACKUP_EVERY", "1h").env("SHIMEKIRI_BACKUP_FOLDER", &folder);
        let mut running = Running::start(command);
        let address = address(&mut running);
        let said = running.hear(words);
        assert!(said.contains("ERROR"), "{said}");
        let (status, ready) = ask(&address, "/readyz");
        let ready: Json = serde_json::from_str(&ready).unwrap();
        assert_eq!((status, &ready["backup"]), (200, &"down".into()), "{ready}");
        let failed = figure(&ask(&address, "/metrics").1, "shimekiri_backups_failed_total");
        assert!(failed > 0.5);
        stop(running);
    }
}

#[tokio::test]
async fn nobody_is_answered_where_nobody_may_ask() {
    let database = Database::fresh().await;
    let mut running = serve(&database.url, "");
    running.hear("serving");
    assert!(!stop(running).contains("can be asked"));
}

#[tokio::test]
async fn a_house_that_misses_its_deadlines_is_not_ready() {
    use std::sync::Arc;

    use desk::counts::{Counts, ServiceStatus};
    use desk::health::{Build, Health};

    let database = Database::fresh().await;
    form(&database.url, Time::from_milliseconds(1)).await;
    let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
    let counts = Arc::<Counts>::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(
        Health::new(Build { version: "0", commit: "0" }, desk.clone(), Arc::clone(&counts))
            .serve(listener),
    );
    let ready = async || {
        let address = address.clone();
        let (status, said) =
            tokio::task::spawn_blocking(move || ask(&address, "/readyz")).await.unwrap();
        (status, serde_json::from_str::<Json>(&said).unwrap())
    };
    // No clock runs here, and the deadline was in 1970.
    let (status, said) = ready().await;
    assert_eq!((status, &said["scheduler"]), (503, &"down".into()), "{said}");
    // All due work is done.
    let now = Time::from_milliseconds(i64::MAX / 2);
    for _ in 0..40 {
        for code in desk::due(&desk, now, 9).await.unwrap() {
            desk::look(&desk, &code, now).await.unwrap();
        }
    }
    assert_eq!(ready().await.0, 200);
    for (gateway, status) in
        [(ServiceStatus::Down, 503), (ServiceStatus::Up, 200), (ServiceStatus::None, 200)]
    {
        counts.change(|state| state.gateway = gateway);
        assert_eq!(ready().await.0, status, "{gateway:?}");
    }
    counts.change(|state| state.stopping = true);
    assert_eq!(ready().await.1["stopping"], true);
    desk.store().close().await;
    let (status, said) = ready().await;
    assert_eq!((status, &said["database"]), (503, &"down".into()), "{said}");
}
