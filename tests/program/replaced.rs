//! `--data`: files that replace the built-in data of games.

use std::fs;
use std::path::Path;

use kit::database::Database;
use kit::program::{Running, code_in, shimekiri};

const ADDRESS: &str = "sqlite:unused.db";

/// Writes the numbers of えいつく with one change to a folder.
fn changed(folder: &Path, from: &str, to: &str) {
    let text = fs::read_to_string("data/eitsuku/edition.toml").unwrap();
    assert!(text.contains(from), "{from}");
    fs::create_dir_all(folder.join("eitsuku")).unwrap();
    fs::write(folder.join("eitsuku/edition.toml"), text.replacen(from, to, 1)).unwrap();
}

fn run(url: &str, words: &str) -> (String, Option<i32>) {
    Running::start(shimekiri(url, words)).end()
}

/// E3.3: a role costs its number and two coins more, or as many as the file says.
#[test]
fn a_changed_cost_changes_what_bots_pay() {
    let folder = tempfile::tempdir().unwrap();
    let costs = "simulate eitsuku --games 40 --seed 7 --lang en --json";
    let with = format!("{costs} --data {}", folder.path().display());
    let statistics = |words: &str| {
        let (text, ended) = run(ADDRESS, words);
        assert_eq!(ended, Some(0), "{text}");
        let document: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
        document["statistics"].clone()
    };
    assert_eq!(statistics(&with), statistics(costs), "an empty folder");
    changed(folder.path(), "cost_above_number = 2", "cost_above_number = 1");
    assert_ne!(statistics(&with), statistics(costs));
}

#[test]
fn a_faulty_folder_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |verb: &str, parts: &[&str]| {
        let words = format!("{verb} --lang en --data {}", folder.path().display());
        let (text, ended) = run(ADDRESS, &words);
        assert!(ended != Some(0) && text.trim().lines().count() == 1, "{text}");
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    };
    changed(folder.path(), "cost_above_number = 2", "cost_above_number = -2");
    refused("simulate eitsuku", &["eitsuku/edition.toml:40: ", "-2"]);
    fs::write(folder.path().join("eitsuku/numbers.toml"), "").unwrap();
    refused("play eitsuku", &["eitsuku/numbers.toml replaces no data", "eitsuku/edition.toml"]);
    fs::remove_dir_all(folder.path().join("eitsuku")).unwrap();
    fs::create_dir(folder.path().join("desk")).unwrap();
    fs::write(folder.path().join("desk/pace.toml"), "").unwrap();
    refused("check", &["desk/pace.toml replaces no data"]);
    fs::remove_dir_all(folder.path()).unwrap();
    refused("play eitsuku", &["does not exist"]);
}

/// A table remembers the numbers by their hash: no other program touches it.
#[tokio::test]
async fn a_table_is_played_on_with_its_own_numbers_only() {
    let database = Database::fresh().await;
    let folder = tempfile::tempdir().unwrap();
    changed(folder.path(), "cost_above_number = 2", "cost_above_number = 1");
    let data = format!("--data {}", folder.path().display());
    let play = format!("play eitsuku --seats 2 --lang en --as kaede {data}");
    let mut running = Running::start(shimekiri(&database.url, &play));
    let shown = running.hear("Deadline:");
    let code = code_in(&shown).to_owned();
    running.type_lines(&["quit"]);
    running.end();
    let resume = format!("play --table {code} --as kaede --lang en");
    let (text, _) = run(&database.url, &resume);
    assert!(text.contains("another edition") || text.contains("other edition"), "{text}");
    let mut running = Running::start(shimekiri(&database.url, &format!("{resume} {data}")));
    running.hear("Deadline:");
    running.type_lines(&["quit"]);
    assert_eq!(running.end().1, Some(0));
}
