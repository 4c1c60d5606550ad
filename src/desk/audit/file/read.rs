//! The reading of a file.

use serde::Deserialize;
use serde_json::Value as Json;

use crate::audit::file::kinds::{DICE, HEADING, KINDS, OUTBOX, PEOPLE, RowKind, SET};
use crate::audit::file::line::{Content, FileFault, Unfit, read, row};
use crate::audit::file::{DieLine, FORMAT, Heading, SetLine};
use store::Row;
use tables::ids::AccountId;

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
