//! Sets of cards of a host's own: read from files, and kept by the tables that were dealt from them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use kit::database::Database;
use kit::program::shimekiri;
use tempfile::TempDir;

use crate::bad_input::check;

const STARTER: &str = include_str!("../../data/guild_war/sets/starter.toml");

/// Runs the program in a folder with these lines typed. Returns its output with its complaints, and its exit
/// code.
async fn run(folder: &Path, url: &str, words: &str, typed: &str) -> (String, i32) {
    let mut command = shimekiri(url, words);
    command.current_dir(folder).env("LANG", "C.UTF-8").env("SHIMEKIRI_DATA_SETS", "sets");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let typed = typed.to_owned();
    let ended = tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().unwrap();
        // A program that reads nothing has closed its input.
        let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
        child.wait_with_output().unwrap()
    });
    let ended = ended.await.unwrap();
    let said = [ended.stdout, ended.stderr].concat();
    (String::from_utf8(said).unwrap(), ended.status.code().unwrap())
}

/// Returns a folder with the starter set as `sets/mine.toml`, with another name and another first skill.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sets")).unwrap();
    let mine = STARTER
        .replacen("Starter set", "My set", 1)
        .replacen("はじまりの組", "わたしの組", 1)
        .replacen("\"Cut In\"", "\"Lunge\"", 1);
    fs::write(folder.path().join("sets/mine.toml"), mine).unwrap();
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_keeps_the_set_that_it_was_dealt_from() {
    let (folder, database) = (folder(), Database::fresh().await);
    let (at, url) = (folder.path(), database.url.as_str());
    let new = "play guild_war --option set=mine --option size=1v1 --seed 3 --lang en";
    let (said, _) = run(at, url, new, "Swordfighter\nseal\ncard Lunge\nquit\n").await;
    check("a set of one's own", &said, &["the set “My set”", "Lunge", "130% of ATK"]);
    let code = said.split_once("Guild War, table ").unwrap().1[..5].to_owned();

    // The table goes on after the file has changed, and after it is gone.
    let other = STARTER.replacen("percent = 130", "percent = 150", 1);
    fs::write(at.join("sets/mine.toml"), other).unwrap();
    let (said, _) = run(at, url, "play --resume --lang en", "card Lunge\nquit\n").await;
    check("a changed file", &said, &["130% of ATK"]);
    fs::remove_dir_all(at.join("sets")).unwrap();
    let (said, _) = run(at, url, "play --resume --lang en", "card Lunge\nquit\n").await;
    check("no file", &said, &["130% of ATK"]);

    // Its file holds the set, and is verified where the set never was.
    let (said, code) = run(at, url, &format!("export {code} table.jsonl --secrets"), "").await;
    assert_eq!(code, 0, "{said}");
    let file = at.join("table.jsonl");
    assert!(fs::metadata(&file).unwrap().len() < 600_000);
    let (said, code) = run(at, url, "verify table.jsonl --lang en", "").await;
    assert_eq!(code, 0, "{said}");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("Lunge", "Lunch", 1)).unwrap();
    let (said, code) = run(at, url, "verify table.jsonl --lang en", "").await;
    assert_eq!(code, 1, "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_faulty_set_is_told_and_not_offered() {
    let (folder, database) = (folder(), Database::fresh().await);
    let (at, url) = (folder.path(), database.url.as_str());
    let faulty = STARTER.replacen("scope = \"one-enemy\"", "scope = \"one-enmy\"", 1);
    fs::write(at.join("sets/other.toml"), faulty).unwrap();
    let fault = "sets/other.toml:113: cut-in: `one-enmy` is none of the words";
    for words in ["check --lang en", "check --sets sets --lang en", "check --sets sets/other.toml"]
    {
        let (said, code) = run(at, url, words, "").await;
        assert_eq!(code, 1, "{said}");
        check(words, &said, &[fault]);
    }
    let (said, code) = run(at, url, "check --sets sets/mine.toml", "").await;
    assert_eq!((said.as_str(), code), ("ok\n", 0));
    let play = "play guild_war --option set=other --lang en";
    let (said, code) = run(at, url, play, "").await;
    assert_eq!(code, 2, "{said}");
    check(play, &said, &[fault, "starter", "mine"]);
    let simulate = "simulate guild_war --set sets/mine.toml --games 5 --lang en";
    let (said, code) = run(at, url, simulate, "").await;
    assert_eq!(code, 0, "{said}");
    check(simulate, &said, &["Lunge"]);
    let (said, code) = run(at, url, "simulate guild_war --set sets/other.toml --lang en", "").await;
    assert_eq!(code, 2, "{said}");
    check("a faulty set", &said, &[fault]);
    let (said, code) = run(at, url, "simulate eitsuku --set sets/mine.toml --lang en", "").await;
    assert_eq!(code, 2, "{said}");
    check("a game without sets", &said, &["takes no set of cards"]);
}
