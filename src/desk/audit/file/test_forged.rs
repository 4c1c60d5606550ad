//! Tests of files forged by somebody who controls the database and computes every hash anew. Both programs
//! find contradictions; consistent forgeries are found by the heads of the posts.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value as Json, json};

use crate::audit::file::import::{Unpacked, Verified};
use crate::audit::file::test_file::{FINAL, export, forge, replaced};
use crate::audit::file::{ChainedLines, read};
use crate::audit::replay::difference::{Difference, Differs};
use crate::model::{Judgement, Override};
use crate::record::{Event, Letter, Part};
use crate::table::form::Form;
use crate::tests::kit::{Table, judge, skip};
use crate::tests::support::{
    BID, DRAW, Database, GAMES, HOUR, account, desk, execute, form, guest, looks, rows, seal,
};
use kit::time::time;
use kit::toy::{P1, said};
use rules::dice::{Brought, promise_of, value_of};
use rules::receipt::{self, Head};
use tables::{OverrideNumber, WindowNumber};

/// Plays a table with many overrides, and a sealed declaration in a window that never closed.
async fn touched() -> Table {
    let table = Table::new().await;
    table.bid(1).await;
    table.both(DRAW, "tax.pay=gold*1", 2).await;
    table.decide(skip(1, P1), 3).await;
    table.decide(Override::Undo { number: OverrideNumber::new(0) }, 4).await;
    table.decide(skip(1, P1), 5).await;
    table.decide(Override::Edit { said: said("gold.who=P2 gold.count=9") }, 6).await;
    table.decide(Override::Rollback { number: WindowNumber::new(1), round: None }, 7).await;
    let open = table.open().await;
    table.decide(judge(open, Judgement::Skip { seat: P1 }), 8).await;
    table.both(DRAW, DRAW, 9).await;
    table.both(DRAW, DRAW, 10).await;
    seal(&table.desk, &table.code, "sakura", DRAW, 11).await;
    table.decide(Override::End, 12).await;
    table
}

/// Forms a table with dice of its own before its game begins: 楓 has promised a value, 桜 brings none, and the
/// third seat is free.
async fn forming() -> Table {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, Form { chairs: 3, seed: None, ..form("toy") }, time(0))
        .await
        .unwrap()
        .code;
    crate::join(&desk, &code, guest("sakura"), None, time(0)).await.unwrap();
    let promise = Brought::Promise(promise_of(&value_of("rain")));
    crate::join(&desk, &code, guest("kaede"), promise, time(0)).await.unwrap();
    let _ = crate::start(&desk, &code, &account("sakura"), "random", time(0)).await.unwrap_err();
    crate::join(&desk, &code, guest("kaede"), Brought::Value(value_of("rain")), time(0))
        .await
        .unwrap();
    Table { database, desk, code }
}

/// Deals the table and seals for 桜 in the first two windows; then executes the statements, lets the second
/// window time out, and ends the game by its host.
async fn played(table: Table, statements: &[&str]) -> Table {
    let (desk, code) = (&table.desk, &table.code);
    crate::start(desk, code, &account("sakura"), "random", time(0)).await.unwrap();
    for (now, text) in [(0, BID), (HOUR, DRAW)] {
        seal(desk, code, "sakura", text, now + 1).await;
        if now > 0 {
            for statement in statements {
                execute(&table.database, statement).await;
            }
        }
        for _ in 0..4 {
            looks(desk, code, now + HOUR).await;
        }
    }
    crate::end(desk, code, &account("sakura"), None, None, time(4 * HOUR)).await.unwrap();
    table
}

/// Forges a file with other journal entries (time and body), chained anew.
fn rejournal(text: &str, change: impl FnOnce(&mut Vec<(i64, String)>)) -> String {
    let contents = read(text.as_bytes()).unwrap();
    let of_journal = contents.iter().filter(|content| content.of == "journal");
    let mut entries: Vec<(i64, String)> = of_journal
        .map(|content| {
            (content.row["at"].as_i64().unwrap(), content.row["body"].as_str().unwrap().to_owned())
        })
        .collect();
    change(&mut entries);
    let (mut chain, mut rows) = (receipt::BEGINNING, Vec::new());
    for (entry, (at, body)) in entries.iter().enumerate() {
        chain = receipt::chain(&chain, &format!("{entry} {at} {body}"));
        let hash = hex::encode(chain);
        rows.push(json!({ "at": at, "body": body, "entry": entry, "hash": hash }));
    }
    let mut lines = ChainedLines::new();
    for mut content in contents {
        if content.of == "tables" {
            content.row["chain"] = json!(hex::encode(chain));
            content.row["entries"] = json!(rows.len());
        }
        if content.of != "journal" {
            lines.push(&content.of, &content.row);
            continue;
        }
        rows.drain(..).for_each(|row| lines.push("journal", &row));
    }
    lines.end()
}

/// Returns the position of the first entry that contains the text.
fn place(entries: &[(i64, String)], says: &str) -> usize {
    entries.iter().position(|(_, body)| body.contains(says)).unwrap_or_else(|| panic!("{says}"))
}

/// Forges a file by another value in a column, in the last row of a kind where column `has.0` is `has.1`.
fn column(text: &str, of: &str, has: (&str, &Json), name: &str, to: &Json) -> String {
    let is_meant = |row: &Json| row[has.0] == *has.1;
    let all = read(text.as_bytes()).unwrap();
    let last = all.iter().filter(|content| content.of == of && is_meant(&content.row)).count();
    assert!(last > 0, "no row of {of} with {has:?}");
    let mut seen = 0;
    forge(text, |content| {
        if content.of == of && is_meant(&content.row) {
            seen += 1;
            if seen == last {
                assert_ne!(content.row[name], *to, "{of}.{name}");
                content.row[name] = to.clone();
            }
        }
    })
}

/// Forgeries that only a program with the rules can find.
const RULES: [&str; 2] =
    ["others are asked who have all sealed", "nothing could be sealed in a window of seals"];

/// Returns contradictory forgeries of a file with overrides.
fn of_touched(text: &str) -> Vec<(&'static str, String)> {
    let (other, nothing) = (hex::encode([8; 32]), json!(null));
    let closed = r#""kind":"closed","number":"#;
    let open = json!(of_last(text, "windows", "number"));
    let drop =
        |says: &'static str| rejournal(text, |entries| drop(entries.remove(place(entries, says))));
    let joined = format!(r#"{{"kind":"joined","seat":0,"house":null,"value":"{other}"}}"#);
    vec![
        ("no formed", drop(r#""kind":"formed""#)),
        ("formed twice", rejournal(text, |entries| entries.insert(1, entries[0].clone()))),
        ("another name", replaced(text, "tables", r#""dice":"t""#, r#""dice":"u""#)),
        ("more chairs", replaced(text, "tables", r#""chairs":2"#, r#""chairs":3"#)),
        (
            "closed twice",
            rejournal(text, |entries| {
                let at = place(entries, closed);
                entries.insert(at + 1, entries[at].clone());
            }),
        ),
        (
            "closed in another order",
            rejournal(text, |entries| {
                let first = place(entries, r#""kind":"closed","number":0"#);
                let second = place(entries, r#""kind":"closed","number":1"#);
                entries.swap(first, second);
            }),
        ),
        ("joined after the deal", rejournal(text, |entries| entries.push((99, joined)))),
        ("an undo is left out", drop(r#""does":"undo""#)),
        ("a judge is left out", drop(r#""does":"judge""#)),
        (
            "what was undone stands",
            column(text, "overrides", ("undone", &json!(1)), "undone", &nothing),
        ),
        (
            "what stands is undone",
            column(text, "overrides", ("undone", &nothing), "undone", &json!(1)),
        ),
        (RULES[0], column(text, "windows", ("number", &json!(1)), "asked", &json!("P1"))),
        (
            RULES[1],
            rejournal(text, |entries| {
                let at = place(entries, closed);
                let (is, not) = (r#""openly":false"#, r#""openly":true"#);
                assert!(entries[at].1.contains(is));
                entries[at].1 = entries[at].1.replacen(is, not, 1);
            }),
        ),
        ("counts again", column(text, "windows", ("number", &json!(1)), "again", &json!(0))),
        ("counts itself", column(text, "windows", ("number", &json!(1)), "again", &json!(1))),
        ("counts a later one", column(text, "windows", ("number", &json!(1)), "again", &json!(2))),
        ("counts not again", column(text, "windows", ("number", &json!(3)), "again", &json!(null))),
        (
            "other salt, never closed",
            column(text, "declarations", ("number", &open), "salt", &json!(other)),
        ),
        (
            "other answers, never closed",
            column(text, "declarations", ("number", &open), "answers", &json!("{}")),
        ),
        ("late, never closed", column(text, "declarations", ("number", &open), "late", &json!(1))),
        (
            "a draft with a receipt",
            column(text, "declarations", ("number", &open), "sealed", &json!(0)),
        ),
    ]
}

/// Returns forgeries of rows beside the journal of a file with overrides: people, decisions, times.
fn of_rows(text: &str) -> Vec<(&'static str, String)> {
    let (first, other) = (json!(0), json!(hex::encode([8; 32])));
    let of = |kind, name, to: &Json| column(text, kind, ("number", &first), name, to);
    let seat = |name, to: &Json| column(text, "seats", ("seat", &first), name, to);
    let changed = |says: &'static str, to: &'static str| {
        rejournal(text, |entries| {
            let at = place(entries, says);
            entries[at].1 = entries[at].1.replacen(says, to, 1);
        })
    };
    let behind = |what: &str| {
        let body = format!(
            r#"{{"kind":"overridden","number":7,"window":5,"what":{what},"by":"{}"}}"#,
            hex::encode([8; 32])
        );
        rejournal(text, |entries| entries.push((99, body)))
    };
    let swapped = forge(text, |content| {
        if content.of == "seats" {
            let name = content.row["name"].as_str().unwrap().to_owned();
            content.row["name"] = json!(if name == "sakura" { "kaede" } else { "sakura" });
        }
    });
    vec![
        ("names exchanged", swapped),
        ("another name", seat("name", &json!("ume"))),
        ("a bot", seat("house", &json!("random"))),
        ("another salt of a name", seat("salt", &other)),
        ("no salt of a name", seat("salt", &json!(null))),
        ("another account", replaced(text, "people", "terminal:sakura", "terminal:ume")),
        ("another reason", of("overrides", "reason", &json!("for fun"))),
        ("quietly", of("overrides", "notice", &json!("private"))),
        ("by a vote", of("overrides", "vote", &json!(0))),
        ("at another time", of("overrides", "at", &json!(9))),
        ("on other entries", of("overrides", "entries", &json!(9))),
        ("opened at another time", of("windows", "opens_at", &json!(77))),
        ("another deadline", of("windows", "closes_at", &json!(77))),
        ("closed at another time", of("windows", "closed_at", &json!(77))),
        ("closed for another reason", of("windows", "why", &json!("deadline"))),
        ("awaited", of("windows", "awaited", &json!("P2"))),
        ("never closed", of("windows", "closed_at", &json!(null))),
        ("gone back elsewhere", changed(r#""rollback","number":1"#, r#""rollback","number":0"#)),
        ("a ruling behind the end", behind(r#"{"does":"rule","words":"P2 may not win"}"#)),
        ("an undo behind the end", behind(r#"{"does":"undo","number":5}"#)),
        ("called off", changed(r#""how":"ended""#, r#""how":"cancelled""#)),
    ]
}

/// Returns contradictory forgeries of a file of a table with a promised value.
fn of_promised(text: &str) -> Vec<(&'static str, String)> {
    let other = hex::encode([8; 32]);
    let house = r#""house":"random","value":null"#;
    let ground = format!(r#""house":"random","value":"{other}""#);
    let chosen = |from: &'static str, to: String| {
        rejournal(text, |entries| {
            let at = place(entries, from);
            entries[at].1 = entries[at].1.replacen(from, &to, 1);
        })
    };
    let own = forge(text, |content| {
        if content.of == "seats" && content.row["seat"] == 0 {
            content.row["value"] = json!(other);
        }
    });
    vec![
        ("a house player chooses", chosen(house, ground)),
        ("no value follows", own),
        (
            "a promise is fulfilled before it is due",
            rejournal(text, |entries| {
                let (due, fulfilled) = (place(entries, r#""due""#), place(entries, r#""kept""#));
                entries.swap(due, fulfilled);
            }),
        ),
        (
            "somebody chooses after a promise is fulfilled",
            rejournal(text, |entries| {
                let fulfilled = place(entries, r#""kept""#);
                let joined = place(entries, r#""kind":"joined","seat":0"#);
                let left = (0, r#"{"kind":"left","seat":0}"#.to_owned());
                entries.insert(fulfilled + 1, entries[joined].clone());
                entries.insert(fulfilled + 1, left);
            }),
        ),
        (
            "somebody was not asked",
            column(text, "windows", ("number", &json!(1)), "asked", &json!("P1 P3")),
        ),
        ("another promise", chosen(r#""promise":""#, r#""promise":"0"#.to_owned())),
        (
            "no promise is fulfilled",
            rejournal(text, |entries| drop(entries.remove(place(entries, r#""kept""#)))),
        ),
    ]
}

/// Returns forgeries without a contradiction, which differ from the posted file.
fn unseen(text: &str) -> Vec<(&'static str, String)> {
    let salt = rejournal(text, |entries| {
        let from = entries[0].1.find(r#""salt":""#).unwrap() + r#""salt":""#.len();
        entries[0].1.replace_range(from..from + 64, &"0".repeat(64));
    });
    let time = rejournal(text, |entries| {
        let at = place(entries, r#""kind":"dealt""#);
        entries[at].0 += 1;
    });
    let held = rejournal(text, |entries| {
        // The numbers of entries matter, as bot players draw by them.
        let at = place(entries, r#""kind":"over""#);
        entries.insert(at, (0, r#"{"kind":"back","seat":0}"#.to_owned()));
    });
    vec![("another salt", salt), ("another time", time), ("something that is not checked", held)]
}

fn of_last(text: &str, of: &str, column: &str) -> i64 {
    let contents = read(text.as_bytes()).unwrap();
    let last = contents.iter().rev().find(|content| content.of == of).unwrap();
    last.row[column].as_i64().unwrap()
}

/// Returns the heads in the letters of a table, in the order of posting.
async fn posted(table: &Table) -> Vec<Head> {
    let letters: Vec<(String,)> =
        rows(&table.database, "select body from outbox order by send_at, letter").await;
    let letters = letters.iter().map(|(body,)| serde_json::from_str::<Letter>(body).unwrap());
    let mut heads = Vec::new();
    for (own, part) in letters.flat_map(|letter| {
        let parts = letter.parts.clone();
        parts.into_iter().map(move |part| (letter.head.clone(), part))
    }) {
        let head = match part {
            Part::Receipts { head, .. } => Some(head),
            Part::Event(Event::Over { .. }) => Some(own),
            _ => None,
        };
        if let Some(head) = head {
            let hash: [u8; 32] = hex::decode(head).unwrap().try_into().unwrap();
            let head = receipt::code(&hash).parse().unwrap();
            if !heads.contains(&head) {
                heads.push(head);
            }
        }
    }
    heads
}

async fn verified(text: &str) -> Verified {
    Unpacked::of(text.as_bytes(), GAMES).await.unwrap().verify().await.unwrap()
}

/// Returns the verdict of the other program on each file with these heads; `None` if the program cannot be
/// run.
fn other(files: &[(&str, String)], heads: &[Head]) -> Option<Vec<bool>> {
    let folder = tempfile::tempdir().unwrap();
    let verifier = kit::in_root("tests/verify.py");
    let write = |(number, (_, text)): (usize, &(&str, String))| {
        let path = folder.path().join(format!("{number}.jsonl"));
        std::fs::write(&path, text).unwrap();
        path
    };
    let paths: Vec<PathBuf> = files.iter().enumerate().map(write).collect();
    let mut run = Command::new("python3");
    run.arg(verifier).args(&paths);
    if !heads.is_empty() {
        run.arg("--head").args(heads.iter().map(ToString::to_string));
    }
    let printed = String::from_utf8(run.output().ok()?.stdout).unwrap();
    assert_eq!(printed.lines().count(), files.len(), "{printed}");
    Some(printed.lines().map(|line| line.starts_with("OK")).collect())
}

/// Asserts that neither program finds a fault in the table's file, with heads or without.
async fn is_right(table: &Table) -> (String, Vec<Head>) {
    let (text, heads) = (export(table, FINAL, 5 * HOUR).await, posted(table).await);
    let found = verified(&text).await.replay;
    assert!(found.is_sound(), "{:?} {:?}", found.broken, found.differences);
    assert!(heads.len() > 2 && found.holds(&heads), "{:?}", found.heads.hold(&heads));
    let files = [("", text.clone())];
    for heads in [&heads[..], &[]] {
        assert_eq!(other(&files, heads).unwrap_or_else(|| vec![true]), [true]);
    }
    (text, heads)
}

/// Asserts that both programs find a fault in each file.
async fn are_found(files: Vec<(&'static str, String)>) {
    for (name, text) in &files {
        // An impossible file is not even imported.
        let Ok(unpacked) = Unpacked::of(text.as_bytes(), GAMES).await else { continue };
        let found = unpacked.verify().await.unwrap().replay;
        assert!(!found.is_sound(), "{name}");
        assert!(found.broken.is_none(), "{name}: whoever forges it chains it anew");
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let Some(right) = other(&files, &[]) else { return };
    let missed =
        names.iter().zip(right).filter(|(name, is_right)| *is_right && !RULES.contains(*name));
    assert_eq!(missed.map(|(name, _)| *name).collect::<Vec<_>>(), [""; 0]);
}

/// Heads out of order prove nothing, and both programs refuse them.
#[tokio::test]
async fn heads_in_another_order_are_refused_by_both() {
    let (text, mut heads) = is_right(&played(forming().await, &[]).await).await;
    let replay = verified(&text).await.replay;
    assert_eq!(replay.heads.disordered(&heads), None);
    heads.swap(0, 1);
    assert_eq!(replay.heads.disordered(&heads), Some((&heads[0], &heads[1])));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.jsonl");
    std::fs::write(&file, &text).unwrap();
    let verifier = kit::in_root("tests/verify.py");
    let named = [heads[0].to_string(), heads[1].to_string()];
    for (posted, expected) in [
        (&named[..], format!("{} was posted after {}", named[0], named[1])),
        (&["foo".to_owned()], "'foo' is no record".to_owned()),
        (&[], "takes the records of posts".to_owned()),
    ] {
        let mut run = Command::new("python3");
        let Ok(run) = run.arg(&verifier).arg(&file).arg("--head").args(posted).output() else {
            return;
        };
        let complaint = String::from_utf8(run.stderr).unwrap();
        assert!(complaint.contains(&expected) && complaint.lines().count() == 1, "{complaint}");
        assert_eq!((run.stdout.as_slice(), run.status.code()), (&b""[..], Some(2)));
    }
}

#[tokio::test]
async fn what_contradicts_itself_is_found_by_both_programs() {
    let (text, _) = is_right(&touched().await).await;
    are_found(of_touched(&text)).await;
}

#[tokio::test]
async fn who_was_there_and_who_decided_what_and_when_is_held() {
    let (text, _) = is_right(&touched().await).await;
    are_found(of_rows(&text)).await;
}

/// The owner of the database changes a bot's declaration before its window closes.
#[tokio::test]
async fn nobody_chooses_what_a_house_player_declares() {
    let mut found = 0;
    for choice in ["rest", "draw"] {
        let answers = format!(r#"{{"now.do":{{"given":{{"choice":"{choice}"}}}}}}"#);
        let exchanged =
            format!("update declarations set answers = '{answers}' where number = 1 and seat = 2");
        let table = played(forming().await, &[&exchanged]).await;
        let text = export(&table, FINAL, 5 * HOUR).await;
        let replay = verified(&text).await.replay;
        let is_policy = |differs: &Difference| differs.what == Differs::Policy;
        found += usize::from(replay.differences.iter().any(is_policy));
    }
    assert!(found > 0, "it cannot have decided both");
}

#[tokio::test]
async fn nobody_chooses_a_value_out_of_turn() {
    let (text, _) = is_right(&played(forming().await, &[]).await).await;
    are_found(of_promised(&text)).await;
}

#[tokio::test]
async fn what_only_the_posts_tell_is_found_by_their_heads() {
    let (text, heads) = is_right(&played(forming().await, &[]).await).await;
    let files = unseen(&text);
    for (name, text) in &files {
        let found = verified(text).await.replay;
        assert!(found.is_sound(), "{name}: {:?}", found.differences);
        assert!(!found.holds(&heads), "{name}");
    }
    // The end is posted with the whole hash, and nothing follows it.
    let contents = read(text.as_bytes()).unwrap();
    let entries = contents.iter().filter(|content| content.of == "journal");
    let whole = |content: &str| -> Head { content.parse().unwrap() };
    let hashes: Vec<Head> =
        entries.map(|content| whole(content.row["hash"].as_str().unwrap())).collect();
    let (replay, last) = (verified(&text).await.replay, hashes.len() - 1);
    assert!(replay.holds(&hashes[last..]) && !replay.holds(&hashes[last - 1..last]));
    let posted = [("", text.clone())];
    for (place, is_last) in [(last, true), (last - 1, false)] {
        let others = other(&posted, &hashes[place..=place]);
        assert_eq!(others.unwrap_or_else(|| vec![is_last]), [is_last]);
    }
    let all = vec![true; files.len()];
    assert_eq!(other(&files, &[]).unwrap_or_else(|| all.clone()), all);
    let none = vec![false; files.len()];
    assert_eq!(other(&files, &heads).unwrap_or_else(|| none.clone()), none);
}

/// The database is changed while the game runs, so that the program itself resolves the forgery.
#[tokio::test]
async fn what_was_sealed_cannot_be_exchanged_or_put_off_in_the_database() {
    let again = [
        "delete from declarations where number = 1 and seat = 0",
        "insert into declarations (code, number, seat, answers, sealed, complete, salt, hash)
         select code, 1, seat, answers, sealed, complete, salt, hash from declarations
         where number = 0 and seat = 0",
        "update windows set again = 0 where number = 1",
    ];
    let late = ["update declarations set late = 1 where number = 1 and seat = 0"];
    let mut files = Vec::new();
    for (name, statements) in [("again", &again[..]), ("late", &late[..])] {
        let table = played(forming().await, statements).await;
        files.push((name, export(&table, FINAL, 5 * HOUR).await));
    }
    are_found(files).await;
}

/// The database is changed before the game begins, to get other dice.
#[tokio::test]
async fn nobody_chooses_the_dice_in_the_database() {
    let value = hex::encode([8; 32]);
    let ground = format!(
        "insert into seats (code, seat, house, name, value)
         select code, 2, 'random', '', '{value}' from tables"
    );
    let own = format!("update seats set value = '{value}' where seat = 0");
    let mut files = Vec::new();
    for (name, statement) in [
        ("another name for the dice", "update tables set dice = 'ZKQK2'"),
        ("a house player's value", &ground),
        ("the value of who brings none", &own),
    ] {
        let table = forming().await;
        execute(&table.database, statement).await;
        let table = played(table, &[]).await;
        let text = export(&table, FINAL, 5 * HOUR).await;
        let joined = format!(r#"{{"kind":"joined","seat":2,"house":"random","value":"{value}"}}"#);
        if name == "a house player's value" {
            let forged = rejournal(&text, |entries| {
                entries.insert(place(entries, r#""kind":"dealt""#), (0, joined));
            });
            files.push(("and it is journaled", forged));
        }
        files.push((name, text));
    }
    are_found(files).await;
}
