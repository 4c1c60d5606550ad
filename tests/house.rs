//! The house: what a layer must not know, held by reading the sources.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use shimekiri::commands::{Command, Place};
use shimekiri::games::GAMES;

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        if folder.is_file() {
            let text = std::fs::read_to_string(&folder).unwrap();
            sources.push((folder, text));
            continue;
        }
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if ending.is_some_and(|ending| ["rs", "toml", "md"].contains(&ending)) {
                let text = std::fs::read_to_string(&path).unwrap();
                sources.push((path, text));
            }
        }
    }
    sources.sort();
    sources
}

/// The lines of a source that are code, tests at its end left out.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn assert_absent(folder: &str, words: &[&str], may: impl Fn(&Path) -> bool) {
    let mut found = Vec::new();
    for (path, text) in sources(folder) {
        if may(&path) {
            continue;
        }
        for (line, code) in code(&text) {
            for word in words.iter().filter(|word| code.contains(**word)) {
                found.push(format!("{}:{}: {word}", path.display(), line + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn never(_: &Path) -> bool {
    false
}

/// Files that hold tests and nothing else.
fn is_test(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap();
    name.starts_with("test") || name == "laws"
}

#[test]
fn rules_games_and_tables_read_no_clock_and_touch_nothing() {
    let outside = [
        "std::fs",
        "std::io",
        "std::net",
        "std::env",
        "std::process",
        "std::thread",
        "std::time",
        "Instant",
        "SystemTime",
        "Utc::now",
        "Local::now",
        "minijinja",
        "rustyline",
        "clap",
        "tokio",
        "sqlx",
        "serenity",
    ];
    for folder in ["src/rules", "src/games", "src/tables"] {
        assert_absent(folder, &outside, never);
    }
    // A panel's words are templates, and all else comes from outside too.
    let panel: Vec<&str> = outside.into_iter().filter(|word| *word != "minijinja").collect();
    assert_absent("src/panel", &panel, never);
    // A pace has a calendar; a game has none.
    for folder in ["src/rules", "src/games"] {
        assert_absent(folder, &["chrono"], never);
    }
    assert_absent("src/tables", &["chrono::Local", "Local,", "Local}"], never);
}

#[test]
fn an_arrow_runs_one_way() {
    let above = |layers: &[&str]| -> Vec<String> {
        layers.iter().map(|layer| format!("crate::{layer}")).collect()
    };
    for (folder, layers) in [
        (
            "src/rules",
            &[
                "games", "tables", "letters", "story", "terminal", "commands", "config", "desk",
                "discord",
            ][..],
        ),
        (
            "src/games",
            &["tables", "letters", "story", "terminal", "commands", "config", "desk", "discord"],
        ),
        ("src/tables", &["letters", "story", "terminal", "commands", "config", "desk", "discord"]),
        (
            "src/letters",
            &[
                "picture", "page", "story", "terminal", "config", "desk", "store", "panel",
                "discord",
            ],
        ),
        (
            "src/panel",
            &[
                "story", "terminal", "commands", "config", "desk", "store", "clock", "courier",
                "discord",
            ],
        ),
        (
            "src/picture",
            &[
                "story", "terminal", "commands", "config", "desk", "store", "clock", "courier",
                "discord",
            ],
        ),
        (
            "src/page",
            &[
                "story", "terminal", "commands", "config", "store", "clock", "courier", "discord",
                "picture", "panel",
            ],
        ),
        ("src/story", &["terminal", "commands", "config", "desk", "store", "discord"]),
        (
            "src/config",
            &["games", "tables", "letters", "story", "terminal", "commands", "desk", "discord"],
        ),
        (
            "src/store",
            &["letters", "story", "terminal", "commands", "config", "desk", "clock", "discord"],
        ),
        (
            "src/desk",
            &["page", "story", "terminal", "commands", "config", "clock", "courier", "discord"],
        ),
        ("src/clock", &["story", "terminal", "commands", "config", "courier", "discord"]),
        ("src/courier.rs", &["story", "terminal", "commands", "config", "discord"]),
        ("src/counts.rs", &["desk", "store", "letters", "terminal", "config", "clock", "courier"]),
        (
            "src/health.rs",
            &["letters", "story", "terminal", "commands", "config", "courier", "discord"],
        ),
        ("src/discord", &["story", "terminal", "config"]),
    ] {
        let above = above(layers);
        let above: Vec<&str> = above.iter().map(String::as_str).collect();
        assert_absent(folder, &above, is_test);
    }
}

/// Whatever else needs something of the configuration is given it.
#[test]
fn only_the_terminal_names_the_configuration() {
    let may = |path: &Path| path.starts_with("src/terminal") || path.starts_with("src/config");
    assert_absent("src", &["crate::config"], may);
}

#[test]
fn no_module_outside_of_games_names_a_game() {
    let keys: Vec<&str> = GAMES.iter().map(|game| game.key()).collect();
    assert_absent("src", &keys, |path| path.starts_with("src/games") || is_test(path));
    let is_of_a_game =
        |path: &Path| keys.iter().any(|key| path.starts_with(Path::new("templates").join(key)));
    for folder in ["commands", "templates"] {
        assert_absent(folder, &keys, is_of_a_game);
    }
}

/// `docs/verify.md` says which bytes an edition's hash is over. What things are called is no rule:
/// a spelling can be mended while a game is on.
#[test]
fn every_data_file_of_a_game_counts_in_its_edition() {
    for game in GAMES {
        let folder = format!("data/{}", game.key());
        let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut paths: Vec<String> =
            names.map(|name| format!("{folder}/{}", name.to_str().unwrap())).collect();
        paths.retain(|path| !path.ends_with("words.toml"));
        paths.sort();
        let mut hash = Sha256::new();
        for path in paths {
            let bytes = std::fs::read(&path).unwrap();
            hash.update(format!("{path}\n{}\n", bytes.len()));
            hash.update(bytes);
        }
        assert_eq!(<[u8; 32]>::from(hash.finalize()), game.edition().data, "{folder}");
    }
}

#[test]
fn no_sentence_for_players_stands_in_the_sources() {
    let japanese =
        |c: char| ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c);
    let mut found = Vec::new();
    for (path, text) in sources("src") {
        // Samples for checking letters stand for what players write.
        let is_sample = path.starts_with("src/letters/samples") || path.ends_with("samples.rs");
        if is_sample || is_test(&path) {
            continue;
        }
        for (line, code) in code(&text) {
            let code = code.split(" // ").next().unwrap();
            if code.contains('"') && code.contains(japanese) {
                found.push(format!("{}:{}: {}", path.display(), line + 1, code.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn help_and_readme_name_every_command() {
    let read = |file| std::fs::read_to_string(file).unwrap();
    for text in [read("README.md"), read("templates/desk/ja/help.md")] {
        for word in Command::words(Place::Terminal) {
            assert!(text.contains(word), "{word}");
        }
    }
    let english = read("templates/desk/en/help.md");
    for command in Command::at(Place::Terminal) {
        assert!(english.contains(command.name()), "{}", command.name());
    }
}

/// The number behind these words.
fn number_behind(text: &str, words: &str) -> u32 {
    let (_, behind) = text.split_once(words).unwrap_or_else(|| panic!("there is no {words}"));
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// PostgreSQL's own program copies from no server that is newer.
#[test]
fn the_container_can_copy_from_the_server_beside_it() {
    let read = |file| std::fs::read_to_string(file).unwrap();
    let client = number_behind(&read("Dockerfile"), " postgresql-client-");
    let server = number_behind(&read("compose.yaml"), "image: postgres:");
    assert!(client >= server, "pg_dump {client}, server {server}");
}

#[test]
fn the_unit_names_a_document_that_its_installation_puts_there() {
    let unit = std::fs::read_to_string("deploy/shimekiri.service").unwrap();
    let (_, named) = unit.split_once("Documentation=file://").unwrap();
    let named = named.lines().next().unwrap();
    assert!(unit.contains(&format!("-D README.md {named}")), "{named}");
}

#[test]
fn no_file_is_too_long_to_hold_in_the_head() {
    const LINES: usize = 600;
    let long: Vec<String> = sources("src")
        .into_iter()
        .map(|(path, text)| (path, code(&text).count()))
        .filter(|(_, lines)| *lines > LINES)
        .map(|(path, lines)| format!("{}: {lines}", path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}
