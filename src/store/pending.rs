//! What a piece of work writes about a table, as long as nothing asks for it: many rows of a kind go
//! in one statement, what changes in the table's row in one, and what is written twice once.
//!
//! A session puts it to the database before the next statement that could depend on it, and at the
//! latest before the transaction ends ([`Session::put_down`](super::Session)).

use std::fmt;

use sqlx::{AssertSqlSafe, query};

use super::rows::{WindowRow, chair};
use super::session::Statement;
use super::{FiledRow, JournalRow, LatenessRow, Outgoing, PresenceRow, ReputationRow};
use crate::tables::{Stage, Timing};

/// What a statement is about that does not mind what else is still to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Windows, and what stands beside them.
    Windows,
    /// What was declared in them.
    Declarations,
    /// How they were kept.
    Reputation,
}

/// Rows of one table that are still to be written.
#[derive(Default)]
pub(super) struct Pending {
    /// Which table.
    pub(super) code: String,
    pub(super) table: Change,
    windows: Vec<WindowRow>,
    /// States at the openings of root windows, with their hashes.
    states: Vec<(i64, String, String)>,
    lateness: Vec<(i64, LatenessRow)>,
    declared: Vec<(i64, FiledRow)>,
    kept: Vec<ReputationRow>,
    attended: Vec<PresenceRow>,
    journal: Vec<JournalRow>,
    letters: Vec<Outgoing>,
}

/// When the clock has to look at a table next, if ever.
pub(super) struct LookAt(pub(super) Option<i64>);

/// What changes in the table's row.
#[derive(Default)]
pub(super) struct Change {
    /// How far it is, which window is open, and how many there are.
    pub(super) turned: Option<(Stage, i64, i64)>,
    pub(super) look_at: Option<LookAt>,
    /// Why it waits, and since when.
    pub(super) held: Option<(Option<String>, Option<i64>)>,
    /// How many entries its journal has, and the hash of the last.
    pub(super) chained: Option<(i64, String)>,
    /// How often it was stirred.
    pub(super) stirred: i64,
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Declarations and states must not reach a log.
        f.debug_struct("Pending").field("code", &self.code).finish_non_exhaustive()
    }
}

impl Pending {
    /// Whether something of this kind is among it.
    pub(super) fn holds(&self, about: About) -> bool {
        match about {
            About::Windows => {
                !(self.windows.is_empty() && self.states.is_empty() && self.lateness.is_empty())
            }
            About::Declarations => !self.declared.is_empty() || self.holds(About::Windows),
            About::Reputation => !self.kept.is_empty(),
        }
    }

    pub(super) fn open(&mut self, window: WindowRow) {
        self.windows.push(window);
    }

    /// Whether the window of this number is still to be written; then with these times.
    pub(super) fn time(&mut self, number: i64, timing: Timing) -> bool {
        let Some(window) = self.windows.iter_mut().find(|window| window.number == number) else {
            return false;
        };
        window.opens_at = timing.opens;
        window.closes_at = timing.closes;
        window.settles_at = timing.settles;
        window.reminded_at = timing.reminded;
        true
    }

    pub(super) fn keep_state(&mut self, number: i64, state: String, hash: String) {
        self.states.push((number, state, hash));
    }

    pub(super) fn keep_lateness(&mut self, number: i64, row: LatenessRow) {
        self.lateness.retain(|(other, _)| *other != number);
        self.lateness.push((number, row));
    }

    pub(super) fn declare(&mut self, number: i64, row: FiledRow) {
        self.declared.retain(|(other, filed)| (*other, filed.seat) != (number, row.seat));
        self.declared.push((number, row));
    }

    pub(super) fn keep_window(&mut self, row: ReputationRow) {
        let key = |row: &ReputationRow| (row.number, row.seat, row.person.clone());
        self.kept.retain(|other| key(other) != key(&row));
        self.kept.push(row);
    }

    pub(super) fn attend(&mut self, row: PresenceRow) {
        self.attended.retain(|other| other.seat != row.seat);
        self.attended.push(row);
    }

    pub(super) fn record(&mut self, row: JournalRow) {
        self.journal.push(row);
    }

    pub(super) fn post(&mut self, letters: Vec<Outgoing>) {
        self.letters.extend(letters);
    }

    /// The statements that write it, in the order in which rows name one another.
    pub(super) fn statements(self) -> Vec<Statement> {
        let code = self.code;
        let written = [
            opened(&code, self.windows),
            with_states(&code, self.states),
            with_lateness(&code, self.lateness),
            declared(&code, self.declared),
            kept(&code, self.kept),
            attended(&code, &self.attended),
            journal(&code, self.journal),
            self.table.statement(&code),
            posted(self.letters),
        ];
        written.into_iter().flatten().collect()
    }
}

impl Change {
    fn statement(self, code: &str) -> Option<Statement> {
        let Self { turned, look_at, held, chained, stirred } = self;
        let groups: [(bool, &[&str]); 4] = [
            (turned.is_some(), &["stage", "open_window", "windows"]),
            (look_at.is_some(), &["look_at"]),
            (held.is_some(), &["held", "held_at"]),
            (chained.is_some(), &["entries", "chain"]),
        ];
        let columns: Vec<&str> = groups
            .iter()
            .filter(|(is_changed, _)| *is_changed)
            .flat_map(|(_, of)| *of)
            .copied()
            .collect();
        let set = |(column, value): (&&str, usize)| format!("{column} = ${value}");
        let mut sets: Vec<String> = columns.iter().zip(2..).map(set).collect();
        if stirred > 0 {
            sets.push(format!("stirred = stirred + ${}", columns.len() + 2));
        }
        if sets.is_empty() {
            return None;
        }
        let text = format!("update tables set {} where code = $1", sets.join(", "));
        // Nothing but names of columns and numbers was put into it.
        let mut statement = query(AssertSqlSafe(text)).bind(code.to_owned());
        if let Some((stage, window, windows)) = turned {
            statement = statement.bind(stage.word()).bind(window).bind(windows);
        }
        if let Some(LookAt(look_at)) = look_at {
            statement = statement.bind(look_at);
        }
        if let Some((held, held_at)) = held {
            statement = statement.bind(held).bind(held_at);
        }
        if let Some((entries, chain)) = chained {
            statement = statement.bind(entries).bind(chain);
        }
        Some(if stirred > 0 { statement.bind(stirred) } else { statement })
    }
}

/// The values of so many rows of a table, each with so many columns behind its code.
fn values(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let first = 2 + row * columns;
        let values: Vec<String> =
            (first..first + columns).map(|value| format!("${value}")).collect();
        format!("($1, {})", values.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// A statement about some rows of a table, in which `{}` stands for their values; none without any.
fn about_rows(code: &str, text: &str, rows: usize, columns: usize) -> Option<Statement> {
    if rows == 0 {
        return None;
    }
    let text = text.replace("{}", &values(rows, columns));
    // Nothing but numbers was put into it.
    Some(query(AssertSqlSafe(text)).bind(code.to_owned()))
}

fn opened(code: &str, windows: Vec<WindowRow>) -> Option<Statement> {
    let text = "insert into windows (code, number, root, said, asked, opens_at, closes_at,
             settles_at, reminded_at, follows, again)
         values {}";
    let mut statement = about_rows(code, text, windows.len(), 10)?;
    for window in windows {
        statement = statement
            .bind(window.number)
            .bind(window.root)
            .bind(window.said)
            .bind(window.asked.to_string())
            .bind(window.opens_at)
            .bind(window.closes_at)
            .bind(window.settles_at)
            .bind(window.reminded_at)
            .bind(window.follows)
            .bind(window.again);
    }
    Some(statement)
}

fn with_states(code: &str, states: Vec<(i64, String, String)>) -> Option<Statement> {
    let text = "insert into snapshots (code, number, state, hash) values {}";
    let mut statement = about_rows(code, text, states.len(), 3)?;
    for (number, state, hash) in states {
        statement = statement.bind(number).bind(state).bind(hash);
    }
    Some(statement)
}

fn with_lateness(code: &str, rows: Vec<(i64, LatenessRow)>) -> Option<Statement> {
    let text = "insert into lateness (code, number, absence, put_off, missed, late, called_at)
         values {}
         on conflict (code, number) do update set absence = excluded.absence,
             put_off = excluded.put_off, missed = excluded.missed, late = excluded.late,
             called_at = excluded.called_at";
    let mut statement = about_rows(code, text, rows.len(), 6)?;
    for (number, row) in rows {
        statement = statement
            .bind(number)
            .bind(row.absence)
            .bind(row.put_off)
            .bind(row.missed.to_string())
            .bind(row.late)
            .bind(row.called_at);
    }
    Some(statement)
}

fn declared(code: &str, rows: Vec<(i64, FiledRow)>) -> Option<Statement> {
    let text =
        "insert into declarations (code, number, seat, answers, sealed, complete, salt, hash)
         values {}
         on conflict (code, number, seat) do update set answers = excluded.answers,
             sealed = excluded.sealed, complete = excluded.complete, salt = excluded.salt,
             hash = excluded.hash";
    let mut statement = about_rows(code, text, rows.len(), 7)?;
    for (number, row) in rows {
        statement = statement
            .bind(number)
            .bind(row.seat)
            .bind(row.answers)
            .bind(row.sealed)
            .bind(row.complete)
            .bind(row.salt)
            .bind(row.hash);
    }
    Some(statement)
}

fn kept(code: &str, rows: Vec<ReputationRow>) -> Option<Statement> {
    let text = "insert into reputation (code, number, seat, person, kept, at, counts)
         values {}
         on conflict (code, number, seat, person) do update set kept = excluded.kept,
             at = excluded.at, counts = excluded.counts";
    let mut statement = about_rows(code, text, rows.len(), 6)?;
    for row in rows {
        statement = statement
            .bind(row.number)
            .bind(chair(row.seat))
            .bind(row.person)
            .bind(row.kept)
            .bind(row.at)
            .bind(row.counts);
    }
    Some(statement)
}

/// How seats keep their windows, of whoever sits there.
fn attended(code: &str, rows: &[PresenceRow]) -> Option<Statement> {
    let text = "with given (code, seat, misses, put_off, inactive_at) as (values {})
         insert into attendance (code, seat, misses, put_off, inactive_at, person)
         select given.code, given.seat, misses, put_off, inactive_at, person
         from given join seats on seats.code = given.code and seats.seat = given.seat
         where person is not null
         on conflict (code, seat) do update set misses = excluded.misses,
             person = excluded.person, put_off = excluded.put_off,
             inactive_at = excluded.inactive_at";
    let mut statement = about_rows(code, text, rows.len(), 4)?;
    for row in rows {
        statement = statement
            .bind(chair(row.seat))
            .bind(row.misses)
            .bind(row.put_off)
            .bind(row.inactive_at);
    }
    Some(statement)
}

fn journal(code: &str, rows: Vec<JournalRow>) -> Option<Statement> {
    let text = "insert into journal (code, entry, at, body, hash) values {}";
    let mut statement = about_rows(code, text, rows.len(), 4)?;
    for row in rows {
        statement = statement.bind(row.entry).bind(row.at).bind(row.body).bind(row.hash);
    }
    Some(statement)
}

fn posted(letters: Vec<Outgoing>) -> Option<Statement> {
    if letters.is_empty() {
        return None;
    }
    let row = |first| format!("(${first}, ${}, ${}, ${}, 0)", first + 1, first + 2, first + 3);
    let rows: Vec<String> = (1..).step_by(4).take(letters.len()).map(row).collect();
    let rows = rows.join(", ");
    let text =
        format!("insert into outbox (letter, address, send_at, body, attempts) values {rows}");
    // Nothing but numbers was put into it.
    let mut statement = query(AssertSqlSafe(text));
    for letter in letters {
        statement = statement
            .bind(letter.letter)
            .bind(letter.address)
            .bind(letter.send_at)
            .bind(letter.body);
    }
    Some(statement)
}
