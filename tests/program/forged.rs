//! Forged files: every program that reads a file with a changed value ends, and reports the file as sound or
//! names the fault. With the posted heads, every change of a game's values is found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value as Json, json};

use desk::{Belief, Contact, Desk, Extent, Form, NotImported, NotVerified, TableFile, Unpacked};
use games::GAMES;
use games::any::AnyGame;
use kit::database::Database;
use rules::receipt::{self, Head};
use rules::text::Lang;
use store::{Location, Store};
use tables::ids::AccountId;
use tables::time::{Span, Time};
use tables::{Pace, Stage};

/// The number of numbers that are changed in the file of each game, one at a time: in the suite, and on
/// request.
const CHANGES: usize = 2;
const ALL_CHANGES: usize = 100;

/// The timeout of a check, far longer than any takes: a longer check is endless.
const PATIENCE: Duration = Duration::from_mins(5);

/// The maximum number of a reader's database statements per line of a file.
const STATEMENTS: u64 = 40;

/// The replacements of numbers: none of them may make a reader loop or panic.
const NUMBERS: [i64; 12] = [-1, 0, 1, 2, 3, 5, 9, 98, 256, 1 << 31, i64::MAX, i64::MIN];

/// Plays a game of bot players and a person who declares nothing. Returns its file.
async fn played(game: &str, chairs: usize) -> String {
    let database = Database::fresh().await;
    let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
    let account = AccountId::from("terminal:sakura");
    let host = Contact {
        account: account.clone(),
        name: "sakura".to_owned(),
        language: Lang::En,
        address: account.as_str().into(),
    };
    let form = Form {
        game: game.to_owned(),
        options: Json::Null,
        chairs,
        pace: Pace::play(Span::from_milliseconds(1000), chrono_tz::UTC),
        host: host.clone(),
        place: None,
        settings: tables::TableSettings::default(),
        seed: None,
    };
    let code = desk::form(&desk, form, Time::from_milliseconds(0)).await.unwrap().code;
    desk::join(&desk, &code, host, None, Time::from_milliseconds(0)).await.unwrap();
    desk::start(&desk, &code, &account, "random", Time::from_milliseconds(0)).await.unwrap();
    let mut now = 1;
    while desk::see(&desk, &code, &account, Time::from_milliseconds(now)).await.unwrap().stage
        != Stage::Over
    {
        let Some(due) = desk::next_due(&desk).await.unwrap() else {
            // After two windows without any declaration the table waits for its host.
            desk::resume(&desk, &code, &account, None, Time::from_milliseconds(now)).await.unwrap();
            continue;
        };
        now = due.milliseconds().max(now + 1);
        for code in desk::due(&desk, Time::from_milliseconds(now), 9).await.unwrap() {
            desk::look(&desk, &code, Time::from_milliseconds(now)).await.unwrap();
        }
    }
    let text =
        desk::export(&desk, &code, Extent::default(), Time::from_milliseconds(now + 1_000_000))
            .await
            .unwrap();
    desk.store().close().await;
    text
}

/// Calls `of` with every value in a document, and in texts that are documents themselves, with the names of
/// the members that lead to the value.
fn leaves(value: &mut Json, way: &str, of: &mut dyn FnMut(&str, &mut Json)) {
    match value {
        Json::Array(values) => values.iter_mut().for_each(|value| leaves(value, way, of)),
        Json::Object(members) => {
            for (name, value) in members {
                let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
                leaves(value, &format!("{way}.{name}"), of);
            }
        }
        Json::String(text) if text.starts_with(['{', '[']) => {
            if let Ok(mut within) = serde_json::from_str::<Json>(text) {
                let before = within.clone();
                let kind = within["kind"].as_str().unwrap_or_default();
                let way = format!("{way}({kind})");
                leaves(&mut within, &way, of);
                if within != before {
                    *text = within.to_string();
                }
            }
        }
        Json::Null => {}
        _ => of(way, value),
    }
}

/// Returns the file with another number at one place, and with new hashes.
fn with_number(text: &str, place: Index, number: i64) -> String {
    let mut count = 0;
    rewritten(text, &mut |_, found| count += usize::from(found.is_number()));
    let (place, mut at) = (place.index(count), 0);
    rewritten(text, &mut |_, found| {
        if found.is_number() {
            if at == place {
                *found = json!(number);
            }
            at += 1;
        }
    })
}

/// Returns the file with changed values, and with new hashes.
fn rewritten(text: &str, change: &mut dyn FnMut(&str, &mut Json)) -> String {
    let lines = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let (mut rows, mut chain) = (Vec::new(), receipt::BEGINNING);
    for mut line in lines {
        let of = line["of"].as_str().unwrap().to_owned();
        leaves(&mut line["row"], &of, change);
        let row = &mut line["row"];
        if of == "journal" {
            let entry = format!("{} {} {}", row["entry"], row["at"], row["body"].as_str().unwrap());
            chain = receipt::chain(&chain, &entry);
            row["hash"] = json!(hex::encode(chain));
        }
        rows.push((of, row.clone()));
    }
    let mut link = receipt::BEGINNING;
    let written = |(of, mut row): (String, Json)| {
        if of == "tables" {
            row["chain"] = json!(hex::encode(chain));
        }
        let body = format!(r#"{{"of":"{of}","row":{row}"#);
        link = receipt::chain_of_file(&link, &body);
        format!("{body},\"chain\":\"{}\"}}\n", hex::encode(link))
    };
    rows.into_iter().map(written).collect()
}

/// Checks a file with these heads. Returns its fault, if it has one.
async fn checked(text: &str, heads: &[Head]) -> Option<String> {
    let unpacked = match Unpacked::of(text.as_bytes(), GAMES).await {
        Ok(unpacked) => unpacked,
        Err(NotVerified::Fault(fault)) => return Some(fault.to_string()),
        Err(error) => panic!("{error}"),
    };
    let store = unpacked.desk.store().clone();
    let verified = unpacked.verify().await;
    let lines = u64::try_from(text.lines().count()).unwrap();
    assert!(store.statements() < STATEMENTS * lines, "{} for {lines}", store.statements());
    match verified {
        Ok(verified) => (!verified.replay.holds(heads)).then(|| "a difference".to_owned()),
        // The number makes the rules or a seat unreadable.
        Err(NotVerified::OtherEdition(_) | NotVerified::Store(_)) => Some("unreadable".to_owned()),
        Err(error) => panic!("{error}"),
    }
}

/// Returns the report of the other verifier on files; `None` if it cannot be run.
fn other(files: &[PathBuf]) -> Option<String> {
    let verifier = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify.py");
    let limit = PATIENCE.as_secs().to_string();
    let run = Command::new("timeout").args([&limit, "python3"]).arg(verifier).args(files).output();
    let output = run.ok()?;
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

async fn ends(of: impl Future<Output = Option<String>>) -> Option<String> {
    tokio::time::timeout(PATIENCE, of).await.expect("it comes to an end")
}

/// Changes the file of a game at each of these places, and returns the changed files.
async fn every_change_comes_to_an_end(
    game: &dyn AnyGame,
    changes: Vec<(Index, i64)>,
    folder: PathBuf,
) -> Vec<PathBuf> {
    let text = played(game.key(), *game.seats().start()).await;
    assert_eq!(ends(checked(&text, &[])).await, None);
    let mut files = Vec::new();
    for (change, (place, number)) in changes.into_iter().enumerate() {
        let forged = with_number(&text, place, number);
        ends(checked(&forged, &[])).await;
        // An imported file can be viewed, replayed and exported.
        let database = Database::fresh().await;
        let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
        if let Ok(file) = TableFile::read(forged.as_bytes()) {
            let code = file.heading.table.clone();
            let taken = desk::import(&desk, file, Belief::Table(|_| None)).await;
            if !matches!(taken, Err(NotImported::Fault(_))) {
                taken.unwrap();
                let whole = Extent { secrets: true, ..Extent::default() };
                let written = async {
                    desk::export(&desk, &code, whole, Time::from_milliseconds(i64::MAX)).await.ok()
                };
                ends(written).await;
            }
        }
        desk.store().close().await;
        let file = folder.join(format!("{}-{change}.jsonl", game.key()));
        std::fs::write(&file, forged).unwrap();
        files.push(file);
    }
    files
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_number_stands_in_a_file_all_come_to_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut runner = TestRunner::default();
    let drawn = (any::<Index>(), proptest::sample::select(NUMBERS.to_vec()));
    let mut games = tokio::task::JoinSet::new();
    for game in GAMES {
        let draw = |_| drawn.new_tree(&mut runner).unwrap().current();
        let count = kit::cases(CHANGES, ALL_CHANGES);
        let changes: Vec<(Index, i64)> = (0..count).map(draw).collect();
        games.spawn(every_change_comes_to_an_end(*game, changes, folder.path().to_owned()));
    }
    let files = games.join_all().await.concat();
    if let Some(said) = other(&files) {
        assert_eq!(said.lines().count(), files.len(), "{said}");
    }
}

/// The values that the heads do not cover, as both programs report, and the hashes that a forger can
/// recompute.
const UNHELD: &[&str] = &[
    "table-of-shimekiri.",
    "attendance.",
    "declarations.complete",
    "people.language",
    "tables.absence",
    "tables.chain",
    "tables.formed_at",
    "tables.language",
    "tables.pace",
    "tables.paused",
    "tables.settings",
    "tables.told_at",
    "windows.extended",
    "windows.reminded_at",
    "windows.settles_at",
    "journal.hash",
    "overrides.foundation",
    "lateness.",
    "reputation.",
];

/// The number of kinds of values that are changed in the file of each game in the suite.
const KINDS: usize = 4;

/// Returns the posted heads: one for each result, and the whole hash of the end.
fn heads(text: &str) -> Vec<Head> {
    let rows = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let journal = rows.filter(|row| row["of"] == "journal");
    let told = journal.map(|line| {
        let body: Json = serde_json::from_str(line["row"]["body"].as_str().unwrap()).unwrap();
        (body["kind"].clone(), line["row"]["hash"].as_str().unwrap().to_owned())
    });
    let told: Vec<(Json, String)> = told.collect();
    let last = told.last().unwrap().1.clone();
    let posted = told.into_iter().filter(|(kind, _)| *kind == "closed" || *kind == "dealt");
    let short = posted.map(|(_, hash)| {
        let mut bytes = [0; 32];
        hex::decode_to_slice(&hash, &mut bytes).unwrap();
        receipt::code(&bytes)
    });
    short.chain([last]).map(|head| head.parse().unwrap()).collect()
}

/// Returns another value of the same kind.
fn another(value: &Json, known: &[Json]) -> Json {
    match value {
        Json::Bool(is) => json!(!is),
        Json::Number(number) if number.as_i64() == Some(1) => json!(0),
        Json::Number(number) => json!(number.as_i64().map_or(1, |number| number + 1)),
        Json::String(text) => {
            let other = known.iter().find(|other| other.is_string() && *other != value);
            let is_hash = text.len() >= 8 && text.chars().all(|c| c.is_ascii_hexdigit());
            let digit = if text.starts_with('0') { "1" } else { "0" };
            let changed =
                if is_hash { format!("{digit}{}", &text[1..]) } else { format!("{text}x") };
            other.cloned().unwrap_or(Json::String(changed))
        }
        other => other.clone(),
    }
}

async fn every_change_is_found(game: &dyn AnyGame, kinds: usize, skipped: Index) -> Vec<String> {
    let text = played(game.key(), *game.seats().start()).await;
    let heads = heads(&text);
    assert_eq!(ends(checked(&text, &heads)).await, None);
    let mut known: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    rewritten(&text, &mut |way, found| {
        known.entry(way.to_owned()).or_default().push(found.clone());
    });
    known.retain(|way, _| !UNHELD.iter().any(|unheld| way.starts_with(unheld)));
    let step = known.len().div_ceil(kinds).max(1);
    let some = known.iter().skip(skipped.index(step)).step_by(step);
    let mut missed = Vec::new();
    for (way, values) in some {
        let mut is_changed = false;
        let forged = rewritten(&text, &mut |at, found| {
            if at == way && !is_changed {
                is_changed = true;
                *found = another(found, values);
            }
        });
        if ends(checked(&forged, &heads)).await.is_none() {
            missed.push(format!("{}: {way}", game.key()));
        }
    }
    missed
}

/// Any changed value of a table's file is found with the posts of the table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_changed_in_a_file_is_found_by_its_heads() {
    let kinds = kit::cases(KINDS, usize::MAX);
    let mut runner = TestRunner::default();
    let mut games = tokio::task::JoinSet::new();
    for game in GAMES {
        let skipped = any::<Index>().new_tree(&mut runner).unwrap().current();
        games.spawn(every_change_is_found(*game, kinds, skipped));
    }
    assert_eq!(games.join_all().await.concat(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_that_take_over_one_another_in_a_circle_are_found() {
    let text = played(GAMES[0].key(), *GAMES[0].seats().start()).await;
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (of, column, number) in [
        ("windows", "again", 2),
        ("windows", "again", 3),
        ("windows", "follows", 2),
        ("windows", "root", 3),
        ("tables", "chairs", 0),
        ("tables", "chairs", -1),
        ("tables", "chairs", 100),
        ("tables", "chairs", 1),
    ] {
        let mut chain = receipt::BEGINNING;
        let lines = text.lines().map(|line| {
            let mut line: Json = serde_json::from_str(line).unwrap();
            if line["of"] == of && (of == "tables" || line["row"]["number"] == 2) {
                line["row"][column] = json!(number);
            }
            let body = format!(r#"{{"of":{},"row":{}"#, line["of"], line["row"]);
            chain = receipt::chain_of_file(&chain, &body);
            format!("{body},\"chain\":\"{}\"}}\n", hex::encode(chain))
        });
        let forged: String = lines.collect();
        let said = ends(checked(&forged, &[])).await.unwrap();
        assert!(said.contains(column), "{column} {number}: {said}");
        let file = folder.path().join(format!("{column}{number}.jsonl"));
        std::fs::write(&file, forged).unwrap();
        files.push(file);
    }
    if let Some(said) = other(&files) {
        assert!(said.lines().all(|line| !line.starts_with("OK")), "{said}");
    }
}
