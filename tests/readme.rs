//! What README says in tables is what the program is made of.

#![expect(clippy::unwrap_used, reason = "what is not there is a failure of the test")]

use std::fmt::Write;

use shimekiri::commands::{Command, Place};
use shimekiri::discord::permissions::PERMISSIONS;
use shimekiri::rules::text::Lang;

/// With this variable the tables are written instead.
const UPDATE: &str = "SHIMEKIRI_TEST_UPDATE";

/// Holds what stands between two marks of README against what should.
fn holds(table: &str, should: &str) {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let mark = format!("<!-- {table}, written by: {UPDATE}=1 cargo test --test readme -->\n\n");
    let (before, rest) = readme.split_once(&mark).unwrap_or_else(|| panic!("no mark: {mark}"));
    let (stands, after) = rest.split_once("\n<!-- end -->").unwrap();
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write("README.md", format!("{before}{mark}{should}\n<!-- end -->{after}"))
            .unwrap();
    } else {
        assert_eq!(stands, should, "{UPDATE}=1 cargo test --test readme writes it");
    }
}

#[test]
fn the_tables_are_those_of_the_program() {
    // One after the other: they stand in one file.
    holds("commands", &commands());
    holds("permissions", &permissions());
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
        let (discord, terminal) = (cell(Place::Discord, discord), cell(Place::Terminal, terminal));
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
