//! Every story holds, and together they cover every clause.

use std::collections::{BTreeMap, BTreeSet};

use games::{self, GAMES};
use letters::Letters;
use letters::story::{self, Story, StoryOutcome};
use rules::text::Lang;
use sha2::{Digest, Sha256};

fn stories(game: &str) -> Vec<(String, Story)> {
    let folder = format!("tests/stories/{game}");
    let files = std::fs::read_dir(kit::in_root(&folder)).unwrap();
    let mut names: Vec<String> = files
        .map(|file| format!("{folder}/{}", file.unwrap().file_name().to_str().unwrap()))
        .collect();
    names.sort();
    let read = |name: String| {
        let text = kit::text_of(&name);
        let story = story::parse(&name, &text).unwrap_or_else(|fault| panic!("{fault}"));
        (name, story)
    };
    names.into_iter().map(read).collect()
}

/// Returns the clauses of a game's public rules, as numbered in its document.
fn clauses(rules: &str) -> BTreeSet<String> {
    let heads = rules.lines().filter_map(|line| line.strip_prefix("**"));
    let numbers = heads.filter_map(|line| line.split_once("**")).map(|(number, _)| number);
    let is_clause = |number: &&str| number.contains('.') && number.ends_with(char::is_numeric);
    numbers.filter(is_clause).map(str::to_owned).collect()
}

/// Returns the differences from all stories of a game.
fn differences_of(game: &str) -> Vec<String> {
    let letters = Letters::built_in();
    let mut differences = Vec::new();
    for (name, story) in stories(game) {
        let outcome = story::run(&story, &letters);
        let of_story = outcome.differences.iter();
        differences.extend(of_story.map(|it| format!("{name}:{}: {}", it.line, it.what)));
    }
    differences
}

#[test]
fn every_story_holds() {
    // The games side by side, for there are many stories.
    let differences: Vec<String> = std::thread::scope(|scope| {
        let told = GAMES.iter().map(|game| scope.spawn(|| differences_of(game.key())));
        let told: Vec<_> = told.collect();
        told.into_iter().flat_map(|told| told.join().unwrap()).collect()
    });
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_clause_is_met_by_a_story_that_names_it() {
    for game in GAMES {
        let named: BTreeSet<String> = stories(game.key())
            .iter()
            .flat_map(|(_, story)| story.clauses.iter().map(ToString::to_string))
            .collect();
        let missing: Vec<String> =
            clauses(game.rules()).into_iter().filter(|clause| !named.contains(clause)).collect();
        assert_eq!(missing, Vec::<String>::new(), "{}: clauses without a story", game.key());
    }
}

#[test]
fn a_story_that_says_something_else_fails() {
    let letters = Letters::built_in();
    let (name, _) = &stories("eitsuku")[0];
    let text = kit::text_of(name);
    let wrong = text.replacen("close\n", "close\n  ! P1 3.card by-die 役者6 E4.2\n", 1);
    let story = story::parse(name, &wrong).unwrap();
    let outcome = story::run(&story, &letters);
    assert!(outcome.differences.iter().any(|it| it.what.contains("P1 3.card by-die 役者6 E4.2")));
}

#[test]
fn a_die_that_nobody_throws_fails_its_story() {
    let name = "tests/stories/gangster_paradise/katana-needs-no-bullet.txt";
    let text = kit::text_of(name);
    let wrong = text.replacen("P1: KATANA", "die P2 random.card 1\nP1: KATANA", 1);
    let outcome = story::run(&story::parse(name, &wrong).unwrap(), &Letters::built_in());
    let told: Vec<&str> = outcome.differences.iter().map(|it| it.what.as_str()).collect();
    assert_eq!(told, ["P2:random.card is not thrown"]);
}

/// Returns the first 16 digits of a text's hash.
fn hash(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes())[..8])
}

#[test]
fn every_sentence_of_the_rulings_is_quoted_by_a_story_or_listed_with_its_reason() {
    let [rulings, list] = ["rulings.txt", "rulings_without_a_story.txt"]
        .map(|name| kit::text_of(&format!("tests/data/{name}")));
    let is_entry = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let rulings: Vec<Vec<&str>> =
        rulings.lines().filter(is_entry).map(|line| line.split(' ').collect()).collect();
    let covering: BTreeSet<&str> = rulings.iter().flatten().copied().collect();
    let listed: BTreeSet<String> = list.lines().filter(is_entry).map(hash).collect();
    let stories = stories("gangster_paradise");
    let quoted: BTreeSet<String> =
        stories.iter().flat_map(|(_, story)| &story.quotes).map(|quote| hash(quote)).collect();

    let mut faults = Vec::new();
    for quote in stories.iter().flat_map(|(_, story)| &story.quotes) {
        if !covering.contains(hash(quote).as_str()) {
            faults.push(format!("no sentence of the rulings has {quote:?}"));
        }
    }
    for entry in list.lines().filter(is_entry) {
        if !covering.contains(hash(entry).as_str()) {
            faults.push(format!("no sentence begins with {entry:?}"));
        }
    }
    for (place, by) in rulings.iter().enumerate() {
        let is_in = |hashes: &BTreeSet<String>| by.iter().any(|hash| hashes.contains(*hash));
        if is_in(&quoted) == is_in(&listed) {
            faults.push(format!("sentence {}: both quoted and listed, or neither", place + 1));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// True if a card is named, and not only within the longer name of another.
fn names(text: &str, card: &str, cards: &[&str]) -> bool {
    let is_longer = |other: &&&str| **other != card && other.contains(card);
    let without = cards.iter().filter(is_longer);
    without.fold(text.to_owned(), |text, other| text.replace(other, "")).contains(card)
}

/// True if a story lacks what a column of the table of cards promises.
fn is_wanting(column: &str, outcome: &StoryOutcome, is_named: impl Fn(&str) -> bool) -> bool {
    let mut events = outcome.produced.iter().flat_map(|produced| &produced.events);
    let is_of = |event: &str, kinds: &[&str]| kinds.iter().any(|kind| event.starts_with(kind));
    match column {
        "used" => !events.any(|event| is_of(event, &["* revealed-life"]) || is_named(event)),
        "answered" => {
            let answers = ["* reacted", "* made-decoy", "* answered", "* lost-life"];
            !events.any(|event| is_of(event, &answers))
        }
        _ => {
            let is_stopped = outcome.produced.iter().any(|produced| {
                let refused = produced.states.iter().any(|state| state == "refused");
                refused || !produced.rulings.is_empty()
            });
            let last = outcome.produced.last().map(|last| &last.events);
            let reacts = |event: &String| event.starts_with("* reacted") && is_named(event);
            !is_stopped && last.is_some_and(|events| events.iter().any(reacts))
        }
    }
}

#[test]
fn every_card_is_used_answered_misused_and_impossible() {
    let lexicon = games::find("gangster_paradise").unwrap().lexicon();
    let table = kit::text_of("tests/stories/gangster_paradise.md");
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut rows = table.lines().filter(|line| line.starts_with("| ")).map(cells);
    let columns = rows.next().unwrap();
    let rows: Vec<Vec<String>> = rows.filter(|row| row[0] != "---").collect();
    let ids: Vec<&str> = lexicon.ids("card").map(AsRef::as_ref).collect();
    let cards: Vec<&str> = ids.iter().map(|id| lexicon.name(id, Lang::Ja)).collect();
    let rows_of: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let in_english: Vec<&str> = ids.iter().map(|id| lexicon.name(id, Lang::En)).collect();
    assert_eq!(rows_of, in_english, "a row for each card");

    let (letters, stories) = (Letters::built_in(), stories("gangster_paradise"));
    let mut outcomes = BTreeMap::new();
    let mut faults = Vec::new();
    for (row, card) in rows.iter().zip(&cards) {
        let is_named = |text: &str| names(text, card, &cards);
        let cells = columns.iter().zip(row).skip(1);
        for (column, cell) in cells.filter(|(_, cell)| !cell.starts_with('(')) {
            let file = format!("tests/stories/gangster_paradise/{cell}.txt");
            let Some((_, story)) = stories.iter().find(|(name, _)| *name == file) else {
                faults.push(format!("{card}, {column}: there is no {file}"));
                continue;
            };
            let outcome = outcomes.entry(cell).or_insert_with(|| story::run(story, &letters));
            let text = kit::text_of(&file);
            let is_about = is_named(&text) || column == "answered";
            if !is_about || is_wanting(column, outcome, is_named) {
                faults.push(format!("{card}, {column}: {cell} does not show it"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the differences of a story of The Gang after one replacement in its text.
fn differences(name: &str, that: &str, this: &str) -> String {
    let file = format!("tests/stories/the_gang/{name}.txt");
    let text = kit::text_of(&file);
    assert!(text.contains(that), "{file} has no {that:?}");
    let story = story::parse(&file, &text.replacen(that, this, 1)).unwrap();
    let outcome = story::run(&story, &Letters::built_in());
    outcome.differences.into_iter().map(|it| it.what).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_done_at_once_is_compared_where_it_happens() {
    let differ = |that, this| differences("live-a-round", that, this);
    assert_eq!(differ("* took P1 star=3", "* took P1 star=3"), "");
    assert!(
        differ("* took P1 star=3", "* took P1 star=2").contains("did not happen: * took P1 star=2")
    );
    assert!(differ("  refused\n", "").contains("is refused: OK"));
    assert!(differ("* took P1 star=3", "refused").contains("is not so: refused"));
    assert!(differ("取る ★3", "取る ★7").contains("is refused: 取る ★7"));
}

#[test]
fn what_is_done_at_once_stands_before_what_is_declared_and_in_a_window_that_closes() {
    let parse = |scene: &str| story::parse("the_gang/x.txt", &format!("seats: 3\ngiven\n{scene}"));
    let fault = |scene| parse(scene).unwrap_err().to_string();
    assert!(parse("P1 acts: OK\nP1: ★1\nclose\n").is_ok());
    assert!(fault("P1: ★1\nP1 acts: OK\nclose\n").contains("x.txt:4: P1 acts after somebody"));
    assert!(fault("P1 acts: OK\n").contains("x.txt:3: P1 acts in a window that never closes"));
    assert!(fault("P4 acts: OK\nclose\n").contains("x.txt:3: \"P4\" is no seat"));
}
