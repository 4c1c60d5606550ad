//! The truth table, as a table: the fate of a seat in each condition (the rows) on each occasion (the
//! columns).
//!
//! | cell | treatment |
//! | --- | --- |
//! | `-` | nothing: the seat is not asked |
//! | `counts` | what it declared counts |
//! | `asked` | it may still declare |
//! | `put off`, `grace` | the deadline is put off; it may seal late |
//! | `let pass` | nothing, as nothing had to be declared |
//! | `skipped`, `default`, `house` | the rule of the game; defaults; a bot player |
//!
//! An `a` after the cell means that all players are informed. `!` is a miss.

use crate::Absence;
use crate::absence::{Away, Condition, Deed, Fate, Inactive, Means, Occasion};

/// At the deadline, a seat may have allowance left, or else the table may give grace.
const TABLE: &str = "
                    | deadline, allowance | deadline, grace | deadline   | all sealed | GM closes | late
nothing to declare  | -                   | -               | -          | -          | -         | -
nothing sent        | put off a           | grace a         | skipped a! | asked      | skipped a | skipped a
same, none skipped  | put off a           | grace a         | default a! | asked      | default a | default a
same, not named     | put off a           | grace a         | skipped!   | asked      | skipped   | skipped
incomplete          | counts a            | counts a        | counts a   | counts a   | counts a  | counts a
complete            | counts a            | counts a        | counts a   | counts a   | counts a  | counts a
away: skip          | skipped a           | skipped a       | skipped a  | skipped a  | skipped a | skipped a
away: house         | house a             | house a         | house a    | house a    | house a   | house a
away: extend        | put off a           | put off a       | put off a  | asked      | skipped a | skipped a
away: too often     | skipped a           | skipped a       | skipped a  | asked      | skipped a | skipped a
away: no substitute | skipped a           | skipped a       | skipped a  | skipped a  | skipped a | skipped a
delegated           | put off a           | grace a         | skipped a! | asked      | skipped a | skipped a
inactive: skip      | skipped a           | skipped a       | skipped a  | skipped a  | skipped a | skipped a
inactive: house     | house a             | house a         | house a    | house a    | house a   | house a
optional            | let pass            | let pass        | let pass   | let pass   | let pass  | let pass
optional, declared  | counts a            | counts a        | counts a   | counts a   | counts a  | counts a
optional, away      | let pass            | let pass        | let pass   | let pass   | let pass  | let pass
optional, house     | house               | house           | house      | house      | house     | house
";

/// Returns the settings and the condition of a row; and true if the window can be put off further, and if the
/// game skips seats.
fn row(name: &str) -> (Absence, Condition, bool, bool) {
    let supposed = Absence::default();
    let away = |away| (Absence { away, ..supposed }, Condition::Away, true, true);
    let inactive = |inactive| {
        let absence = Absence { inactive, ..supposed };
        (absence, Condition::Inactive, true, true)
    };
    let plain = |condition| (supposed, condition, true, true);
    match name {
        "nothing to declare" => plain(Condition::NothingToDeclare),
        "nothing sent" | "same, not named" | "optional" => plain(Condition::NothingSent),
        "same, none skipped" => (supposed, Condition::NothingSent, true, false),
        "incomplete" => plain(Condition::Incomplete),
        "complete" | "optional, declared" => plain(Condition::Complete),
        "away: skip" => away(Away::Skip),
        "away: house" => away(Away::House),
        "away: extend" | "optional, away" => away(Away::Extend),
        "away: too often" => {
            (Absence { away: Away::Extend, ..supposed }, Condition::Away, false, true)
        }
        "away: no substitute" => away(Away::Substitute),
        "delegated" => plain(Condition::Delegated),
        "inactive: skip" => inactive(Inactive::Skip),
        "inactive: house" | "optional, house" => inactive(Inactive::House),

        other => panic!("no row {other}"),
    }
}

/// Returns the occasion of a column; and true if allowance is left, and if grace is.
fn column(name: &str) -> (Occasion, bool, bool) {
    match name {
        "deadline, allowance" => (Occasion::Deadline, true, true),
        "deadline, grace" => (Occasion::Deadline, false, true),
        "deadline" => (Occasion::Deadline, false, false),
        "all sealed" => (Occasion::AllSealed, true, true),
        "GM closes" => (Occasion::GmClose, true, true),
        "late" => (Occasion::AfterOutage, true, true),
        other => panic!("no column {other}"),
    }
}

fn cell(fate: Fate) -> String {
    let deed = match fate.deed {
        Deed::Nothing => "-",
        Deed::Counts => "counts",
        Deed::AskedOn => "asked",
        Deed::PutOff => "put off",
        Deed::Grace => "grace",
        Deed::Skipped => "skipped",
        Deed::LetPass => "let pass",
        Deed::ByDefault => "default",
        Deed::ByHouse => "house",
    };
    let public = if fate.public { " a" } else { "" };
    format!("{deed}{public}{}", if fate.missed { "!" } else { "" })
}

/// Returns every cell: its row, its column, its text, and the fate of the seat.
fn cells() -> Vec<(&'static str, &'static str, &'static str, Fate)> {
    let mut lines = TABLE.lines().filter(|line| !line.is_empty());
    let pieces = |line: &'static str| line.split('|').map(str::trim).collect::<Vec<_>>();
    let head = pieces(lines.next().unwrap());
    let mut cells = Vec::new();
    for line in lines.map(pieces) {
        assert_eq!(line.len(), head.len(), "{}", line[0]);
        let (absence, condition, further, skips) = row(line[0]);
        for (name, says) in head.iter().zip(&line).skip(1) {
            let (occasion, allowance, grace) = column(name);
            let named = line[0] != "same, not named";
            let optional = line[0].starts_with("optional");
            let means = Means { allowance, grace, further, skips, named, optional };
            cells.push((line[0], *name, *says, absence.fate(condition, occasion, means)));
        }
    }
    cells
}

#[test]
fn every_cell_is_so() {
    let cells = cells();
    assert_eq!(cells.len(), 18 * 6);
    for (row, column, says, fate) in cells {
        assert_eq!(cell(fate), says, "{row} × {column}");
    }
}

#[test]
fn an_incomplete_declaration_treated_as_none() {
    for occasion in ["deadline, allowance", "deadline, grace", "deadline", "GM closes"] {
        let (occasion, allowance, grace) = column(occasion);
        let means =
            Means { allowance, grace, further: true, skips: true, named: true, optional: false };
        let fate = Absence::default().fate(Condition::Incomplete, occasion, means);
        assert_eq!((fate.deed, fate.missed), (Deed::Counts, false));
    }
}

#[test]
fn a_seat_with_nothing_to_declare_using_up_an_extension() {
    for (row, column, _, fate) in cells() {
        assert!(row != "nothing to declare" || fate.deed == Deed::Nothing, "{row} × {column}");
    }
    assert!(!Absence::default().waits_for(Condition::NothingToDeclare));
}

#[test]
fn default_actions_counted_as_absence() {
    for (row, column, _, fate) in cells() {
        let gone =
            matches!(row, "nothing sent" | "same, none skipped" | "same, not named" | "delegated");
        assert_eq!(fate.missed, gone && column == "deadline", "{row} × {column}");
    }
}

#[test]
fn whoever_is_not_waited_for_holds_up_no_close() {
    for (row, column, _, fate) in cells() {
        // An optional window waits for present players, and closes without absent ones.
        if column == "all sealed" && !row.starts_with("optional") {
            let (absence, condition, ..) = self::row(row);
            let waits = absence.waits_for(condition) && condition.is_missing();
            assert_eq!(fate.deed == Deed::AskedOn, waits, "{row}");
        }
    }
}
