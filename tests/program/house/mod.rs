//! The rules of the code's structure, checked on the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use desk::commands::{Command, CommandPlace};
use games::GAMES;
use letters::Letters;
use quote::ToTokens;
use sha2::{Digest, Sha256};
use syn::{Expr, ImplItem, Item, Pat, Stmt};

mod source;

use source::{Source, circles};

/// The modules of a crate that only some modules of the same crate may name, each with the modules that it
/// may name. `own` stands for all other modules. Between crates, Cargo checks the dependencies.
const ROOMS: &[(&str, &str, &[&str])] = &[
    ("rules", "data", &[]),
    ("rules", "own", &["data"]),
    ("tables", "time", &[]),
    ("tables", "ids", &[]),
    ("tables", "own", &["time", "ids"]),
    ("store", "whole_file", &[]),
    ("store", "own", &["whole_file"]),
    ("letters", "own", &[]),
    ("letters", "panel", &["own"]),
    ("letters", "picture", &["own"]),
    ("letters", "story", &["own"]),
    ("desk", "commands", &[]),
    ("desk", "counts", &[]),
    ("desk", "own", &["commands"]),
    ("desk", "page", &["own"]),
    ("desk", "conversation", &["own", "commands"]),
    ("desk", "clock", &["own", "counts"]),
    ("desk", "courier", &["own", "clock", "counts"]),
    ("desk", "health", &["own", "clock", "counts"]),
    ("terminal", "config", &[]),
    ("terminal", "own", &["config"]),
];

/// Returns the entry of [`ROOMS`] for a path within its crate.
fn room<'p>(of: &str, path: &'p [String]) -> &'p str {
    let first = path.first().map_or("own", String::as_str);
    let is_room = ROOMS.iter().any(|(name, room, _)| *name == of && *room == first);
    if is_room { first } else { "own" }
}

/// Returns the files of a folder with one of these extensions.
fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if ending.is_some_and(|ending| endings.contains(&ending)) {
                let text = std::fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files.sort();
    files
}

/// Asserts that nothing was found.
fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn an_arrow_runs_one_way() {
    let mut found = Vec::new();
    for source in Source::all() {
        let [of, inside @ ..] = &source.module[..] else { continue };
        let own = room(of, inside);
        let Some((.., may)) = ROOMS.iter().find(|(name, room, _)| name == of && *room == own)
        else {
            continue;
        };
        // The root of a crate lists its modules.
        for named in source.names.iter().filter(|_| !inside.is_empty()) {
            let [root, other, path @ ..] = &named.path[..] else { continue };
            let there = room(of, path);
            if root == "crate" && other == of && there != own && !may.contains(&there) {
                found.push(format!("{}:{}: {there}", source.path.display(), named.line));
            }
        }
    }
    assert_none(&found);
}

/// Files that name each other in a circle can only be understood together. Shared definitions (a type of
/// data, an error, a constant) belong in a file below them.
#[test]
fn few_files_name_each_other_in_a_circle() {
    const FILES: usize = 5;
    const LARGEST: usize = 5;
    let sources = Source::all();
    let circles = circles(sources);
    let told: Vec<String> = circles
        .iter()
        .map(|circle| {
            let paths = circle.iter().map(|source| source.path.display().to_string());
            format!("{}: {}", circle.len(), paths.collect::<Vec<_>>().join(" "))
        })
        .collect();
    let all: usize = circles.iter().map(Vec::len).sum();
    let largest = circles.first().map_or(0, Vec::len);
    let told = told.join("\n");
    assert!(all <= FILES && largest <= LARGEST, "{all} of {}\n{told}", sources.len());
}

/// A count or a number that names something has a type of its own (`src/tables/time.rs`,
/// `src/tables/ids.rs`), so that one cannot be passed as another. The rest are those types themselves and
/// numbers of any size: declared numbers, dice, scores, and counts in the input.
#[test]
fn few_numbers_are_bare() {
    const LINES: usize = 80;
    let sources = Source::all();
    let lines_of = |source: &Source| -> Vec<String> {
        let lines = source.lines_with_type("i64").into_iter();
        lines.map(|line| format!("{}:{line}", source.path.display())).collect()
    };
    let found: Vec<String> = sources.iter().flat_map(lines_of).collect();
    assert!(found.len() <= LINES, "{}\n{}", found.len(), found.join("\n"));
}

/// Names with a type of their own, with the files in which the word has another meaning or input is parsed.
const TYPED: &[(&str, &[&str])] = &[
    ("code", &["src/rules", "src/store/database/error.rs", "src/discord/controls/control.rs"]),
    ("account", &[]),
    ("address", &["src/terminal/texts.rs"]),
    (
        "place",
        &["src/terminal/texts.rs", "src/discord/bot/token.rs", "src/discord/controls/control.rs"],
    ),
];

/// A text can mean anything, so the compiler cannot find one that is passed in place of another.
#[test]
fn what_has_a_type_is_passed_on_as_no_text() {
    let mut found = Vec::new();
    for source in Source::all() {
        for (name, elsewhere) in TYPED {
            if !elsewhere.iter().any(|place| source.is_in(place)) {
                let lines = source.lines_with_text(name).into_iter();
                found.extend(lines.map(|line| format!("{}:{line}: {name}", source.path.display())));
            }
        }
    }
    assert_none(&found);
}

/// The events without a letter, or with a letter under another name.
const TOLD_OTHERWISE: &[&str] = &[
    "Acted",
    "Dealt",
    "Formed",
    "Joined",
    "Kept",
    "Left",
    "Overridden",
    "Replaced",
    "Seated",
    "SettingsChanged",
];

/// Every event has an arm of its own for its visibility, and a template or an entry in the list above.
#[test]
fn of_every_event_it_is_said_who_may_know_what_and_how_it_is_told() {
    let text = std::fs::read_to_string("src/desk/record/event.rs").unwrap();
    let items = syn::parse_file(&text).unwrap().items;
    let event = items.iter().find_map(|item| match item {
        Item::Enum(item) if item.ident == "Event" => Some(item),
        _ => None,
    });
    let event = event.expect("there are events");
    let methods = items.iter().filter_map(|item| match item {
        Item::Impl(item) => Some(&item.items),
        _ => None,
    });
    let visible_to = methods.flatten().find_map(|item| match item {
        ImplItem::Fn(method) if method.sig.ident == "visible_to" => Some(&method.block.stmts),
        _ => None,
    });
    let arms =
        visible_to.expect("visible_to is there").iter().find_map(|statement| match statement {
            Stmt::Expr(Expr::Match(decided), _) => Some(&decided.arms),
            _ => None,
        });
    let patterns: Vec<&Pat> = arms.expect("it decides").iter().map(|arm| &arm.pat).collect();
    let is_wild = |pattern: &&&Pat| matches!(pattern, Pat::Wild(_) | Pat::Ident(_));
    assert_eq!(patterns.iter().filter(is_wild).count(), 0, "each is spelled out");
    let patterns: String = patterns.iter().map(|pat| pat.to_token_stream().to_string()).collect();
    let letters = Letters::built_in().texts();
    let mut found = Vec::new();
    for name in event.variants.iter().map(|variant| variant.ident.to_string()) {
        if !patterns.contains(&format!("Self :: {name} ")) {
            found.push(format!("who may know what of {name}?"));
        }
        let letter = |word: String, letter: char| match letter.is_uppercase() {
            true if word.is_empty() => letter.to_lowercase().to_string(),
            true => format!("{word}_{}", letter.to_lowercase()),
            false => format!("{word}{letter}"),
        };
        let template = format!("table/en/{}.md", name.chars().fold(String::new(), letter));
        if letters.contains_key(&template) == TOLD_OTHERWISE.contains(&name.as_str()) {
            found.push(format!("is {name} told by {template}?"));
        }
    }
    assert_none(&found);
}

/// The layers of the desk, the lowest first: each may name those before it.
const FLOORS: &[&str] = &[
    "model",
    "record",
    "absence",
    "window",
    "table",
    "view",
    "overrides",
    "person",
    "audit",
    "tick",
];

#[test]
fn in_the_desk_an_arrow_runs_down() {
    let floor = |name: &str| FLOORS.iter().position(|floor| *floor == name);
    let mut found = Vec::new();
    for source in Source::all() {
        let [desk, own, ..] = &source.module[..] else { continue };
        if desk != "desk" || room(desk, &source.module[1..]) != "own" {
            continue;
        }
        let own = floor(own).unwrap_or_else(|| panic!("which floor is {own}?"));
        for named in &source.names {
            let [root, desk, other, ..] = &named.path[..] else { continue };
            let is_floor = root == "crate" && desk == "desk" && other != "commands";
            if is_floor && floor(other).is_none_or(|other| other > own) {
                found.push(format!("{}:{}: {other}", source.path.display(), named.line));
            }
        }
    }
    assert_none(&found);
}

/// Files that name I/O types only to convert them: faults of data files, times of the standard library, and
/// database columns.
const LEAVES: &[&str] =
    &["src/rules/data.rs", "src/rules/columns.rs", "src/tables/columns.rs", "src/tables/time.rs"];

#[test]
fn rules_games_and_tables_read_no_clock_and_touch_nothing() {
    let outside = [
        "fs",
        "io",
        "net",
        "env",
        "process",
        "thread",
        "time",
        "Instant",
        "SystemTime",
        "Utc",
        "Local",
        "minijinja",
        "rustyline",
        "clap",
        "tokio",
        "sqlx",
        "serenity",
    ];
    let sources = Source::all();
    let not = |places: &[&str], names: &[&str]| {
        let mut found = Vec::new();
        for source in sources {
            let is_leaf = LEAVES.iter().any(|leaf| source.is_in(leaf));
            if is_leaf || !places.iter().any(|place| source.is_in(place)) {
                continue;
            }
            for named in &source.names {
                // The program's own names, and variants of its types, may be the same words.
                let is_ours = named.path[0] == "crate";
                let of_a_type = named.path[0].starts_with(char::is_uppercase);
                let told = if of_a_type { &named.path[..1] } else { &named.path[..] };
                let names_it = |name: &&&str| !is_ours && told.iter().any(|part| part == **name);
                if let Some(name) = names.iter().find(names_it) {
                    found.push(format!("{}:{}: {name}", source.path.display(), named.line));
                }
            }
        }
        assert_none(&found);
    };
    not(&["src/rules", "src/games", "src/tables"], &outside);
    // A panel's texts are templates, but the panel has no other I/O.
    let panel: Vec<&str> = outside.into_iter().filter(|word| *word != "minijinja").collect();
    not(&["src/letters/panel"], &panel);
    // A pace needs a calendar; a game does not.
    not(&["src/rules", "src/games"], &["chrono"]);
}

#[test]
fn no_module_outside_of_games_names_a_game() {
    let keys: Vec<&str> = GAMES.iter().map(|game| game.key()).collect();
    let mut found = Vec::new();
    for source in Source::all() {
        if source.is_in("src/games") {
            continue;
        }
        for word in &source.words {
            if keys.iter().any(|key| word.text.contains(key)) {
                found.push(format!("{}:{}: {}", source.path.display(), word.line, word.text));
            }
        }
    }
    for (path, text) in
        ["commands", "templates"].iter().flat_map(|folder| files(folder, &["toml", "md"]))
    {
        if !keys.iter().any(|key| path.starts_with(Path::new("templates").join(key)))
            && let Some(key) = keys.iter().find(|key| text.contains(**key))
        {
            found.push(format!("{}: {key}", path.display()));
        }
    }
    assert_none(&found);
}

/// The data files of a game with words and texts, which an edition's hash leaves out (`docs/verify.md`):
/// names and descriptions of cards are not rules, so a spelling can be corrected during a game.
const TOLD: [&str; 3] = ["words.toml", "cards.toml", "effects.toml"];

/// Returns the paths of all files below a folder.
fn files_below(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: std::path::PathBuf| {
        if path.is_dir() { files_below(&path) } else { vec![path.to_str().unwrap().to_owned()] }
    };
    entries.flat_map(below).collect()
}

#[test]
fn every_data_file_of_a_game_counts_in_its_edition() {
    for game in GAMES {
        let folder = format!("data/{}", game.key());
        let mut paths = files_below(Path::new(&folder));
        // Words and texts decide nothing, and a set is bound to its tables by its own hash.
        let is_told = |path: &str| TOLD.iter().any(|name| path.ends_with(name));
        let is_set = |path: &str| path.contains("/sets/");
        paths.retain(|path| !is_told(path) && !is_set(path));
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
    let is_japanese =
        |c: char| ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c);
    let mut found = Vec::new();
    for source in Source::all() {
        // Samples for checking letters stand for players' input.
        if source.is_in("src/letters/checking/samples") || source.path.ends_with("samples.rs") {
            continue;
        }
        // A single character is grammar: a separator, a counter or a bracket in players' input.
        let words = source.words.iter().filter(|word| !word.text.starts_with('\''));
        for word in words.filter(|word| word.text.contains(is_japanese)) {
            found.push(format!("{}:{}: {}", source.path.display(), word.line, word.text));
        }
    }
    assert_none(&found);
}

/// A letter's context is a type, so that no field can be forgotten where it is written.
#[test]
fn no_letter_is_written_from_a_context_made_up_on_the_spot() {
    let mut found = Vec::new();
    for source in Source::all().iter().filter(|source| !source.is_in("src/letters")) {
        let calls = |pair: &[source::Word]| pair[0].text == "letters" && pair[1].text == "letter";
        for pair in source.words.windows(2).filter(|pair| calls(pair)) {
            found.push(format!("{}:{}", source.path.display(), pair[0].line));
        }
    }
    assert_none(&found);
}

#[test]
fn help_and_the_guides_name_every_command() {
    let read = |file: &str| std::fs::read_to_string(file).unwrap();
    let guides =
        ["docs/ja/playing.md", "docs/ja/hosting.md", "docs/en/playing.md", "docs/en/hosting.md"];
    let letters = Letters::built_in().texts();
    for text in [guides.map(read).concat(), letters["desk/ja/help.md"].clone()] {
        for word in Command::words(CommandPlace::Terminal) {
            assert!(text.contains(word), "{word}");
        }
    }
    let english = &letters["desk/en/help.md"];
    for command in Command::at(CommandPlace::Terminal) {
        assert!(english.contains(command.name()), "{}", command.name());
    }
}

/// Returns the number after a text.
fn number_behind(text: &str, words: &str) -> u32 {
    let (_, behind) = text.split_once(words).unwrap_or_else(|| panic!("there is no {words}"));
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// PostgreSQL's own program cannot back up a newer server.
#[test]
fn the_container_can_copy_from_the_server_beside_it() {
    let read = |file| std::fs::read_to_string(file).unwrap();
    let client = number_behind(&read("Dockerfile"), " postgresql-client-");
    let server = number_behind(&read("compose.yaml"), "image: postgres:");
    assert!(client >= server, "pg_dump {client}, server {server}");
}

/// The released image is that of this version.
#[test]
fn the_container_runs_this_version() {
    let compose = std::fs::read_to_string("compose.yaml").unwrap();
    let image = concat!("shimekiri:", env!("CARGO_PKG_VERSION"), "}");
    assert!(compose.contains(image), "compose.yaml: no image {image}");
}

#[test]
fn the_unit_names_a_document_that_its_installation_puts_there() {
    let unit = std::fs::read_to_string("deploy/shimekiri.service").unwrap();
    let (_, named) = unit.split_once("Documentation=file://").unwrap();
    let named = named.lines().next().unwrap();
    assert!(unit.contains(&format!("-D docs/en/operating.md {named}")), "{named}");
}

/// ARCHITECTURE.md is short enough for a new reader, and names only existing things.
#[test]
fn the_walk_through_the_house_is_short_and_names_what_is_there() {
    const LINES: usize = 280;
    let text = std::fs::read_to_string("ARCHITECTURE.md").unwrap();
    assert!(text.lines().count() < LINES, "{}", text.lines().count());
    let (_, walk) = text.split_once("## The life of one declaration\n").unwrap();
    let (walk, _) = walk.split_once("\n## ").unwrap();
    let words: BTreeSet<&str> =
        Source::all().iter().flat_map(|source| &source.words).map(|word| &*word.text).collect();
    let is_word = |part: &str| words.contains(part);
    let is_there = |name: &str| match name.rsplit_once('.') {
        Some((_, "rs" | "md" | "toml")) => {
            ["src", "docs", "templates", "."].iter().any(|at| Path::new(at).join(name).exists())
        }
        _ => name.split("::").all(is_word),
    };
    let is_name = |name: &&str| {
        let mut letters = name.chars();
        letters.all(|letter| letter.is_ascii_alphabetic() || "_:/.".contains(letter))
    };
    let named = walk.split('`').skip(1).step_by(2).filter(is_name);
    let gone: Vec<String> = named.filter(|name| !is_there(name)).map(str::to_owned).collect();
    assert_none(&gone);
}

/// A folder must be small enough to survey.
#[test]
fn no_folder_holds_too_many_files() {
    const FILES: usize = 25;
    let mut folders: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for source in Source::all() {
        *folders.entry(source.path.parent().unwrap().to_owned()).or_default() += 1;
    }
    let full = folders.iter().filter(|(_, files)| **files > FILES);
    let full: Vec<String> =
        full.map(|(folder, files)| format!("{}: {files}", folder.display())).collect();
    assert_none(&full);
}

#[test]
fn no_file_is_too_long_to_hold_in_the_head() {
    const LINES: usize = 600;
    let long = Source::all().iter().filter(|source| source.lines > LINES);
    assert_none(
        &long
            .map(|source| format!("{}: {}", source.path.display(), source.lines))
            .collect::<Vec<_>>(),
    );
}

/// Types with methods in more than [`FILES`](few_files_hold_the_methods_of_a_type) files, and in how many.
const SPREAD: &[(&str, usize)] = &[
    ("discord::Threads", 6),
    ("letters::Letters", 13),
    ("rules::Contest", 5),
    ("rules::DeclarationReader", 9),
    ("rules::Referee", 5),
    ("tables::Pace", 5),
];

/// Types that pass through the whole program: what only some places need is a function that takes them.
const PASSED: &[&str] = &[
    "desk::Decision",
    "desk::Desk",
    "discord::InteractionHandler",
    "store::Session",
    "store::Touched",
];

/// The methods of a type are read together: elsewhere, a function takes the type.
#[test]
fn few_files_hold_the_methods_of_a_type() {
    const FILES: usize = 4;
    const METHODS: usize = 25;
    let mut spread: BTreeMap<String, Vec<(&Path, usize)>> = BTreeMap::new();
    for source in Source::all().iter().filter(|source| !source.is_in("src/games")) {
        for (name, methods) in &source.methods {
            let name = format!("{}::{name}", source.module[0]);
            spread.entry(name).or_default().push((&source.path, *methods));
        }
    }
    let mut found = Vec::new();
    for (name, places) in spread {
        let most =
            SPREAD.iter().find(|(other, _)| *other == name).map_or(FILES, |(_, files)| *files);
        if places.len() > most {
            found.push(format!("{name}: {} of {most}: {places:?}", places.len()));
        }
        let methods: usize = places.iter().map(|(_, methods)| methods).sum();
        if PASSED.contains(&&*name) && methods > METHODS {
            found.push(format!("{name} has {methods} methods"));
        }
    }
    assert_none(&found);
}

/// Games may use the same names for their own types.
#[test]
fn a_name_stands_for_one_public_type() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in Source::all().iter().filter(|source| !source.is_in("src/games")) {
        for item in source.public.iter().filter(|item| item.is_type) {
            let place = format!("{}:{}", source.path.display(), item.line);
            places.entry(item.name.clone()).or_default().push(place);
        }
    }
    // Each crate may have an alias for the results of its usual error, as `std::io` has.
    places.remove("Result");
    let several = places.into_iter().filter(|(_, at)| at.len() > 1);
    let found: Vec<String> =
        several.map(|(name, at)| format!("{name}: {}", at.join(", "))).collect();
    assert_none(&found);
}

/// Public items explain their purpose, units, errors and clause; fields and variants with a clear name need
/// no words.
#[test]
fn whatever_is_public_is_explained() {
    let mut found = Vec::new();
    for source in Source::all() {
        for item in source.public.iter().filter(|item| !item.is_explained) {
            found.push(format!("{}:{}", source.path.display(), item.line));
        }
    }
    assert_none(&found);
}

/// File names must work on every system, and in every shell.
#[test]
fn names_of_files_are_plain() {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/".contains(letter);
    let named = files("tests", &["snap", "txt", "rs", "toml", "md"]);
    let paths = named.iter().map(|(path, _)| path.display().to_string());
    assert_none(&paths.filter(|path| !path.chars().all(is_plain)).collect::<Vec<_>>());
}

/// A comment begins with a noun or a verb. Help texts of the command line are not among the comments.
#[test]
fn no_comment_begins_with_a_question_word() {
    const WORDS: [&str; 12] = [
        "What", "Who", "Whom", "Whose", "How", "Whether", "When", "Where", "Which", "Why",
        "Of whom", "By which",
    ];
    const HELP: [&str; 2] = ["src/terminal/play/arguments.rs", "src/terminal/simulate.rs"];
    let mut found = Vec::new();
    for (path, text) in ["src", "tests", "benches"].iter().flat_map(|folder| files(folder, &["rs"]))
    {
        if HELP.iter().any(|help| path.ends_with(help)) {
            continue;
        }
        for (line, number) in text.lines().zip(1..) {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            let comment = comment.trim_start_matches(['/', '!']).trim_start();
            let begins = |word: &&&str| {
                comment.strip_prefix(**word).is_some_and(|rest| rest.starts_with([' ', ',']))
            };
            if let Some(word) = WORDS.iter().find(begins) {
                found.push(format!("{}:{number}: begins with {word}", path.display()));
            }
        }
    }
    assert_none(&found);
}
