//! What is said on Discord only.

use serde_json::{Value as Json, json};

use super::moment;
use crate::games::GAMES;

/// Everything that is said on Discord only, each with what it could tell.
pub fn discord() -> Vec<(&'static str, Json)> {
    let post = |stage: &str, past: bool, closed: bool, held: bool, hidden: bool| {
        json!({
            "stage": stage,
            "code": "ABCDE",
            "past": past,
            "closed": closed,
            "held": held.then_some("outage"),
            "open": held,
            "chairs": [0, 1],
            "taken": [0, 1],
            "house": [1],
            "gathering": stage == "forming",
            "options": ["x"],
            "gone": closed.then(|| json!({
                "window": i32::from(!held),
                "suspended": held,
                "awaited": if hidden { vec![0] } else { Vec::new() },
                "missing": 1,
            })),
            "pace": "daily 21:00",
            "window": 1,
            "suspended": hidden,
            "standing": {
                "seats": [
                    { "seat": 0, "progress": "draft" },
                    { "seat": 1, "progress": "sealed-complete" },
                ],
                "hidden": hidden,
                "count": closed.then(|| json!({ "sealed": 1, "asked": 2 })),
                "closes": (!held).then(moment),
            },
            "announced": moment(),
            "commitment": "00ff",
            "asked": ["1"],
        })
    };
    let mut said = vec![
        ("post", post("forming", false, false, false, false)),
        ("post", post("playing", false, false, false, false)),
        ("post", post("playing", false, true, false, true)),
        ("post", post("playing", false, false, true, false)),
        ("post", post("playing", true, false, false, false)),
        ("post", post("playing", true, true, false, false)),
        ("post", post("playing", true, true, true, true)),
        ("post", post("forming", true, false, false, false)),
        ("post", post("over", false, false, false, false)),
        ("moved", json!({})),
        ("typed", json!({ "lines": ["3A", "4B"] })),
        ("sealed", json!({})),
        ("done", json!({})),
        ("options", json!({ "why": "too many" })),
        ("no_server", json!({})),
        (
            "which",
            json!({ "tables": [{ "code": "ABCDE", "thread": "1" }, { "code": "FGHJK", "thread": null }] }),
        ),
        ("seats", json!({ "least": 2, "most": 6, "said": 7 })),
        ("failed", json!({ "forbidden": true })),
        ("failed", json!({ "forbidden": false })),
        ("thread", json!({ "host": "桜" })),
        ("formed", json!({ "code": "ABCDE", "thread": "1" })),
        ("joined", json!({ "code": "ABCDE", "seat": 0 })),
        ("left", json!({ "code": "ABCDE", "seat": 0 })),
        ("list", json!({ "tables": [] })),
        ("my", json!({ "tables": [] })),
        ("wait", json!({ "most": 20 })),
        ("privacy", json!({ "export": "data export", "erase": "data erase" })),
        ("knock", json!({ "user": "1" })),
    ];
    said.extend(settings());
    said.extend(obstacles());
    for awaited in [vec![0], Vec::new()] {
        let told = json!({ "window": 1, "code": "ABCDE", "awaited": awaited });
        said.push(("closing", told));
    }
    said.extend(person());
    said.extend(help());
    let wishes = [
        "end", "close", "join", "leave", "start", "declare", "hand", "show", "why", "again",
        "erase", "decide", "quietly", "undo",
    ];
    said.extend(decisions());
    said.extend(wishes.map(|wish| ("label", json!({ "wish": wish }))));
    for missing in [true, false] {
        let list = if missing { json!([{ "name": "Embed", "why": "frames" }]) } else { json!([]) };
        let channel = |gone: bool| json!({ "channel": "1", "missing": list, "gone": gone });
        let setup = json!({
            "channels": [channel(false), channel(true)],
            "unseen": missing,
            "stuck": missing,
            "late": missing,
            "told": missing,
            "pictures": missing,
        });
        said.push(("setup", setup));
    }
    said
}

/// What is said of what a game master decides.
fn decisions() -> Vec<(&'static str, Json)> {
    let mut said = vec![
        ("again", json!({})),
        ("opened", json!({ "number": 1, "window": 0 })),
        ("opened", json!({ "number": 3, "window": 1 })),
        ("seat", json!({ "seat": 0 })),
        ("appointed", json!({ "who": "1", "role": true, "may": true })),
        ("appointed", json!({ "who": "1", "role": false, "may": false })),
    ];
    said.extend(["title", "label", "hint"].map(|what| ("reason", json!({ "what": what }))));
    said
}

/// What stands on the panel of a table's settings.
fn settings() -> Vec<(&'static str, Json)> {
    let mut said = Vec::new();
    for what in [
        "games",
        "seats",
        "pace",
        "options",
        "write",
        "rewrite",
        "set",
        "unset",
        "count",
        "names",
        "open",
        "blind",
        "pace_title",
        "pace_label",
        "pace_hint",
    ] {
        said.push(("setting", json!({ "what": what, "value": "E1" })));
    }
    for (what, value) in [("chairs", "4"), ("language", "ja"), ("language", "en")] {
        said.push(("setting", json!({ "what": what, "value": value })));
    }
    said
}

/// Whatever keeps letters from arriving.
fn obstacles() -> Vec<(&'static str, Json)> {
    let mut said = Vec::new();
    for why in ["gone", "forbidden", "locked", "closed", "refused"] {
        for (channel, user) in [(Some("1"), None), (None, Some("1")), (None, None)] {
            let told = json!({
                "code": "ABCDE", "why": why, "channel": channel, "user": user,
                "permissions": ["Send Messages"],
            });
            said.push(("obstacle", told));
        }
    }
    said
}

/// What somebody is told about themselves: tables of every stage, and of every progress.
fn person() -> Vec<(&'static str, Json)> {
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
    let mut said: Vec<_> =
        ["my", "list"].map(|name| (name, json!({ "tables": tables }))).into_iter().collect();
    for known in [true, false] {
        said.push(("erase", json!({ "known": known, "tables": tables })));
        said.extend(["export", "erased"].map(|name| (name, json!({ "known": known }))));
    }
    said
}

/// Help for everybody there can be at a table, and without one.
fn help() -> Vec<(&'static str, Json)> {
    let names = [
        "close", "declare", "end", "hand", "join", "leave", "log", "my", "new", "resume", "seal",
        "settings", "show", "start", "withdraw",
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
        "called": called,
        "commands": names,
    });
    said.push(("help", alone));
    said
}
