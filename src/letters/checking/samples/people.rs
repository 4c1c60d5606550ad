//! What people are told about themselves on Discord, each with what it could tell.

use serde_json::{Value as Json, json};

use crate::games::GAMES;
use crate::letters::checking::samples::moment;

/// What somebody is told about themselves: tables of every stage, and of every progress.
pub(super) fn person() -> Vec<(&'static str, Json)> {
    let table = |stage: &str, host: bool, held: bool, progress: Option<&str>, shut: bool| {
        json!({
            "code": "ABCDE",
            "game": GAMES[0].key(),
            "thread": host.then_some("1"),
            "stage": stage,
            "held": held.then_some("outage"),
            "host": host,
            "seat": progress.map(|_| 0),
            "taken": 1,
            "chairs": 4,
            "progress": progress,
            "closes": (!shut).then(moment),
            "announced": shut.then(moment),
        })
    };
    let mut tables = vec![
        table("forming", true, false, None, false),
        table("forming", false, false, Some("nothing-to-declare"), false),
        table("playing", true, true, None, false),
        table("playing", true, false, None, false),
        table("playing", false, false, Some("draft"), true),
        table("over", false, false, Some("nothing-to-declare"), false),
    ];
    let progress =
        ["nothing-to-declare", "nothing-declared", "draft", "sealed-incomplete", "sealed-complete"];
    tables.extend(progress.map(|one| table("playing", false, false, Some(one), false)));
    let mut said = vec![("list", json!({ "tables": tables }))];
    for known in [true, false] {
        said.push(("erase", json!({ "known": known, "tables": tables })));
        said.extend(["export", "erased"].map(|name| (name, json!({ "known": known }))));
    }
    said
}

/// Help for everybody there can be at a table, and without one.
pub(super) fn help() -> Vec<(&'static str, Json)> {
    let names = [
        "act",
        "away",
        "close",
        "declare",
        "end",
        "hand",
        "join",
        "leave",
        "log",
        "my",
        "new",
        "resume",
        "seal",
        "settings",
        "show",
        "start",
        "substitute",
        "withdraw",
    ];
    let called: serde_json::Map<String, Json> =
        names.iter().map(|name| ((*name).to_owned(), json!(name))).collect();
    let mut said = Vec::new();
    for stage in ["forming", "playing", "over"] {
        for (host, seat) in [(true, Some(0)), (false, Some(0)), (false, None)] {
            let help = json!({
                "code": "ABCDE",
                "stage": stage,
                "held": host.then_some("outage"),
                "host": host,
                "seat": seat,
                "openly": host,
                "called": called,
                "commands": names,
            });
            said.push(("help", help));
        }
    }
    let alone = json!({
        "code": null,
        "stage": null,
        "held": null,
        "host": false,
        "seat": null,
        "openly": false,
        "called": called,
        "commands": names,
    });
    said.push(("help", alone));
    said
}
