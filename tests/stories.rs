//! Every story holds, and together they meet every clause.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use shimekiri::games::GAMES;
use shimekiri::letters::Letters;
use shimekiri::story::{self, Story};

fn stories(game: &str) -> Vec<(String, Story)> {
    let folder = PathBuf::from("tests/stories").join(game);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(&file).unwrap();
        let story = story::parse(&name, &text).unwrap_or_else(|fault| panic!("{fault}"));
        (name, story)
    };
    files.into_iter().map(read).collect()
}

/// The clauses of a game's public rules, as its document numbers them.
fn clauses(rules: &str) -> BTreeSet<String> {
    let heads = rules.lines().filter_map(|line| line.strip_prefix("**"));
    let numbers = heads.filter_map(|line| line.split_once("**")).map(|(number, _)| number);
    let is_clause = |number: &&str| number.contains('.') && number.ends_with(char::is_numeric);
    numbers.filter(is_clause).map(str::to_owned).collect()
}

#[test]
fn every_story_holds() {
    let letters = Letters::built_in();
    let mut differences = Vec::new();
    for game in GAMES {
        for (name, story) in stories(game.key()) {
            let outcome = story::run(&story, &letters);
            let of_story = outcome.differences.iter();
            differences.extend(of_story.map(|it| format!("{name}:{}: {}", it.line, it.what)));
        }
    }
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
    let text = std::fs::read_to_string(name).unwrap();
    let wrong = text.replacen("close\n", "close\n  ! P1 3.card by-die 役者6 E4.2\n", 1);
    let story = story::parse(name, &wrong).unwrap();
    let outcome = story::run(&story, &letters);
    assert!(outcome.differences.iter().any(|it| it.what.contains("P1 3.card by-die 役者6 E4.2")));
}
