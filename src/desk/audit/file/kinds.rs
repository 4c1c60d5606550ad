//! Which rows stand in a file, in which order, and which of their columns.

/// A table of the database of which rows stand in a file.
#[derive(Debug)]
pub(crate) struct RowKind {
    /// What it is called, there and in the file.
    pub(crate) of: &'static str,
    /// The columns by which its rows are ordered.
    pub(crate) order: &'static str,
    /// True if it stands only in a file with secrets.
    pub(crate) secret: bool,
    /// Which columns hold a person.
    pub(crate) people: &'static [&'static str],
    /// Which columns are a secret while the game runs, or nobody else's business.
    pub(crate) hidden: &'static [&'static str],
    /// Which columns say who somebody is.
    pub(crate) names: &'static [&'static str],
    /// Which columns mean nothing elsewhere.
    pub(crate) left_out: &'static [&'static str],
}

const PLAIN: RowKind = RowKind {
    of: "",
    order: "number",
    secret: false,
    people: &[],
    hidden: &[],
    names: &[],
    left_out: &["code"],
};

/// Who stands in the other rows.
pub(crate) const PEOPLE: &str = "people";

/// A line with the dice that fell.
pub(crate) const DICE: &str = "dice";

/// The first line.
pub(crate) const HEADING: &str = "table-of-shimekiri";

/// The last line.
pub(crate) const LAST: &str = "end";

/// Letters that have not been sent.
pub(crate) const OUTBOX: RowKind =
    RowKind { of: "outbox", order: "letter", secret: true, left_out: &[], ..PLAIN };

/// Every kind that has a column for the table's code, in the order in which another database can
/// take them up.
pub(crate) const KINDS: &[RowKind] = &[
    RowKind {
        of: "tables",
        order: "code",
        people: &["host"],
        hidden: &["place"],
        left_out: &["touched", "post", "post_window", "stirred", "shown", "drawn_at"],
        ..PLAIN
    },
    RowKind {
        of: "seats",
        order: "seat",
        people: &["person"],
        hidden: &["address"],
        names: &["name", "salt"],
        ..PLAIN
    },
    RowKind { of: "windows", ..PLAIN },
    RowKind { of: "snapshots", ..PLAIN },
    RowKind { of: "declarations", order: "number, seat", ..PLAIN },
    RowKind { of: "journal", order: "entry", ..PLAIN },
    RowKind {
        of: "overrides",
        people: &["person"],
        names: &["shown", "reason", "salt"],
        // It can hold who somebody is, and is needed only to undo.
        left_out: &["code", "image"],
        ..PLAIN
    },
    RowKind {
        of: "former_seats",
        order: "seat, since",
        people: &["person"],
        hidden: &["address"],
        names: &["name", "salt"],
        ..PLAIN
    },
    RowKind { of: "lateness", ..PLAIN },
    RowKind { of: "attendance", order: "seat", people: &["person"], ..PLAIN },
    RowKind { of: "reputation", order: "number, seat, person", people: &["person"], ..PLAIN },
    RowKind { of: "votes", people: &["person", "about"], ..PLAIN },
    RowKind { of: "voices", order: "number, person", people: &["person"], ..PLAIN },
    RowKind { of: "game_masters", order: "who", secret: true, ..PLAIN },
    RowKind {
        of: "substitutes",
        order: "seat",
        secret: true,
        people: &["player", "person"],
        ..PLAIN
    },
    RowKind {
        of: "orders",
        order: "seat, person, since",
        secret: true,
        people: &["person"],
        ..PLAIN
    },
    RowKind {
        of: "next_declarations",
        order: "seat, person, kind",
        secret: true,
        people: &["person"],
        ..PLAIN
    },
    RowKind { of: "calls", secret: true, people: &["person"], ..PLAIN },
    RowKind { of: "sent_away", order: "person", secret: true, people: &["person"], ..PLAIN },
];
