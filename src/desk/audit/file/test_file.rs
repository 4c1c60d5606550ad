//! Tests of table files: export, verification, forgery and import.

use serde_json::{Value as Json, json};

use crate::audit::file::import::{Belief, NotImported, NotVerified, Unpacked};
use crate::audit::file::{
    ChainedLines, Content, DICE, Extent, FileFault, HEADING, KINDS, LAST, NotExported, OUTBOX,
    PEOPLE, SET, TableFile, Unfit, read,
};
use crate::audit::replay::difference::Differs;
use crate::model::{Judgement, Override};
use crate::tests::kit::{Table, judge, skip};
use crate::tests::support::{DRAW, Database, GAMES, account, desk, looks, rows, say, seal};
use crate::window::declare::DeclarationStatus;
use kit::time::time;
use kit::toy::{P1, P2, said};
use rules::receipt;
use tables::{AccountId, Address, WindowNumber};

pub(crate) const FINAL: Extent = Extent { secrets: false, nameless: false };
const WHOLE: Extent = Extent { secrets: true, nameless: false };

/// A table that was overridden in many ways, and ended.
async fn touched_by_hand() -> Table {
    let table = Table::new().await;
    table.bid(1).await;
    table.both(DRAW, "tax.pay=gold*1", 2).await;
    table.decide(skip(1, P1), 3).await;
    table.decide(Override::Edit { said: said("gold.who=P2 gold.count=9") }, 4).await;
    table.decide(Override::Void, 5).await;
    table.decide(Override::Rollback { number: WindowNumber::new(1), round: None }, 6).await;
    let choice = Judgement::Skip { seat: P2 };
    table.decide(judge(table.open().await, choice), 7).await;
    table.both(DRAW, DRAW, 8).await;
    table.decide(Override::End, 9).await;
    table
}

pub(crate) async fn export(table: &Table, extent: Extent, now: i64) -> String {
    crate::export(&table.desk, &table.code, extent, time(now)).await.unwrap()
}

pub(crate) async fn verify(text: &str) -> Result<(), Differs> {
    let verified = Unpacked::of(text.as_bytes(), GAMES).await.unwrap().verify().await.unwrap();
    match verified.replay.differences.first() {
        None => {
            assert_eq!(verified.replay.broken, None);
            Ok(())
        }
        Some(differs) => Err(differs.what),
    }
}

#[tokio::test]
async fn a_file_is_sound_and_another_database_takes_it_up() {
    let table = touched_by_hand().await;
    let text = export(&table, FINAL, 10).await;
    assert_eq!(verify(&text).await, Ok(()));
    let other = Database::fresh().await;
    let there = desk(&other).await;
    crate::import(&there, TableFile::read(text.as_bytes()).unwrap(), Belief::All).await.unwrap();
    assert!(crate::replay(&there, &table.code).await.unwrap().is_sound());
    assert_eq!(crate::export(&there, &table.code, FINAL, time(10)).await.unwrap(), text);
    let again = crate::import(&there, TableFile::read(text.as_bytes()).unwrap(), Belief::All).await;
    assert!(matches!(again, Err(NotImported::Here)));
}

#[tokio::test]
async fn a_table_goes_on_in_another_database() {
    let table = Table::new().await;
    table.bid(1).await;
    seal(&table.desk, &table.code, "sakura", DRAW, 2).await;
    let running = crate::export(&table.desk, &table.code, FINAL, time(3)).await;
    assert!(matches!(running, Err(NotExported::Running)));
    let text = export(&table, WHOLE, 3).await;
    let other = Database::fresh().await;
    let there = Table { desk: desk(&other).await, database: other, code: table.code.clone() };
    crate::import(&there.desk, TableFile::read(text.as_bytes()).unwrap(), Belief::All)
        .await
        .unwrap();
    for table in [&table, &there] {
        seal(&table.desk, &table.code, "kaede", DRAW, 4).await;
        table.closes(4).await;
        table.both(DRAW, DRAW, 5).await;
    }
    let state = "select hash from snapshots order by number";
    let here = rows::<(String,)>(&table.database, state).await;
    assert_eq!(here, rows::<(String,)>(&there.database, state).await);
    let nowhere = crate::export(&table.desk, &"NOWHERE".into(), FINAL, time(3)).await;
    assert!(matches!(nowhere, Err(NotExported::NoTable)));
}

#[tokio::test]
async fn it_does_not_tell_who_somebody_is_where_it_should_not() {
    let table = touched_by_hand().await;
    let whole = export(&table, WHOLE, 10).await;
    let named = export(&table, FINAL, 10).await;
    let nameless = export(&table, Extent { nameless: true, ..FINAL }, 10).await;
    for (text, accounts, addresses) in
        [(&whole, true, true), (&named, true, false), (&nameless, false, false)]
    {
        assert_eq!(text.contains(&format!(r#""account":"{}""#, account("sakura"))), accounts);
        let address = format!(r#""address":"{}""#, account("sakura"));
        assert_eq!(text.contains(&address), addresses);
        assert_eq!(verify(text).await, Ok(()));
    }
    assert!(named.contains("sakura") && !nameless.contains("sakura"), "{nameless}");
    crate::forget(&table.desk, &account("sakura"), time(11)).await.unwrap();
    let forgotten = export(&table, WHOLE, 12).await;
    assert!(!forgotten.contains("sakura"));
    assert_eq!(verify(&forgotten).await, Ok(()));
}

#[tokio::test]
async fn every_byte_and_every_line_counts() {
    let table = touched_by_hand().await;
    let text = export(&table, FINAL, 10).await;
    let bytes = text.as_bytes();
    assert!(TableFile::read(bytes).is_ok());
    for change in 0..500 {
        let place = bytes.len() * change / 500;
        let mut changed = bytes.to_vec();
        changed[place] ^= 1 << (change % 7);
        let fault = TableFile::read(&changed).unwrap_err();
        let line = bytes[..place].split(|&byte| byte == b'\n').count();
        assert!((line..=line + 1).contains(&fault.line), "{change}: {fault}, not {line}");
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for count in 0..lines.len() {
        let fault = TableFile::read(lines[..count].concat().as_bytes()).unwrap_err();
        assert_eq!(fault, FileFault { line: count + 1, why: Unfit::Missing });
        let mut short = lines.clone();
        short.remove(count);
        assert!(TableFile::read(short.concat().as_bytes()).is_err(), "without line {}", count + 1);
    }
    let surplus = TableFile::read(format!("{text}\n").as_bytes()).unwrap_err();
    assert_eq!(surplus, FileFault { line: lines.len() + 1, why: Unfit::Surplus });
}

/// Rewrites the rows of a file and chains them anew, as a forger would. A row without a kind is dropped.
pub(crate) fn forge(text: &str, mut change: impl FnMut(&mut Content<Json>)) -> String {
    let mut lines = ChainedLines::new();
    for mut content in read(text.as_bytes()).unwrap() {
        change(&mut content);
        if !content.of.is_empty() {
            lines.push(&content.of, &content.row);
        }
    }
    lines.end()
}

/// Forges a file by one replacement, in the first row of a kind that contains the text.
pub(crate) fn replaced(text: &str, of: &str, from: &str, to: &str) -> String {
    let mut is_done = false;
    let forged = forge(text, |content| {
        let row = content.row.to_string();
        if content.of == of && row.contains(from) && !is_done {
            content.row = serde_json::from_str(&row.replacen(from, to, 1)).unwrap();
            is_done = true;
        }
    });
    assert!(is_done, "{from} is in no row of {of}");
    forged
}

/// Forges a file by a replacement in each journal entry, and chains the journal anew. An entry that becomes
/// empty is dropped.
pub(crate) fn retold(text: &str, from: &str, to: &str) -> String {
    let mut chain = receipt::BEGINNING;
    let (mut last, mut entries) = (String::new(), 0);
    let forged = forge(text, |content| {
        if content.of == "journal" {
            let row = &mut content.row;
            let body = row["body"].as_str().unwrap().replacen(from, to, 1);
            if body.is_empty() {
                content.of.clear();
                return;
            }
            entries += 1;
            chain = receipt::chain(&chain, &format!("{} {} {body}", row["entry"], row["at"]));
            last = hex::encode(chain);
            (row["body"], row["hash"]) = (json!(body), json!(last));
        }
    });
    let forged = forge(&forged, |content| {
        if content.of == "tables" {
            (content.row["chain"], content.row["entries"]) = (json!(last), json!(entries));
        }
    });
    assert_ne!(forged, text, "{from} is in no entry");
    forged
}

#[tokio::test]
async fn whoever_forges_a_file_is_found_out() {
    let table = touched_by_hand().await;
    let text = export(&table, FINAL, 10).await;
    let (seed, other, value) = (hex::encode([7; 32]), hex::encode([8; 32]), hex::encode([0; 32]));
    let salt = forge(&text, |content| {
        if content.of == "declarations" {
            content.row["salt"] = json!(other);
        }
    });
    let hash = forge(&text, |content| {
        if content.of == "snapshots" {
            content.row["hash"] = json!(other);
        }
    });
    for (forged, what) in [
        (replaced(&text, "tables", &seed, &other), Differs::Commitment),
        (replaced(&text, "seats", &value, &other), Differs::Value),
        (replaced(&text, "declarations", "bid.gold", "bid.gold2"), Differs::Seal),
        (replaced(&text, "declarations", r#""sealed":1"#, r#""sealed":0"#), Differs::Seal),
        (salt, Differs::Seal),
        (hash, Differs::State),
        (replaced(&text, "snapshots", r#"\"round\":1"#, r#"\"round\":2"#), Differs::Ground),
        (replaced(&text, "windows", r#"\"attempt\":0"#, r#"\"attempt\":1"#), Differs::State),
        (
            replaced(&text, "windows", r#"\"turnouts\":{\"1\":\"skipped\"}"#, r#"\"turnouts\":{}"#),
            Differs::Event,
        ),
        (replaced(&text, "dice", r#""shows":"drop""#, r#""shows":"draw""#), Differs::Die),
        (retold(&text, r#""gold":1"#, r#""gold":2"#), Differs::Event),
        (retold(&text, &seed, &other), Differs::Seed),
        (retold(&text, r#""does":"void""#, r#""does":"resume""#), Differs::Decision),
        (retold(&text, r#""number":9"#, r#""number":8"#), Differs::Decision),
    ] {
        assert_eq!(verify(&forged).await, Err(what));
    }
}

#[tokio::test]
async fn nobody_can_say_that_a_game_came_to_another_end() {
    let table = Table::new().await;
    let mut now = 0;
    while let Some(due) = crate::next_due(&table.desk).await.unwrap() {
        now = due.milliseconds();
        // A draft keeps the table from being counted as deserted.
        let _ =
            say(&table.desk, &table.code, "kaede", DRAW, DeclarationStatus::Draft, now - 1).await;
        looks(&table.desk, &table.code, now).await;
    }
    let text = export(&table, FINAL, now).await;
    assert_eq!(verify(&text).await, Ok(()));
    let seed = hex::encode([7; 32]);
    let over = format!(r#"{{"kind":"over","how":"played","seed":"{seed}","reason":null}}"#);
    for forged in [
        retold(&text, r#""how":"played""#, r#""how":"ended""#),
        retold(&text, r#""how":"played""#, r#""how":"cancelled""#),
        replaced(&text, "tables", r#""stage":"over""#, r#""stage":"playing""#),
        retold(&text, &over, ""),
    ] {
        assert_eq!(verify(&forged).await, Err(Differs::End));
    }
}

#[tokio::test]
async fn what_does_not_fit_is_named_with_its_line() {
    let text = export(&touched_by_hand().await, FINAL, 10).await;
    let of_file = |forged: String| async move {
        match Unpacked::of(forged.as_bytes(), GAMES).await {
            Err(NotVerified::Fault(fault)) => fault,
            other => panic!("{other:?}"),
        }
    };
    let newer = replaced(&text, "table-of-shimekiri", r#""format":1"#, r#""format":2"#);
    assert_eq!(of_file(newer).await, FileFault { line: 1, why: Unfit::Newer(2) });
    let unknown = forge(&text, |content| {
        if content.of == "journal" && content.row["entry"] == 0 {
            content.row["colour"] = json!("red");
        }
    });
    assert!(matches!(of_file(unknown).await.why, Unfit::Odd(_)));
    let misplaced = forge(&text, |content| {
        if content.of == "people" {
            "journal".clone_into(&mut content.of);
        }
    });
    assert!(matches!(of_file(misplaced).await.why, Unfit::Misplaced(_)));
    for (of, column, odd) in [
        ("tables", "stage", json!("hello")),
        ("tables", "pace", json!("x")),
        ("tables", "options", json!("x")),
        ("tables", "open_window", json!(99)),
        ("windows", "said", json!("x")),
        ("snapshots", "state", json!("x")),
        ("declarations", "answers", json!("x")),
        ("journal", "body", json!("{}")),
        ("overrides", "what", json!("{}")),
    ] {
        let forged = forge(&text, |content| {
            if content.of == of {
                content.row[column] = odd.clone();
            }
        });
        let is_of = |line: &str| line.starts_with(&format!(r#"{{"of":"{of}""#));
        let first = 1 + text.lines().position(is_of).unwrap();
        let FileFault { line, why } = of_file(forged).await;
        assert!(matches!(&why, Unfit::Odd(what) if what.starts_with(column)), "{why:?}");
        assert_eq!(line, first, "{of}");
    }
    let code = forge(&text, |content| {
        if let Some(code) =
            content.row.get_mut(if content.of == "tables" { "code" } else { "table" })
        {
            *code = json!("../..");
        }
    });
    assert!(matches!(of_file(code).await.why, Unfit::Odd(_)), "it names a file elsewhere");
    let other = replaced(&text, "table-of-shimekiri", r#""data":""#, r#""data":"0"#);
    let other = replaced(&other, "tables", r#""data":""#, r#""data":"0"#);
    let verified = Unpacked::of(other.as_bytes(), GAMES).await.unwrap().verify().await;
    assert!(matches!(verified, Err(NotVerified::OtherEdition(_))));
}

#[tokio::test]
async fn what_a_file_says_of_others_than_its_table_is_not_believed() {
    let table = Table::new().await;
    table.bid(1).await;
    table.both(DRAW, DRAW, 2).await;
    let elsewhere = "discord:channel:1";
    let mut letters = 0;
    let forged = forge(&export(&table, WHOLE, 3).await, |content| match content.of.as_str() {
        "tables" => content.row["place"] = json!(elsewhere),
        "seats" => content.row["address"] = json!(elsewhere),
        "outbox" => {
            letters += 1;
            if letters == 1 {
                content.row["address"] = json!(elsewhere);
            }
        }
        _ => {}
    });
    let own: fn(&AccountId) -> Option<Address> = |account| Some(account.as_str().into());
    let places = "select count(*) from tables where place is not null";
    let addresses = "select address from seats order by seat";
    let posted = format!("select count(*) from outbox where address = '{elsewhere}'");
    let records = "select count(*) from reputation";
    let count = async |database: &Database, of: &str| rows::<(i64,)>(database, of).await[0].0;
    for (belief, is_believed) in [(Belief::Table(own), false), (Belief::All, true)] {
        let database = Database::fresh().await;
        let file = TableFile::read(forged.as_bytes()).unwrap();
        let left_out = crate::import(&desk(&database).await, file, belief).await.unwrap();
        let is_left = (left_out.place, left_out.letters > 0, left_out.windows > 0);
        assert_eq!(is_left, (!is_believed, !is_believed, !is_believed), "{left_out:?}");
        assert_eq!(count(&database, places).await, i64::from(is_believed));
        assert_eq!(count(&database, &posted).await, i64::from(is_believed));
        assert_eq!(count(&database, records).await > 0, is_believed);
        let address =
            if is_believed { elsewhere.to_owned() } else { account("sakura").to_string() };
        assert_eq!(rows::<(String,)>(&database, addresses).await[0].0, address);
    }
}

/// Returns the words between backticks.
fn in_code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_kind_of_row_is_known_to_the_other_program_and_to_the_document() {
    let of_tables = KINDS.iter().chain([&OUTBOX]).map(|kind| kind.of);
    let kinds: Vec<&str> =
        [HEADING, PEOPLE, SET].into_iter().chain(of_tables).chain([DICE, LAST]).collect();
    let program = include_str!("../../../../tests/verify.py");
    let listed = program.split_once("\nKINDS = (").unwrap().1.split_once(").split()").unwrap().0;
    let listed: Vec<&str> =
        listed.split([' ', '\n', '"']).filter(|word| !word.is_empty()).collect();
    assert_eq!(listed, kinds);
    let document = include_str!("../../../../docs/export.md");
    let chapter = document.split_once("\n## Kinds\n").unwrap().1.split_once("\n## ").unwrap().0;
    let rows = chapter.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells: Vec<String> =
        rows.map(|row| format!("`{}", row.split_once('|').unwrap().0)).collect();
    assert_eq!(cells.iter().flat_map(|cell| in_code(cell)).collect::<Vec<_>>(), kinds);
}
