//! What is said on Discord only.

use serde_json::{Value as Json, json};

use crate::letters::checking::samples::{moment, people};

/// The post of a table.
fn post(stage: &str, [past, closed, held, hidden]: [bool; 4]) -> Json {
    json!({
        "stage": stage,
        "code": "ABCDE",
        "past": past,
        "closed": closed,
        "held": held.then_some("outage"),
        "open": held,
        "sought": if held || hidden { vec![0, 1] } else { Vec::new() },
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
            "openly": hidden || held,
        })),
        "pace": "daily 21:00",
        "absence": "allowance 1",
        "presence": {
            "put_off": i64::from(hidden),
            "grace": held || hidden,
            "late": if held { vec![0] } else { Vec::new() },
            "inactive": if hidden { Vec::new() } else { vec![0, 1] },
            "away": if closed { vec![0] } else { Vec::new() },
            "stood_in": if closed { vec![1] } else { Vec::new() },
        },
        "window": 1,
        "suspended": hidden,
        "standing": {
            "seats": [
                { "seat": 0, "progress": "draft" },
                { "seat": 1, "progress": "sealed-complete" },
            ],
            "hidden": hidden,
            "openly": held,
            "on_a_quarter": hidden,
            "count": closed.then(|| json!({ "sealed": 1, "asked": 2 })),
            "closes": (!held).then(moment),
            "settles": (closed && hidden).then(moment),
            "announced": hidden.then(moment),
        },
        "announced": moment(),
        "table": hidden.then_some("x"),
        "commitment": "00ff",
        "begins_when_full": closed,
        "asked": ["1"],
    })
}

/// Everything that is said on Discord only, each with what it could tell.
pub fn discord() -> Vec<(&'static str, Json)> {
    let mut said = vec![
        ("post", post("forming", [false, false, false, false])),
        ("post", post("forming", [false, true, false, false])),
        ("post", post("playing", [false, false, false, false])),
        ("post", post("playing", [false, true, false, true])),
        ("post", post("playing", [false, false, true, false])),
        ("post", post("playing", [true, false, false, false])),
        ("post", post("playing", [true, true, false, false])),
        ("post", post("playing", [true, true, true, true])),
        ("post", post("forming", [true, false, false, false])),
        ("post", post("over", [false, false, false, false])),
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
        ("joined", json!({ "code": "ABCDE", "seat": 0, "begun": false })),
        ("joined", json!({ "code": "ABCDE", "seat": 0, "begun": true })),
        ("taken", json!({ "code": "ABCDE", "seat": 0 })),
        ("left", json!({ "code": "ABCDE", "seat": 0 })),
        ("list", json!({ "tables": [] })),
        ("wait", json!({ "most": 20 })),
        ("privacy", json!({ "export": "data export", "erase": "data erase" })),
    ];
    said.extend(settings());
    said.extend(hosting());
    said.extend(knocks());
    for what in ["table", "page"] {
        for missing in [None, Some("large"), Some("failed")] {
            let told = json!({
                "what": what, "code": "ABCDE", "name": "ABCDE.html", "missing": missing,
            });
            said.push(("file", told));
        }
    }
    said.extend(obstacles());
    for (user, refused) in [(Some("1"), None), (None, None), (Some("1"), Some("bot"))] {
        let until = (user.is_some() && refused.is_none()).then(moment);
        let told = json!({ "code": "ABCDE", "user": user, "until": until, "refused": refused });
        said.push(("substitute", told));
    }
    said.extend(people::person());
    said.extend(people::help());
    let wishes = [
        "end",
        "close",
        "join",
        "leave",
        "start",
        "declare",
        "hand",
        "show",
        "why",
        "again",
        "erase",
        "read",
        "back",
        "not-away",
        "take-back",
        "decide",
        "quietly",
        "undo",
        "take",
        "yes",
        "no",
    ];
    said.extend(decisions());
    said.extend(
        ["posted", "nothing", "forbidden"].map(|came| ("dashboard", json!({ "came": came }))),
    );
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
        ("opened", json!({ "window": 0 })),
        ("opened", json!({ "window": 1 })),
        ("seat", json!({ "seat": 0 })),
        ("appointed", json!({ "who": "1", "role": true, "may": true })),
        ("appointed", json!({ "who": "1", "role": false, "may": false })),
    ];
    for told in [true, false] {
        let asked = |what| ("reason", json!({ "what": what, "told": told }));
        said.extend(["title", "label", "hint"].map(asked));
    }
    said
}

/// What is set for a server or not, and what is missing where a table is to be.
fn hosting() -> Vec<(&'static str, Json)> {
    let mut said = vec![
        ("may_not_form", json!({ "role": "1" })),
        ("call", json!({ "role": "1", "host": "桜" })),
        ("uncalled", json!({ "role": "1" })),
    ];
    for set in [true, false] {
        let only = |word: &str| set.then(|| word.to_owned());
        let defaults = json!({
            "pace": "2h", "absence": only("allowance 1"), "language": only("en"),
            "begins_when_full": set, "hosts": only("1"), "call": only("1"),
        });
        let missing = json!([{ "name": "Attach Files", "why": "x" }]);
        let lacking = json!({ "channel": "1", "missing": missing, "formed": set });
        said.extend([("defaults", defaults), ("lacking", lacking)]);
    }
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
        "files",
        "no_files",
        "begin_when_full",
        "begin_by_host",
        "results_short",
        "results_full",
        "pace_title",
        "pace_label",
        "pace_hint",
        "absence",
        "rewrite_absence",
        "absence_title",
        "absence_label",
        "absence_hint",
    ] {
        said.push(("setting", json!({ "what": what, "value": "E1" })));
    }
    for (what, value) in [("chairs", "4"), ("language", "ja"), ("language", "en")] {
        said.push(("setting", json!({ "what": what, "value": value })));
    }
    said
}

/// What is said of letters that cannot go where they were to go, or tell nothing any more.
fn knocks() -> Vec<(&'static str, Json)> {
    vec![
        ("knock", json!({ "user": "1", "read": false })),
        ("knock", json!({ "user": "1", "read": true })),
        ("not_yours", json!({})),
        ("relocated", json!({ "code": "ABCDE", "thread": "1" })),
        ("settled", json!({})),
    ]
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
