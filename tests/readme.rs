//! What README says in tables is what the program is made of.

#![expect(clippy::unwrap_used, reason = "what is not there is a failure of the test")]

use std::fmt::Write;

use shimekiri::commands::{Command, CommandPlace};
use shimekiri::discord::permissions::PERMISSIONS;
use shimekiri::rules::text::Lang;

#[path = "support/written.rs"]
mod written;

use written::{Part, UPDATE};

/// Holds what stands in a part of README against what should.
fn holds(name: &str, should: &str) {
    let part = Part::of("README.md", name, "test --test readme").unwrap();
    if written::is_updated() {
        part.write(should).unwrap();
    } else {
        assert_eq!(part.stands, should, "{UPDATE}=1 cargo test --test readme writes it");
    }
}

#[test]
fn the_tables_are_those_of_the_program() {
    // One after the other: they stand in one file.
    holds("commands", &commands());
    holds("permissions", &permissions());
    holds("figures", &figures());
}

/// Those that say most, out of the document where all of them stand.
const FIGURES: [(&str, &str); 3] = [
    ("answers, Discord", "acknowledged after, 99 %"),
    ("storm, SQLite", "10,000 tables due"),
    ("sealing, SQLite", "sealings a second"),
];

fn figures() -> String {
    let document = std::fs::read_to_string("docs/figures.md").unwrap();
    let mut table = "| figure | value |\n| --- | ---: |\n".to_owned();
    for (name, begins) in FIGURES {
        let part = document.split_once(&format!("<!-- {name}, ")).unwrap().1;
        let line = part.lines().find(|line| line.starts_with(&format!("| {begins}"))).unwrap();
        writeln!(table, "{line}").unwrap();
    }
    table
}

fn commands() -> String {
    let mut table =
        "| Discord | terminal | する事 | what it does |\n| --- | --- | --- | --- |\n".to_owned();
    let is_at = |place, command| Command::at(place).any(|known| known == command);
    for command in Command::ALL.iter().copied() {
        let manifest = command.manifest();
        let discord = Lang::ALL.map(|lang| format!("`/{}`", command.called(lang)));
        let terminal = Lang::ALL.map(|lang| format!("`{}`", manifest.called(lang)));
        let cell = |place, words: [String; 2]| {
            let [one, other] = &words;
            match is_at(place, command) {
                true if one == other => one.clone(),
                true => words.join(" "),
                false => String::new(),
            }
        };
        let (ja, en) = (manifest.described(Lang::Ja), manifest.described(Lang::En));
        for below in manifest.below() {
            let called = |lang| format!("`/{} {}`", command.called(lang), below.called(lang));
            let discord = Lang::ALL.map(called).join(" ");
            let (ja, en) = (below.described(Lang::Ja), below.described(Lang::En));
            writeln!(table, "| {discord} |  | {ja} | {en} |").unwrap();
        }
        if manifest.below().next().is_some() {
            continue;
        }
        let (discord, terminal) =
            (cell(CommandPlace::Discord, discord), cell(CommandPlace::Terminal, terminal));
        writeln!(table, "| {discord} | {terminal} | {ja} | {en} |").unwrap();
    }
    table
}

fn permissions() -> String {
    let mut table = "| permission | 権限 | なぜ | why |\n| --- | --- | --- | --- |\n".to_owned();
    for permission in PERMISSIONS.iter() {
        let (name, why) = (&permission.name, &permission.why);
        let (ja, en) = (Lang::Ja, Lang::En);
        writeln!(table, "| {} | {} | {} | {} |", name.of(en), name.of(ja), why.of(ja), why.of(en))
            .unwrap();
    }
    table
}
