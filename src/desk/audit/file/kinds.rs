//! The kinds of rows in a file, their order and their columns.

/// A database table with rows in a file.
#[derive(Debug)]
pub(crate) struct RowKind {
    /// The name of the database table, and of the kind in the file.
    pub(crate) of: &'static str,
    /// The columns that order the rows.
    pub(crate) order: &'static str,
    /// True if the rows stand only in a file with secrets.
    pub(crate) secret: bool,
    /// The columns with people.
    pub(crate) people: &'static [&'static str],
    /// The columns that are secret while the game runs, or private.
    pub(crate) hidden: &'static [&'static str],
    /// The columns that identify people.
    pub(crate) names: &'static [&'static str],
    /// The columns that mean nothing in another database.
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

/// The kind of the people in the other rows.
pub(crate) const PEOPLE: &str = "people";

/// The kind of the set of cards that the table is bound to.
pub(crate) const SET: &str = "set";

/// The kind of a line with the dice thrown.
pub(crate) const DICE: &str = "dice";

/// The kind of the first line.
pub(crate) const HEADING: &str = "table-of-shimekiri";

/// The kind of the last line.
pub(crate) const LAST: &str = "end";

/// The unsent letters.
pub(crate) const OUTBOX: RowKind =
    RowKind { of: "outbox", order: "letter", secret: true, left_out: &[], ..PLAIN };

/// Every database table with a column for the table's code, in the order in which rows can be inserted.
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
        // An image can identify people, and is needed only to undo.
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
