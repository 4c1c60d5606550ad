//! The rows that the pieces of work of a transaction write about tables, held back as long as no query needs
//! them: rows of one kind go into one statement for all tables, all changes of a table's row into one, and
//! repeated writes happen once.
//!
//! A session writes them before the next statement that could depend on them, and at the end of the
//! transaction at the latest ([`Session::flush`](crate::Session)).

use std::collections::BTreeMap;
use std::fmt;

use sqlx::any::AnyArguments;
use sqlx::{AssertSqlSafe, query, query_with};

use crate::rows::{
    Count, DeclarationRow, Flag, JournalRow, LatenessRow, OrBeforeFirst, Outgoing, Placeholders,
    PresenceRow, ReputationRow, Seats, Statement, Values, WindowRow,
};
use rules::Seat;
use tables::{CloseReason, HoldReason, Stage, TableCode, Time, Timing, WindowNumber};

/// The subject of a query at one table, which does not depend on other unsaved rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Table,
    /// The declarations in the windows of the table.
    Declarations,
    /// The records of windows.
    Reputation,
}

/// The maximum number of rows of a prepared statement that is cached. Statements for every number of rows
/// would push frequent ones out of the cache.
const FEW: usize = 6;

/// The unsaved rows, by the code of their table.
#[derive(Default)]
pub(crate) struct Unsaved(BTreeMap<TableCode, OfTable>);

/// The unsaved rows of one table.
#[derive(Default)]
pub(crate) struct OfTable {
    pub(crate) table: RowChange,
    pub(crate) closed: Vec<ClosedRow>,
    /// The open windows with new times.
    timed: Vec<(WindowNumber, Timing)>,
    pub(crate) windows: Vec<WindowRow>,
    /// The states at the openings of root windows, with their hashes.
    pub(crate) states: Vec<(WindowNumber, String, String)>,
    lateness: Vec<(WindowNumber, LatenessRow)>,
    declared: Vec<(WindowNumber, DeclarationRow)>,
    records: Vec<ReputationRow>,
    /// The times from which the records of seats in a window count.
    pub(crate) counted: Vec<(WindowNumber, Seat, Time)>,
    attended: Vec<PresenceRow>,
    pub(crate) journal: Vec<JournalRow>,
    pub(crate) letters: Vec<Outgoing>,
}

/// A closed window, with its reason and the seats it had waited for.
pub(crate) struct ClosedRow {
    pub(crate) number: WindowNumber,
    pub(crate) at: Time,
    pub(crate) why: CloseReason,
    pub(crate) awaited: Seats,
}

/// The time of the next clock check of a table, `None` for never.
pub(crate) struct LookAt(pub(crate) Option<Time>);

/// The changes of the table's row.
#[derive(Default)]
pub(crate) struct RowChange {
    /// The stage, the open window, and the number of windows.
    pub(crate) turned: Option<(Stage, Option<WindowNumber>, u32)>,
    pub(crate) look_at: Option<LookAt>,
    /// The reason and the time of a hold.
    pub(crate) held: Option<(Option<HoldReason>, Option<Time>)>,
    /// The number of journal entries, and the hash and the time of the last.
    pub(crate) chained: Option<(u32, String, Time)>,
    /// The number of times that the table was stirred.
    pub(crate) stirred: u64,
}

impl fmt::Debug for Unsaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Declarations and states must not reach a log.
        f.debug_struct("Unsaved").field("tables", &self.0.keys()).finish_non_exhaustive()
    }
}

impl Unsaved {
    /// True if there are no unsaved rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if there are unsaved rows of this kind.
    pub(crate) fn holds(&self, code: &TableCode, about: About) -> bool {
        self.0.get(code).is_some_and(|of_table| of_table.holds(about))
    }

    /// Returns the unsaved rows of a table.
    pub(crate) fn of(&mut self, code: &TableCode) -> &mut OfTable {
        self.0.entry(code.to_owned()).or_default()
    }

    /// Returns the statements that write the rows, in the order of their foreign keys.
    pub(crate) fn statements(self, marks: Placeholders) -> sqlx::Result<Vec<Statement>> {
        let mut tables: Vec<(TableCode, OfTable)> = self.0.into_iter().collect();
        let write = |write: fn(Placeholders, &mut Tables) -> Written| write(marks, &mut tables);
        let mut statements: Vec<Statement> = WRITERS
            .into_iter()
            .map(write)
            .filter_map(Result::transpose)
            .collect::<Result<_, _>>()?;
        let mut changes: BTreeMap<Vec<&str>, Vec<(TableCode, RowChange)>> = BTreeMap::new();
        for (code, of_table) in tables {
            let columns = of_table.table.columns();
            changes.entry(columns).or_default().push((code, of_table.table));
        }
        statements.extend(changes.into_iter().filter_map(|(of, rows)| changed(marks, &of, rows)));
        Ok(statements)
    }
}

impl OfTable {
    pub(crate) fn holds(&self, about: About) -> bool {
        match about {
            About::Table => true,
            About::Declarations => !self.declared.is_empty(),
            About::Reputation => !(self.records.is_empty() && self.counted.is_empty()),
        }
    }

    pub(crate) fn time(&mut self, number: WindowNumber, timing: Timing) {
        let new = self.windows.iter_mut().find(|window| window.number == number);
        let Some(window) = new else {
            self.timed.retain(|(other, _)| *other != number);
            self.timed.push((number, timing));
            return;
        };
        window.opens_at = timing.opens;
        window.closes_at = timing.closes;
        window.settles_at = timing.settles;
        window.reminded_at = timing.reminded;
    }

    pub(crate) fn keep_lateness(&mut self, number: WindowNumber, row: LatenessRow) {
        self.lateness.retain(|(other, _)| *other != number);
        self.lateness.push((number, row));
    }

    pub(crate) fn declare(&mut self, number: WindowNumber, row: DeclarationRow) {
        self.declared.retain(|(other, stored)| (*other, stored.seat) != (number, row.seat));
        self.declared.push((number, row));
    }

    pub(crate) fn keep_window(&mut self, row: ReputationRow) {
        let key = |row: &ReputationRow| (row.number, row.seat, row.person.clone());
        self.records.retain(|other| key(other) != key(&row));
        self.records.push(row);
    }

    pub(crate) fn attend(&mut self, row: PresenceRow) {
        self.attended.retain(|other| other.seat != row.seat);
        self.attended.push(row);
    }
}

impl RowChange {
    /// Returns the columns that change.
    fn columns(&self) -> Vec<&'static str> {
        let groups: [(bool, &[&str]); 5] = [
            (self.turned.is_some(), &["stage", "open_window", "windows"]),
            (self.look_at.is_some(), &["look_at"]),
            (self.held.is_some(), &["held", "held_at"]),
            (self.chained.is_some(), &["entries", "chain", "told_at"]),
            (self.stirred > 0, &["stirred"]),
        ];
        let changed = groups.into_iter().filter(|(is_changed, _)| *is_changed);
        changed.flat_map(|(_, columns)| columns).copied().collect()
    }
}

/// Returns the statement that changes these columns of tables' rows.
fn changed(
    marks: Placeholders,
    columns: &[&str],
    rows: Vec<(TableCode, RowChange)>,
) -> Option<Statement> {
    if columns.is_empty() {
        return None;
    }
    let set = |column: &&str| match *column {
        "stirred" => "stirred = tables.stirred + given.stirred".to_owned(),
        column => format!("{column} = given.{column}"),
    };
    let text = format!(
        "with given (code, {}) as (values {{}})
         update tables set {} from given where tables.code = given.code",
        columns.join(", "),
        columns.iter().map(set).collect::<Vec<_>>().join(", ")
    );
    let text = text.replace("{}", &marks.values(rows.len(), 1 + columns.len()));
    // Only numbers and names of columns are put into the text.
    let mut statement = query(AssertSqlSafe(text)).persistent(rows.len() <= FEW);
    for (code, change) in rows {
        let RowChange { turned, look_at, held, chained, stirred } = change;
        statement = statement.bind(code);
        if let Some((stage, window, windows)) = turned {
            statement = statement.bind(stage).bind(OrBeforeFirst(window)).bind(Count(windows));
        }
        if let Some(LookAt(look_at)) = look_at {
            statement = statement.bind(look_at);
        }
        if let Some((held, held_at)) = held {
            statement = statement.bind(held).bind(held_at);
        }
        if let Some((entries, chain, at)) = chained {
            statement = statement.bind(Count(entries)).bind(chain).bind(at);
        }
        if stirred > 0 {
            statement = statement.bind(Count(stirred));
        }
    }
    Some(statement)
}

/// A statement about rows, `None` without rows.
type Written = sqlx::Result<Option<Statement>>;

/// Tables with their unsaved rows.
type Tables = [(TableCode, OfTable)];

/// The functions that write the rows of each kind, in the order of their foreign keys.
const WRITERS: [fn(Placeholders, &mut Tables) -> Written; 11] = [
    closed,
    timed,
    opened,
    with_states,
    with_lateness,
    declared,
    records,
    counted,
    attended,
    journal,
    posted,
];

/// Takes all rows of a kind, each with the code of its table.
fn taken<R>(tables: &mut Tables, of: fn(&mut OfTable) -> &mut Vec<R>) -> Vec<(TableCode, R)> {
    let of_table = |(code, of_table): &mut (TableCode, OfTable)| {
        std::mem::take(of(of_table)).into_iter().map(|row| (code.clone(), row)).collect::<Vec<_>>()
    };
    tables.iter_mut().flat_map(of_table).collect()
}

/// Returns a statement about rows, with `{}` replaced by their values.
fn about_rows<R, V: Values>(
    marks: Placeholders,
    text: &str,
    rows: Vec<R>,
    values: impl Fn(R) -> V,
) -> Written {
    let count = rows.len();
    if count == 0 {
        return Ok(None);
    }
    let text = text.replace("{}", &marks.values(count, V::COUNT));
    let mut arguments = AnyArguments::default();
    for row in rows {
        values(row).add_to(&mut arguments).map_err(sqlx::Error::Encode)?;
    }
    // Only numbers are put into the text.
    Ok(Some(query_with(AssertSqlSafe(text), arguments).persistent(count <= FEW)))
}

fn closed(marks: Placeholders, tables: &mut Tables) -> Written {
    let text = "with given (code, number, closed_at, why, awaited) as (values {})
         update windows set closed_at = given.closed_at, why = given.why, awaited = given.awaited
         from given where windows.code = given.code and windows.number = given.number";
    let rows = taken(tables, |of| &mut of.closed);
    about_rows(marks, text, rows, |(code, row)| (code, row.number, row.at, row.why, row.awaited))
}

fn timed(marks: Placeholders, tables: &mut Tables) -> Written {
    let text =
        "with given (code, number, opens_at, closes_at, settles_at, reminded_at) as (values {})
         update windows set opens_at = given.opens_at, closes_at = given.closes_at,
             settles_at = given.settles_at, reminded_at = given.reminded_at
         from given where windows.code = given.code and windows.number = given.number";
    let rows = taken(tables, |of| &mut of.timed);
    about_rows(marks, text, rows, |(code, (number, timing))| {
        (code, number, timing.opens, timing.closes, timing.settles, timing.reminded)
    })
}

fn opened(marks: Placeholders, tables: &mut Tables) -> Written {
    let text = "insert into windows (code, number, root, kind, said, asked, opens_at, closes_at,
             settles_at, reminded_at, follows, again)
         values {}";
    let rows = taken(tables, |of| &mut of.windows);
    about_rows(marks, text, rows, |(code, window)| {
        (
            code,
            window.number,
            window.root,
            window.kind,
            window.said,
            window.asked,
            window.opens_at,
            window.closes_at,
            window.settles_at,
            window.reminded_at,
            window.follows,
            window.again,
        )
    })
}

fn with_states(marks: Placeholders, tables: &mut Tables) -> Written {
    let text = "insert into snapshots (code, number, state, hash) values {}";
    let rows = taken(tables, |of| &mut of.states);
    about_rows(marks, text, rows, |(code, (number, state, hash))| (code, number, state, hash))
}

fn with_lateness(marks: Placeholders, tables: &mut Tables) -> Written {
    let text = "insert into lateness (code, number, absence, put_off, missed, late, called_at)
         values {}
         on conflict (code, number) do update set absence = excluded.absence,
             put_off = excluded.put_off, missed = excluded.missed, late = excluded.late,
             called_at = excluded.called_at";
    let rows = taken(tables, |of| &mut of.lateness);
    about_rows(marks, text, rows, |(code, (number, row))| {
        (code, number, row.absence, Count(row.put_off), row.missed, row.late, row.called_at)
    })
}

fn declared(marks: Placeholders, tables: &mut Tables) -> Written {
    let text =
        "insert into declarations (code, number, seat, answers, sealed, complete, salt, hash)
         values {}
         on conflict (code, number, seat) do update set answers = excluded.answers,
             sealed = excluded.sealed, complete = excluded.complete, salt = excluded.salt,
             hash = excluded.hash";
    let rows = taken(tables, |of| &mut of.declared);
    about_rows(marks, text, rows, |(code, (number, row))| {
        (code, number, row.seat, row.answers, row.sealed, row.complete, row.salt, row.hash)
    })
}

fn records(marks: Placeholders, tables: &mut Tables) -> Written {
    let text = "insert into reputation (code, number, seat, person, kept, at, counts)
         values {}
         on conflict (code, number, seat, person) do update set kept = excluded.kept,
             at = excluded.at, counts = excluded.counts";
    let rows = taken(tables, |of| &mut of.records);
    about_rows(marks, text, rows, |(code, row)| {
        (code, row.number, row.seat, row.person, row.kept, row.at, Flag(row.counts))
    })
}

/// Sets the time from which the records of seats count.
fn counted(marks: Placeholders, tables: &mut Tables) -> Written {
    let text = "with given (code, number, seat, at) as (values {})
         update reputation set at = given.at from given
         where reputation.code = given.code and reputation.number = given.number
             and reputation.seat = given.seat and reputation.at is null";
    let rows = taken(tables, |of| &mut of.counted);
    about_rows(marks, text, rows, |(code, (number, seat, at))| (code, number, seat, at))
}

/// Stores the attendance of seats, for the persons who sit there.
fn attended(marks: Placeholders, tables: &mut Tables) -> Written {
    let text = "with given (code, seat, misses, put_off, inactive_at) as (values {})
         insert into attendance (code, seat, misses, put_off, inactive_at, person)
         select given.code, given.seat, misses, put_off, inactive_at, person
         from given join seats on seats.code = given.code and seats.seat = given.seat
         where person is not null
         on conflict (code, seat) do update set misses = excluded.misses,
             person = excluded.person, put_off = excluded.put_off,
             inactive_at = excluded.inactive_at";
    let rows = taken(tables, |of| &mut of.attended);
    about_rows(marks, text, rows, |(code, row)| {
        (code, row.seat, Count(row.misses), Count(row.put_off), row.inactive_at)
    })
}

fn journal(marks: Placeholders, tables: &mut Tables) -> Written {
    let text = "insert into journal (code, entry, at, body, hash) values {}";
    let rows = taken(tables, |of| &mut of.journal);
    about_rows(marks, text, rows, |(code, row)| (code, row.entry, row.at, row.body, row.hash))
}

/// Letters contain the code of their table.
fn posted(marks: Placeholders, tables: &mut Tables) -> Written {
    let text = "insert into outbox (attempts, letter, address, send_at, body) values {}";
    let rows = taken(tables, |of| &mut of.letters);
    about_rows(marks, text, rows, |(_, letter)| {
        (Count(0_u64), letter.letter, letter.address, letter.send_at, letter.body)
    })
}
