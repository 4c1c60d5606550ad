//! The life of a table at the desk, at given times, so that each statement has the same number on either
//! database. The program under test is this test binary itself, run again.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value as Json, json};
use terminal::mail::Mail;

use super::{stride, try_all, wait_for};
use crate::held::{Held, connect};
use desk::courier::Courier;
use desk::{Contact, DeclarationStatus, Desk, Event, Form, NotDone, TickOutcome};
use games::GAMES;
use kit::database::Database;
use letters::{Letters, Refused};
use rules::Declaration;
use rules::text::Lang;
use store::{Location, Store};
use tables::ids::{AccountId, TableCode};
use tables::time::{MINUTE, Time};
use tables::{CloseReason, Pace};

/// The environment variables of the second run: the database, and the file for acknowledgements.
const URL: &str = "SHIMEKIRI_TEST_KILL_URL";
const FILE: &str = "SHIMEKIRI_TEST_KILL_FILE";
const MYSELF: &str = "kill::desk::the_desk_can_be_killed_before_a_statement";

const BEGINNING: Time = Time::from_milliseconds(1_700_000_000_000);

/// The steps of a table's life.
#[derive(Clone, Copy, Debug)]
enum Step {
    Beat,
    Form,
    Join(&'static str),
    Start,
    Courier,
    Draft(&'static str, fn() -> Json),
    Seal(&'static str, fn() -> Json),
    Look(TickOutcome),
    Close,
    End,
}

/// The seed with which 桜 throws a six in the deal, P3 another, and 楓 does not.
const SEED: u8 = 4;

fn actor() -> Json {
    json!({ "setup.family": { "given": { "choice": "actor" } } })
}

fn draw() -> Json {
    json!({ "3.set": { "given": { "choice": "3A" } } })
}

fn draw_and_take() -> Json {
    json!({ "3.set": { "given": { "choice": "3A" } }, "4.scout": { "given": { "choice": "4B" } } })
}

fn nothing() -> Json {
    json!({})
}

const SAKURA: &str = "sakura";
const KAEDE: &str = "kaede";

/// The steps with their times in minutes. Windows are open for ten minutes, with a reminder two before their
/// end.
const STEPS: &[(i64, Step)] = &[
    (0, Step::Beat),
    (0, Step::Form),
    (0, Step::Join(SAKURA)),
    (0, Step::Join(KAEDE)),
    (0, Step::Start),
    (0, Step::Courier),
    // The deal's window: everybody who is asked seals.
    (1, Step::Draft(SAKURA, nothing)),
    (1, Step::Draft(SAKURA, actor)),
    (1, Step::Seal(SAKURA, actor)),
    (1, Step::Look(TickOutcome::Closed(CloseReason::AllSealed))),
    (1, Step::Courier),
    // Turn 1: sealed, withdrawn, sealed again.
    (2, Step::Draft(SAKURA, draw)),
    (2, Step::Seal(SAKURA, draw)),
    (2, Step::Draft(SAKURA, draw_and_take)),
    (3, Step::Seal(KAEDE, draw_and_take)),
    (3, Step::Look(TickOutcome::Nothing)),
    (3, Step::Seal(SAKURA, draw_and_take)),
    (3, Step::Look(TickOutcome::Closed(CloseReason::AllSealed))),
    (3, Step::Courier),
    // Turn 2: a reminder, and a deadline with a draft and a withdrawn declaration.
    (4, Step::Seal(KAEDE, draw)),
    (5, Step::Draft(KAEDE, nothing)),
    (11, Step::Look(TickOutcome::Reminded)),
    (11, Step::Courier),
    (12, Step::Draft(SAKURA, draw)),
    (13, Step::Look(TickOutcome::Closed(CloseReason::Deadline))),
    (13, Step::Courier),
    // Turn 3: the deadline passes during an outage, then the host closes the window.
    (14, Step::Seal(SAKURA, draw_and_take)),
    (60, Step::Beat),
    (60, Step::Look(TickOutcome::Extended)),
    (60, Step::Courier),
    (61, Step::Close),
    (61, Step::Courier),
    // Turn 4: the host ends the table.
    (62, Step::Draft(KAEDE, draw)),
    (62, Step::End),
    (62, Step::Courier),
];

/// The number of the window that the host closes.
const CLOSED: u32 = 3;

struct Table {
    desk: Desk,
    courier: Courier,
    code: TableCode,
}

impl Table {
    async fn open(url: &str, code: TableCode) -> Self {
        let store = Store::open(&Location::new(url)).await.unwrap();
        let channels = vec![Box::new(Mail::new(store.clone(), Letters::built_in())) as _];
        let retry = Duration::from_secs(30);
        let courier = Courier::new(store.clone(), channels, retry);
        Self { desk: Desk::new(store, GAMES), courier, code }
    }

    /// Carries out a step, and returns the acknowledgement. A repeated step is at most refused.
    async fn act(&mut self, step: Step, now: Time) -> String {
        let (desk, code, host) = (&self.desk, &self.code, account(SAKURA));
        match step {
            Step::Beat => {
                desk::beat(desk, "process", now, 30 * MINUTE).await.unwrap();
            }
            Step::Form => {
                let form = Form {
                    game: "eitsuku".to_owned(),
                    options: Json::Null,
                    chairs: 3,
                    pace: Pace::play(10 * MINUTE, chrono_tz::UTC),
                    host: guest(SAKURA),
                    place: None,
                    settings: tables::TableSettings::default(),
                    seed: Some(([SEED; 32], "t".to_owned())),
                };
                self.code = desk::form(desk, form, now).await.unwrap().code;
                return self.code.to_string();
            }
            Step::Join(name) => {
                desk::join(desk, code, guest(name), Some([0; 32]), now).await.unwrap();
            }
            Step::Start => {
                let started = desk::start(desk, code, &host, "house", now).await;
                assert!(matches!(started, Ok(()) | Err(NotDone::Refused(Refused::Begun))));
            }
            Step::Courier => {
                self.courier.round().await.unwrap();
            }
            Step::Draft(name, said) => {
                return self.declare(name, said, DeclarationStatus::Draft, now).await;
            }
            Step::Seal(name, said) => {
                return self.declare(name, said, DeclarationStatus::Sealed, now).await;
            }
            Step::Look(looked) => {
                let saw = desk::look(desk, code, now).await.unwrap();
                assert!(saw == looked || saw == TickOutcome::Nothing, "{saw:?} and not {looked:?}");
            }
            Step::Close => {
                let play = desk::see(desk, code, &host, now).await.unwrap().play.unwrap();
                if play.number.get() == CLOSED {
                    desk::close(desk, code, &host, None, now).await.unwrap();
                }
            }
            Step::End => {
                let ended = desk::end(desk, code, &host, None, None, now).await;
                assert!(matches!(ended, Ok(()) | Err(NotDone::Refused(Refused::Over))));
            }
        }
        String::new()
    }

    async fn declare(
        &self,
        name: &str,
        what: fn() -> Json,
        said: DeclarationStatus,
        now: Time,
    ) -> String {
        let declaration: Declaration = serde_json::from_value(what()).unwrap();
        let filed =
            desk::declare(&self.desk, &self.code, &account(name), &declaration, said, None, now)
                .await;
        filed.unwrap().receipt.unwrap_or_default()
    }
}

fn account(name: &str) -> AccountId {
    format!("terminal:{name}").into()
}

fn guest(name: &str) -> Contact {
    Contact {
        account: account(name),
        name: name.to_owned(),
        language: Lang::En,
        address: account(name).as_str().into(),
    }
}

/// Goes on from the end of the file of acknowledgements.
async fn live(url: &str, file: &Path) {
    let acknowledged = Acknowledged::read(file);
    let mut table = Table::open(url, acknowledged.code().unwrap_or_default().into()).await;
    let mut file = OpenOptions::new().create(true).append(true).open(file).unwrap();
    for (minutes, step) in &STEPS[acknowledged.0.len()..] {
        let told = table.act(*step, BEGINNING + MINUTE * *minutes).await;
        writeln!(file, "{told}").unwrap();
    }
}

/// The acknowledgements, step by step.
struct Acknowledged(Vec<String>);

impl Acknowledged {
    fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_default();
        Self(text.lines().map(str::to_owned).collect())
    }

    fn code(&self) -> Option<String> {
        self.0.get(1).cloned()
    }

    /// Asserts that the database holds each player's last acknowledged declaration, or the one just after.
    fn check(&self, held: &Held, statement: u64) {
        let mut last = std::collections::BTreeMap::new();
        let mut window = 0;
        for (index, (_, step)) in STEPS.iter().enumerate().take(self.0.len() + 1) {
            match step {
                Step::Look(TickOutcome::Closed(_)) | Step::Close => window += 1,
                Step::Draft(name, what) | Step::Seal(name, what) => {
                    let receipt = self.0.get(index).filter(|told| !told.is_empty()).cloned();
                    let sealed = matches!(step, Step::Seal(..));
                    let what: Declaration = serde_json::from_value(what()).unwrap();
                    let key = (window, i64::from(*name == KAEDE));
                    let said = last.entry(key).or_insert_with(Vec::new);
                    if index < self.0.len() {
                        said.clear();
                    } else if said.is_empty() {
                        said.push(None);
                    }
                    let kept = sealed || !what.is_empty();
                    said.push(kept.then_some((what, sealed, receipt)));
                }
                _ => {}
            }
        }
        for (key, said) in last {
            let kept = held.declared.get(&key).map(|kept| {
                let answers: Declaration = serde_json::from_str(&kept.answers).unwrap();
                (answers, kept.sealed, kept.receipt.clone())
            });
            let is_kept = said.iter().any(|said| match (said, &kept) {
                (None, None) => true,
                (Some((what, sealed, receipt)), Some(kept)) => {
                    (what, sealed) == (&kept.0, &kept.1)
                        && (receipt.is_none() || *receipt == kept.2)
                }
                _ => false,
            });
            assert!(is_kept, "{statement}: {key:?}: {said:?} was acknowledged, held is {kept:?}");
        }
    }
}

/// A database, and the file of acknowledgements beside it.
struct Life {
    database: Database,
    file: PathBuf,
}

/// The database tables, those with foreign keys first.
const KEPT: [&str; 23] = [
    "mail",
    "outbox",
    "journal",
    "declarations",
    "overrides",
    "voices",
    "votes",
    "calls",
    "sent_away",
    "reputation",
    "dashboards",
    "past_posts",
    "lateness",
    "attendance",
    "away",
    "substitutes",
    "snapshots",
    "windows",
    "seats",
    "tables",
    "people",
    "processes",
    "outages",
];

impl Life {
    /// Begins a life in one of these empty databases, or in a new one.
    fn begin(empty: &Mutex<Vec<Database>>) -> Self {
        let one = empty.lock().unwrap().pop();
        let database = one.unwrap_or_else(|| wait_for(Database::fresh()));
        let file = database.folder.path().join("acknowledged");
        Self { database, file }
    }

    /// Empties the database, which is faster than to create another.
    fn forget(self, empty: &Mutex<Vec<Database>>) {
        wait_for(async {
            let mut connection = connect(&self.database.url).await;
            for table in KEPT {
                let statement = sqlx::AssertSqlSafe(format!("delete from {table}"));
                sqlx::query(statement).execute(&mut connection).await.unwrap();
            }
        });
        fs::remove_file(self.file).unwrap();
        empty.lock().unwrap().push(self.database);
    }

    /// Begins or continues the life. Returns true if the process was killed.
    fn go_on(&self, die_at: u64) -> bool {
        let mut myself = Command::new(std::env::current_exe().unwrap());
        myself.args(["--exact", MYSELF, "--nocapture", "--test-threads=1"]);
        myself.env(URL, &self.database.url).env(FILE, &self.file);
        myself.env("SHIMEKIRI_DIE_AT", die_at.to_string());
        let ended = myself.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        if ended.status.success() {
            return false;
        }
        assert_eq!(ended.status.signal(), Some(9), "{die_at}: {said}");
        true
    }

    fn acknowledged(&self) -> Acknowledged {
        Acknowledged::read(&self.file)
    }

    fn held(&self) -> Option<Held> {
        let code = self.acknowledged().code()?;
        wait_for(async {
            let mut connection = connect(&self.database.url).await;
            Some(Held::read(&mut connection, &code).await)
        })
    }
}

/// Returns the journal without random values: salts, and hashes over them.
fn told(held: &Held) -> Vec<Event> {
    let mut journal = held.journal.clone();
    for happened in &mut journal {
        match happened {
            Event::Formed { salt, .. } => salt.clear(),
            Event::Joined { who, .. } => *who = None,
            Event::Overridden { by, .. } => by.clear(),
            Event::Closed { sealed, .. } => sealed.iter_mut().for_each(|(_, hash)| hash.clear()),
            _ => {}
        }
    }
    journal
}

#[test]
fn the_desk_can_be_killed_before_a_statement() {
    if let (Ok(url), Some(file)) = (std::env::var(URL), std::env::var_os(FILE)) {
        return wait_for(live(&url, Path::new(&file)));
    }
    let empty = Mutex::default();
    let life = Life::begin(&empty);
    assert!(!life.go_on(0));
    let undisturbed = life.held().unwrap();
    life.forget(&empty);
    assert_eq!((undisturbed.open_window, undisturbed.stage.as_str()), (4, "over"));
    assert!(undisturbed.is_delivered());
    let first = try_all(1, |statement| {
        let life = Life::begin(&empty);
        if !life.go_on(statement) {
            return false;
        }
        if let Some(held) = life.held() {
            life.acknowledged().check(&held, statement);
        }
        assert!(!life.go_on(0), "{statement}");
        let held = life.held().unwrap();
        life.acknowledged().check(&held, statement);
        assert_eq!(told(&held), told(&undisturbed), "{statement}");
        assert_eq!((&held.state, &held.stage), (&undisturbed.state, &undisturbed.stage));
        assert!(held.outbox.keys().eq(undisturbed.outbox.keys()), "{statement}");
        assert!(held.is_delivered(), "{statement}");
        life.forget(&empty);
        true
    });
    assert!(first > 150, "only {first} statements");
    eprintln!("killed before one in {} of {} statements", stride(), first - 1);
}
