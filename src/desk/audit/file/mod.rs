//! One table in one file: its stored rows, for anybody who wants to verify them and for another database.
//!
//! The file is described in `docs/export.md`. Each line is chained to the one before, so that every change,
//! omission or cut shows in some line.

pub(crate) mod import;
#[cfg(test)]
mod test_file;
#[cfg(test)]
mod test_forged;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::audit::replay::replay_within;
use crate::model::{Desk, Games, NotDone, announced_stage};
use letters::sampled_from;
use rules::{Cast, Seat, receipt};
use store::{Cell, Result, Row, Session, SetRow, StoreError, Work, transfer, windows};
use tables::{AccountId, Stage, TableCode, Time, WindowNumber};

/// The written format, and the newest format that can be read.
const FORMAT: i64 = 1;

/// The first line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heading {
    pub format: i64,
    pub table: TableCode,
    /// The key of the game.
    pub game: String,
    /// The name of the edition of the rules.
    pub edition: String,
    /// The hash of the edition's data files, in hex digits.
    pub data: String,
    /// True if people are identified only by the names of their seats.
    pub nameless: bool,
    /// True if the file holds what is secret while the game runs, and private data.
    pub secrets: bool,
    /// True if the file holds every die; false if the writing program did not know the edition.
    pub dice: bool,
}

/// The last line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ending {
    /// The number of lines before this one.
    lines: usize,
}

/// The set of cards that the table is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetLine {
    /// The SHA-256 of the text, in hex digits.
    hash: String,
    /// The text of the set's file.
    text: String,
}

/// A die, and the number of the window for which it was thrown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DieLine {
    number: WindowNumber,
    #[serde(flatten)]
    cast: Cast,
}

sampled_from! {
    Heading: [Heading {
        format: 1, table: "K7Q2T".into(), game: "g".to_owned(), edition: "e".to_owned(),
        data: "00ff00ff00ff00ff".to_owned(), nameless: false, secrets: false, dice: true,
    }];
}

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
        left_out: &["shown_as"],
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
        left_out: &["shown_as"],
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

/// The text between a line's content and its hash.
const SEAM: &str = r#","chain":""#;

/// The length in bytes of a line's end: the seam, 64 hex digits, and the two closing characters.
const END: usize = SEAM.len() + 64 + 2;

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Content<T> {
    /// The kind of the row.
    pub(crate) of: String,
    pub(crate) row: T,
}

/// The reason why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("line {line}: {why:?}")]
pub struct FileFault {
    /// The number of the first bad line, from 1.
    pub line: usize,
    /// The fault of the line.
    pub why: Unfit,
}

/// A fault of a line in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", content = "of", rename_all = "kebab-case")]
pub enum Unfit {
    /// The file was cut off before this line.
    Missing,
    /// The line has another format.
    Foreign,
    /// The line was changed, or one before it was removed or inserted.
    Changed,
    /// The line comes after the last one.
    Surplus,
    /// A line of this kind is missing or out of place.
    Misplaced(String),
    /// The line holds an invalid value; the field holds the value or the error.
    Odd(String),
    /// The file was written by a newer program, in this format.
    Newer(i64),
}

/// Lines that are chained as they are written.
pub(crate) struct ChainedLines {
    text: String,
    chain: [u8; 32],
    count: usize,
}

impl ChainedLines {
    pub(crate) fn new() -> Self {
        Self { text: String::new(), chain: receipt::BEGINNING, count: 0 }
    }

    /// Adds a line.
    ///
    /// # Panics
    /// Never: rows are plain data.
    pub(crate) fn push(&mut self, of: &str, row: &impl Serialize) {
        let content = Content { of: of.to_owned(), row };
        let mut line = serde_json::to_string(&content).expect("a row is plain data");
        line.pop();
        self.chain = receipt::chain_of_file(&self.chain, &line);
        line.push_str(SEAM);
        line.push_str(&hex::encode(self.chain));
        line.push_str("\"}\n");
        self.text.push_str(&line);
        self.count += 1;
    }

    /// Ends the file with its last line.
    pub(crate) fn end(mut self) -> String {
        self.push(LAST, &Ending { lines: self.count });
        self.text
    }
}

/// Reads every line of a file except the last one, and checks the chain.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Content<Json>>, FileFault> {
    let mut chain = receipt::BEGINNING;
    let mut contents: Vec<Content<Json>> = Vec::new();
    let mut is_over = false;
    for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let unfit = |why| Err(FileFault { line: number, why });
        if is_over {
            return unfit(Unfit::Surplus);
        }
        let Some(line) = line.strip_suffix(b"\n") else { return unfit(Unfit::Missing) };
        let Ok(line) = std::str::from_utf8(line) else { return unfit(Unfit::Changed) };
        let Some((body, hash)) = parts(line) else { return unfit(Unfit::Foreign) };
        chain = receipt::chain_of_file(&chain, body);
        if hash != hex::encode(chain) {
            return unfit(Unfit::Changed);
        }
        let Ok(content) = serde_json::from_str::<Content<Json>>(&format!("{body}}}")) else {
            return unfit(Unfit::Foreign);
        };
        if content.of == LAST {
            let is_right = row::<Ending>(&content).is_ok_and(|end| end.lines + 1 == number);
            if !is_right {
                return unfit(Unfit::Missing);
            }
            is_over = true;
        } else {
            contents.push(content);
        }
    }
    if is_over {
        Ok(contents)
    } else {
        Err(FileFault { line: contents.len() + 1, why: Unfit::Missing })
    }
}

/// Splits a line into its content without the closing brace, and its hash.
fn parts(line: &str) -> Option<(&str, &str)> {
    let (body, end) = line.split_at_checked(line.len().checked_sub(END)?)?;
    let hash = end.strip_prefix(SEAM)?.strip_suffix("\"}")?;
    Some((body, hash))
}

/// Parses the row of a line.
pub(crate) fn row<T: DeserializeOwned>(content: &Content<Json>) -> Result<T, Unfit> {
    serde_json::from_value(content.row.clone()).map_err(|error| Unfit::Odd(error.to_string()))
}

sampled_from! {
    Unfit: [
        Unfit::Missing, Unfit::Foreign, Unfit::Changed, Unfit::Surplus,
        Unfit::Misplaced("x".to_owned()), Unfit::Odd("x".to_owned()), Unfit::Newer(9),
    ];
}

/// A table as a file describes it.
#[derive(Debug)]
pub struct TableFile {
    /// The first line.
    pub heading: Heading,
    pub(crate) people: Vec<PersonLine>,
    /// The set of cards with its line number, `None` for a table without one.
    pub(crate) set: Option<(usize, SetLine)>,
    /// All rows: the line number, the kind (one of [`KINDS`] or the outbox), and the columns.
    pub(crate) rows: Vec<(usize, &'static RowKind, Row)>,
    /// All dice, with their line numbers.
    pub(crate) dice: Vec<(usize, DieLine)>,
}

/// A person in the rows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonLine {
    /// The id in the file.
    #[serde(rename = "person")]
    pub(crate) called: String,
    /// The account outside of this program; `None` if the file leaves it out.
    pub(crate) account: Option<AccountId>,
    /// The language of the reader.
    pub(crate) language: String,
}

impl TableFile {
    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Self, FileFault> {
        let contents = read(bytes)?;
        let fault = |line: usize| move |why| FileFault { line, why };
        let heading = contents.first().ok_or(FileFault { line: 1, why: Unfit::Missing })?;
        let heading = read_heading(heading).map_err(fault(1))?;
        let mut file =
            Self { heading, people: Vec::new(), set: None, rows: Vec::new(), dice: Vec::new() };
        // Rows stand in the order in which a database can insert them.
        let mut newest = 0;
        for (line, content) in (2..).zip(&contents[1..]) {
            let place = place(&content.of)
                .ok_or_else(|| FileFault { line, why: Unfit::Odd(content.of.clone()) })?;
            if place < newest {
                return Err(FileFault { line, why: Unfit::Misplaced(content.of.clone()) });
            }
            newest = place;
            match content.of.as_str() {
                PEOPLE => file.people.push(row(content).map_err(fault(line))?),
                SET if file.set.is_some() => {
                    return Err(FileFault { line, why: Unfit::Misplaced(SET.to_owned()) });
                }
                SET => file.set = Some((line, row(content).map_err(fault(line))?)),
                DICE => file.dice.push((line, row(content).map_err(fault(line))?)),
                of => {
                    let kind =
                        kind(of).ok_or(FileFault { line, why: Unfit::Odd(of.to_owned()) })?;
                    file.rows.push((line, kind, row(content).map_err(fault(line))?));
                }
            }
        }
        Ok(file)
    }
}

fn read_heading(content: &Content<Json>) -> Result<Heading, Unfit> {
    if content.of != HEADING {
        return Err(Unfit::Misplaced(HEADING.to_owned()));
    }
    match content.row.get("format").and_then(Json::as_i64) {
        Some(format) if format > FORMAT => Err(Unfit::Newer(format)),
        _ => row(content),
    }
}

fn kind(of: &str) -> Option<&'static RowKind> {
    KINDS.iter().chain([&OUTBOX]).find(|kind| kind.of == of)
}

/// Returns the position of a kind in the order of the file.
fn place(of: &str) -> Option<usize> {
    let last = KINDS.len() + 2;
    match of {
        PEOPLE => Some(0),
        SET => Some(1),
        DICE => Some(last + 1),
        of if of == OUTBOX.of => Some(last),
        of => KINDS.iter().position(|kind| kind.of == of).map(|place| place + 2),
    }
}

/// The extent of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Includes what is secret while the game runs, and private data: another database can then continue the
    /// table.
    pub secrets: bool,
    /// Identifies people only by the names of their seats.
    pub nameless: bool,
}

/// The reason why no file was written.
#[derive(Debug, thiserror::Error)]
pub enum NotExported {
    /// The table does not exist.
    #[error("there is no such table")]
    NoTable,
    /// The game is not over, or its end has not been announced: the file would reveal secrets.
    #[error("the table is not over")]
    Running,
    /// The database cannot be reached, or holds unreadable data.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns all data of a table as a file in the format of `docs/export.md`.
/// Fails if the table does not exist, or if it is not over and `extent` leaves its secrets out.
pub async fn export(
    desk: &Desk,
    code: &TableCode,
    extent: Extent,
    now: Time,
) -> Result<String, NotExported> {
    let writing = Writing { games: desk.games, code: code.to_owned(), extent, now };
    desk.store.look(Work::new(writing, |writing, db| Box::pin(writing.work(db)))).await?
}

struct Writing {
    games: Games,
    code: TableCode,
    extent: Extent,
    now: Time,
}

impl Writing {
    async fn work(&self, db: &mut Session) -> Result<Result<String, NotExported>> {
        let Some(table) = db.table(&self.code).await? else {
            return Ok(Err(NotExported::NoTable));
        };
        let open = windows::window(db, &self.code, table.open_window).await?;
        let stage = announced_stage(&table, open.as_ref(), self.now);
        if stage != Stage::Over && !self.extent.secrets {
            return Ok(Err(NotExported::Running));
        }
        let dice = match replay_within(db, self.games, &self.code).await {
            Ok(replay) => Some(replay.dice),
            Err(NotDone::Store(error)) => return Err(error),
            Err(_) => None,
        };
        let set = match &table.card_set {
            Some(hash) => transfer::set(db, hash).await?,
            None => None,
        };
        let heading = Heading {
            format: FORMAT,
            table: table.code,
            game: table.game,
            edition: table.edition,
            data: table.data,
            nameless: self.extent.nameless,
            secrets: self.extent.secrets,
            dice: dice.is_some(),
        };
        let mut lines = ChainedLines::new();
        lines.push(HEADING, &heading);
        let (mut people, mut rows) = (People::default(), Vec::new());
        for kind in KINDS {
            if kind.secret && !self.extent.secrets {
                continue;
            }
            for row in transfer::rows_of(db, kind.of, kind.order, &self.code).await? {
                if kind.of == "seats" {
                    people.seat(&row);
                }
                rows.push((kind, row));
            }
        }
        if self.extent.secrets {
            let unsent = transfer::unsent_rows(db, &self.code).await?;
            rows.extend(unsent.into_iter().map(|row| (&OUTBOX, row)));
        }
        for (kind, row) in &mut rows {
            self.cover(kind, row, &mut people);
        }
        for (person, name) in people.in_order() {
            if let Some(row) = transfer::person_row(db, &person).await? {
                lines.push(PEOPLE, &self.person(&name, &row));
            }
        }
        if let Some(SetRow { hash, text, .. }) = set {
            lines.push(SET, &SetLine { hash, text });
        }
        for (kind, row) in &rows {
            lines.push(kind.of, row);
        }
        for (number, cast) in dice.into_iter().flatten() {
            lines.push(DICE, &DieLine { number, cast });
        }
        Ok(Ok(lines.end()))
    }

    /// Removes the hidden values from a row, and renames its people.
    fn cover(&self, kind: &RowKind, row: &mut Row, people: &mut People) {
        let Extent { secrets, nameless } = self.extent;
        let cells = &mut row.0;
        cells.retain(|column, _| !kind.left_out.contains(&column.as_str()));
        let hidden = kind.hidden.iter().filter(|_| !secrets);
        for column in hidden.chain(kind.names.iter().filter(|_| nameless)) {
            let empty = match (kind.of, *column) {
                (_, "name" | "reason") => Cell::Text(String::new()),
                _ => Cell::Nothing,
            };
            cells.insert((*column).to_owned(), empty);
        }
        for column in kind.people {
            if let Some(Cell::Text(person)) = cells.get_mut(*column) {
                *person = people.name(person);
            }
        }
    }

    /// Returns the line of a person.
    fn person(&self, name: &str, row: &Row) -> impl Serialize {
        let account = row.0.get("account").and_then(Cell::text).map(AccountId::from);
        let known = account.filter(|account| !self.extent.nameless && !account.is_erased());
        json!({ "person": name, "account": known, "language": row.0.get("language") })
    }
}

/// The places and names of a table's people in its file, by their ids here.
#[derive(Default)]
struct People(BTreeMap<String, (usize, String)>);

impl People {
    /// Names a seated person by their seat.
    fn seat(&mut self, row: &Row) {
        let Some(person) = row.0.get("person").and_then(Cell::text) else { return };
        let Some(Cell::Number(seat)) = row.0.get("seat") else { return };
        let name = Seat::try_from(*seat).map_or_else(|_| String::new(), |seat| seat.to_string());
        let place = self.0.len();
        self.0.insert(person.to_owned(), (place, name));
    }

    fn name(&mut self, person: &str) -> String {
        let place = self.0.len();
        let entry = self.0.entry(person.to_owned());
        entry.or_insert_with(|| (place, format!("person {}", place + 1))).1.clone()
    }

    /// Returns the ids and names, in the order of their appearance.
    fn in_order(&self) -> Vec<(String, String)> {
        let mut people: Vec<_> = self.0.iter().collect();
        people.sort_by_key(|(_, (place, _))| *place);
        people.into_iter().map(|(person, (_, name))| (person.clone(), name.clone())).collect()
    }
}
