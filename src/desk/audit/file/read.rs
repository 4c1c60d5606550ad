//! A file, read.

use serde::Deserialize;
use serde_json::Value as Json;

use crate::audit::file::kinds::{DICE, HEADING, KINDS, OUTBOX, PEOPLE, RowKind};
use crate::audit::file::line::{Content, FileFault, Unfit, read, row};
use crate::audit::file::{DieLine, FORMAT, Heading};
use store::Row;
use tables::ids::AccountId;

/// One table, as a file has it.
#[derive(Debug)]
pub struct TableFile {
    /// What it begins with.
    pub heading: Heading,
    pub(crate) people: Vec<PersonLine>,
    /// Every row: its line, the table of the database that it is of, and its place among
    /// [`KINDS`].
    pub(crate) rows: Vec<(usize, &'static RowKind, Row)>,
    /// Every die, with its line.
    pub(crate) dice: Vec<(usize, DieLine)>,
}

/// Somebody who stands in the rows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonLine {
    /// What they are called in the file.
    #[serde(rename = "person")]
    pub(crate) called: String,
    /// Who they are outside of this house; none if that is not told.
    pub(crate) account: Option<AccountId>,
    /// The language they read.
    pub(crate) language: String,
}

impl TableFile {
    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Self, FileFault> {
        let contents = read(bytes)?;
        let fault = |line: usize| move |why| FileFault { line, why };
        let heading = contents.first().ok_or(FileFault { line: 1, why: Unfit::Missing })?;
        let heading = read_heading(heading).map_err(fault(1))?;
        let mut file = Self { heading, people: Vec::new(), rows: Vec::new(), dice: Vec::new() };
        // Rows come in the order in which a database can take them up.
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

/// Where rows of a kind stand among the others.
fn place(of: &str) -> Option<usize> {
    let last = KINDS.len() + 1;
    match of {
        PEOPLE => Some(0),
        DICE => Some(last + 1),
        of if of == OUTBOX.of => Some(last),
        of => KINDS.iter().position(|kind| kind.of == of).map(|place| place + 1),
    }
}
