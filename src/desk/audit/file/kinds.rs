//! Which rows stand in a file, in which order, and which of their columns.

/// A table of the database of which rows stand in a file.
#[derive(Debug)]
pub(in crate::desk) struct RowKind {
    /// What it is called, there and in the file.
    pub(in crate::desk) of: &'static str,
    /// The columns by which its rows are ordered.
    pub(in crate::desk) order: &'static str,
    /// Whether it stands only in a file with secrets.
    pub(in crate::desk) secret: bool,
    /// Which columns hold a person.
    pub(in crate::desk) people: &'static [&'static str],
    /// Which columns are a secret while the game runs, or nobody else's business.
    pub(in crate::desk) hidden: &'static [&'static str],
    /// Which columns say who somebody is.
    pub(in crate::desk) names: &'static [&'static str],
    /// Which columns mean nothing elsewhere.
    pub(in crate::desk) left_out: &'static [&'static str],
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
pub(in crate::desk) const PEOPLE: &str = "people";

/// A line with the dice that fell.
pub(in crate::desk) const DICE: &str = "dice";

/// The first line.
pub(in crate::desk) const HEADING: &str = "table-of-shimekiri";

/// Letters that have not been sent.
pub(in crate::desk) const OUTBOX: RowKind =
    RowKind { of: "outbox", order: "letter", secret: true, left_out: &[], ..PLAIN };

/// Every kind that has a column for the table's code, in the order in which another database can
/// take them up.
pub(in crate::desk) const KINDS: &[RowKind] = &[
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
        names: &["name"],
        ..PLAIN
    },
    RowKind { of: "windows", ..PLAIN },
    RowKind { of: "snapshots", ..PLAIN },
    RowKind { of: "declarations", order: "number, seat", ..PLAIN },
    RowKind { of: "journal", order: "entry", ..PLAIN },
    RowKind {
        of: "overrides",
        people: &["person"],
        names: &["shown"],
        // It can hold who somebody is, and is needed only to undo.
        left_out: &["code", "image"],
        ..PLAIN
    },
    RowKind {
        of: "former_seats",
        order: "seat, since",
        people: &["person"],
        hidden: &["address"],
        names: &["name"],
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
