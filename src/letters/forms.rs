//! Every letter that there is, and what its template sees.

use super::settings::{OPTIONS, PRESETS};

/// A letter and what its template sees.
pub(super) type Form = (&'static str, &'static [&'static str]);

/// The letters that every game has.
pub(super) const GAME_FORMS: &[Form] = &[
    ("name", &[]),
    ("events", &[]),
    (
        "opening",
        &["window", "suspended", "asked", "closes", "announced", "early", "position", "report"],
    ),
    ("result", &["turns", "report"]),
    ("skip", &["seat", "ruling", "turns"]),
    ("scores", &["report"]),
    ("hand", &["seat", "report"]),
    ("position", &["report"]),
    ("board", &["report"]),
    ("alt", &["report", "brief"]),
    ("help", &[]),
    (OPTIONS, &[]),
];

/// The letters of the desk.
pub(super) const DESK_FORMS: &[Form] = &[
    ("rulings", &[]),
    ("faults", &[]),
    ("misread", &[]),
    ("suppose", &[]),
    ("shapes", &[]),
    ("times", &[]),
    ("ruling", &["ruling"]),
    ("fault", &["faults"]),
    ("unread", &["unread"]),
    ("heard", &[]),
    ("echo", &["seat", "heard", "unread", "sealed", "closes", "receipt"]),
    ("questions", &["questions"]),
    ("why", &["rulings"]),
    ("log", &["windows"]),
    ("help", &[]),
    ("forming", &["code", "chairs", "taken", "you", "host", "pace"]),
    ("welcome", &["code", "table", "seats", "you", "commitment"]),
    ("deadline", &["closes", "left", "progress"]),
    ("goodbye", &["code", "name", "behind"]),
    ("closed", &["awaited"]),
    ("late", &["closed"]),
    ("shut", &["closed", "announced"]),
    ("extended", &["closes", "by"]),
    ("progress", &["seats", "hidden", "count", "closes"]),
    ("waiting", &["code", "why"]),
    ("ending", &["code", "window", "taken", "reason"]),
    ("ended", &["code", "early", "seed", "reason"]),
    ("refused", &["why", "said"]),
    ("decree", &[]),
    ("decided", &["what", "time", "reason"]),
    ("rehearsed", &["decree", "changes", "remarks"]),
    ("decrees", &["decrees"]),
    ("watched", &["seats", "hidden", "count", "closes", "open", "sealed"]),
    (
        "pace",
        &[
            "every",
            "zone",
            "announce",
            "early",
            "cool_down",
            "least",
            "reminders",
            "quiet",
            "outage",
        ],
    ),
    ("pace_fault", &["fault"]),
    ("pace_faults", &[]),
];

/// The letters of the declaration panel.
pub(super) const PANEL_FORMS: &[Form] = &[
    ("captions", &[]),
    ("drafted", &["heard", "unread"]),
    ("question", &["question", "bars", "few", "warned"]),
];

/// The letters that there are on Discord only.
pub(super) const DISCORD_FORMS: &[Form] = &[
    (
        "post",
        &[
            "stage",
            "code",
            "past",
            "closed",
            "held",
            "chairs",
            "taken",
            "house",
            "gathering",
            "options",
            "gone",
            "pace",
            "window",
            "suspended",
            "standing",
            "announced",
            "commitment",
            "asked",
        ],
    ),
    ("label", &["wish"]),
    ("moved", &[]),
    ("typed", &["lines"]),
    ("help", &["code", "stage", "held", "host", "seat", "called", "commands"]),
    ("sealed", &[]),
    ("done", &[]),
    ("options", &["why"]),
    ("no_server", &[]),
    ("seats", &["least", "most", "said"]),
    ("which", &["tables"]),
    ("failed", &["forbidden"]),
    ("thread", &["host"]),
    ("formed", &["code", "thread"]),
    ("joined", &["code", "seat"]),
    ("left", &["code", "seat"]),
    ("list", &["tables"]),
    ("my", &["tables"]),
    ("wait", &["most"]),
    ("privacy", &["export", "erase"]),
    ("export", &["known"]),
    ("erase", &["known", "tables"]),
    ("erased", &["known"]),
    ("setup", &["channels", "unseen", "stuck", "late", "told", "pictures"]),
    ("knock", &["user"]),
    (
        "settings",
        &[
            "code",
            "chairs",
            "taken",
            "pace",
            "closings",
            "options",
            "language",
            "hidden",
            "count_only",
            "editable",
        ],
    ),
    ("setting", &["what", "value"]),
    (PRESETS, &[]),
    ("closing", &["window", "code", "awaited"]),
    ("reason", &["what"]),
    ("seat", &["seat"]),
    ("decided", &["number", "before", "final"]),
    ("appointed", &["who", "role", "may"]),
    ("obstacle", &["code", "why", "channel", "user", "permissions"]),
];

/// What every template sees.
pub(super) const EVERYWHERE: [&str; 4] = ["game", "lang", "plain", "stamps"];
