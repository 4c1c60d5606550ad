//! Which rows stand in a file, in which order, and which of their columns.

/// A table of the database of which rows stand in a file.
#[derive(Debug)]
pub(super) struct Kind {
    /// What it is called, there and in the file.
    pub(super) of: &'static str,
    /// The columns by which its rows are ordered.
    pub(super) order: &'static str,
    /// Whether it stands only in a file with secrets.
    pub(super) secret: bool,
    /// Which columns hold a person.
    pub(super) people: &'static [&'static str],
    /// Which columns are a secret while the game runs, or nobody else's business.
    pub(super) hidden: &'static [&'static str],
    /// Which columns say who somebody is.
    pub(super) names: &'static [&'static str],
    /// Which columns mean nothing elsewhere.
    pub(super) left_out: &'static [&'static str],
}

const PLAIN: Kind = Kind {
    of: "",
    order: "number",
    secret: false,
    people: &[],
    hidden: &[],
    names: &[],
    left_out: &["code"],
};

/// Who stands in the other rows.
pub(super) const PEOPLE: &str = "people";

/// A line with the dice that fell.
pub(super) const DICE: &str = "dice";

/// The first line.
pub(super) const HEADING: &str = "table-of-shimekiri";

/// Letters that have not been sent.
pub(super) const OUTBOX: Kind =
    Kind { of: "outbox", order: "letter", secret: true, left_out: &[], ..PLAIN };

/// Every kind that has a column for the table's code, in the order in which another database can
/// take them up.
pub(super) const KINDS: &[Kind] = &[
    Kind {
        of: "tables",
        order: "code",
        people: &["host"],
        hidden: &["place"],
        left_out: &["touched", "post", "post_window", "stirred", "shown", "drawn_at"],
        ..PLAIN
    },
    Kind {
        of: "seats",
        order: "seat",
        people: &["person"],
        hidden: &["address"],
        names: &["name"],
        ..PLAIN
    },
    Kind { of: "windows", ..PLAIN },
    Kind { of: "snapshots", ..PLAIN },
    Kind { of: "declarations", order: "number, seat", ..PLAIN },
    Kind { of: "journal", order: "entry", ..PLAIN },
    Kind {
        of: "overrides",
        people: &["person"],
        names: &["shown"],
        // It can hold who somebody is, and is needed only to undo.
        left_out: &["code", "image"],
        ..PLAIN
    },
    Kind {
        of: "former_seats",
        order: "seat, since",
        people: &["person"],
        hidden: &["address"],
        names: &["name"],
        ..PLAIN
    },
    Kind { of: "lateness", ..PLAIN },
    Kind { of: "attendance", order: "seat", people: &["person"], ..PLAIN },
    Kind { of: "reputation", order: "number, seat, person", people: &["person"], ..PLAIN },
    Kind { of: "votes", people: &["person", "about"], ..PLAIN },
    Kind { of: "voices", order: "number, person", people: &["person"], ..PLAIN },
    Kind { of: "game_masters", order: "who", secret: true, ..PLAIN },
    Kind { of: "substitutes", order: "seat", secret: true, people: &["player", "person"], ..PLAIN },
    Kind { of: "calls", secret: true, people: &["person"], ..PLAIN },
    Kind { of: "sent_away", order: "person", secret: true, people: &["person"], ..PLAIN },
];
