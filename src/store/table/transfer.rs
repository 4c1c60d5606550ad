//! All rows of one table of a game as they stand, for a file that another database can import, and for the undo
//! of an override.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::any::AnyTypeInfoKind::{BigInt, Integer, Null, SmallInt};
use sqlx::{AssertSqlSafe, Column, FromRow, Row as _, ValueRef as _, query};

use crate::database::{Result, Session, StoreError};
use crate::rows::Statement;
use crate::table::tables::Touched;
use tables::TableCode;

/// The value of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    Nothing,
    Number(i64),
    Text(String),
}

impl Cell {
    /// Returns the text, `None` for other values.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Nothing | Self::Number(_) => None,
        }
    }

    /// Returns the number, `None` for other values.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Nothing | Self::Text(_) => None,
        }
    }
}

/// A row, by its columns.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Row(pub BTreeMap<String, Cell>);

impl Row {
    /// Returns the equation of a column and its value, and adds the value.
    fn equals(&self, column: &str, cells: &mut Vec<Cell>) -> String {
        match self.0.get(column) {
            None | Some(Cell::Nothing) => format!("{column} = null"),
            Some(cell) => {
                cells.push(cell.clone());
                format!("{column} = ${}", cells.len())
            }
        }
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A value may be a seed or a declaration, which must not reach a log.
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl FromRow<'_, AnyRow> for Row {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let cell = |place: usize| -> sqlx::Result<Cell> {
            let value = row.try_get_raw(place)?;
            if value.is_null() {
                return Ok(Cell::Nothing);
            }
            let kind = value.type_info().into_owned().kind();
            match kind {
                Null => Ok(Cell::Nothing),
                SmallInt | Integer | BigInt => Ok(Cell::Number(row.try_get(place)?)),
                _ => Ok(Cell::Text(row.try_get(place)?)),
            }
        };
        let cells = row
            .columns()
            .iter()
            .map(|column| Ok((column.name().to_owned(), cell(column.ordinal())?)));
        cells.collect::<sqlx::Result<_>>().map(Self)
    }
}

/// Returns the rows about a table of a game in a table of the database, in the order of these columns.
pub async fn rows_of(
    db: &mut Session,
    of: &'static str,
    order: &'static str,
    code: &TableCode,
) -> Result<Vec<Row>> {
    let text = format!("select * from {of} where code = $1 order by {order}");
    db.rows(AssertSqlSafe(text), (code,)).await
}

/// Returns the unsent letters about a table.
pub async fn unsent_rows(db: &mut Session, code: &TableCode) -> Result<Vec<Row>> {
    let text = "select * from outbox where letter like $1 and sent_at is null order by letter";
    db.rows(text, (format!("{code}-%"),)).await
}

/// Returns the row of a person.
pub async fn person_row(db: &mut Session, person: &str) -> Result<Option<Row>> {
    db.row("select * from people where person = $1", (person,)).await
}

/// Inserts a row.
///
/// # Errors
/// If the database refuses it: a column is unknown or missing, or the row exists already.
pub async fn put_row(db: &mut Session, of: &'static str, row: &Row) -> Result<()> {
    let there = row.0.iter().filter(|(_, cell)| **cell != Cell::Nothing);
    let (columns, cells): (Vec<_>, Vec<_>) = there.unzip();
    let is_name =
        |name: &&String| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if let Some(name) = columns.iter().find(|name| !is_name(name)) {
        return Err(StoreError::Unreadable(format!("no column is called {name:?}")));
    }
    let names: Vec<&str> = columns.iter().map(|name| name.as_str()).collect();
    let places: Vec<String> = (1..=cells.len()).map(|place| format!("${place}")).collect();
    let (names, places) = (names.join(", "), places.join(", "));
    let text = format!("insert into {of} ({names}) values ({places})");
    db.execute(bound(text, cells)).await.map(drop)
}

/// Returns a statement with the values of cells.
fn bound<'c>(text: String, cells: impl IntoIterator<Item = &'c Cell>) -> Statement {
    // Only names of columns are put into the text.
    cells.into_iter().fold(query(AssertSqlSafe(text)), |statement, cell| match cell {
        Cell::Nothing => statement,
        Cell::Number(number) => statement.bind(*number),
        Cell::Text(text) => statement.bind(text.clone()),
    })
}

/// Changes columns of the row with the same key to those of this row.
pub async fn change_row(
    tx: &mut Touched<'_>,
    of: &'static str,
    key: &[&str],
    columns: &[&str],
    row: &Row,
) -> Result<()> {
    let mut cells = Vec::new();
    let set: Vec<String> = columns.iter().map(|column| row.equals(column, &mut cells)).collect();
    let text = format!("update {of} set {} where {}", set.join(", "), at(tx, row, key, &mut cells));
    tx.db.execute(bound(text, &cells)).await.map(drop)
}

/// Deletes the row with the same key.
pub async fn drop_row(
    tx: &mut Touched<'_>,
    of: &'static str,
    key: &[&str],
    row: &Row,
) -> Result<()> {
    let mut cells = Vec::new();
    let text = format!("delete from {of} where {}", at(tx, row, key, &mut cells));
    tx.db.execute(bound(text, &cells)).await.map(drop)
}

/// Returns the condition of a row of the table, and adds its values.
fn at(tx: &Touched<'_>, row: &Row, key: &[&str], cells: &mut Vec<Cell>) -> String {
    cells.push(Cell::Text(tx.table.code.to_string()));
    let code = format!("code = ${}", cells.len());
    let key = key.iter().map(|column| row.equals(column, cells));
    std::iter::once(code).chain(key).collect::<Vec<_>>().join(" and ")
}

/// A set of cards.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SetRow {
    /// The SHA-256 of the text, in hex digits.
    pub hash: String,
    /// The key of the game.
    pub game: String,
    /// The text of the set's file.
    pub text: String,
}

/// Returns the set with this hash, `None` if no table was bound to it.
pub async fn set(db: &mut Session, hash: &str) -> Result<Option<SetRow>> {
    db.row("select hash, game, text from sets where hash = $1", (hash,)).await
}

/// Stores a set, once.
pub async fn keep_set(db: &mut Session, set: &SetRow) -> Result<()> {
    let text =
        "insert into sets (hash, game, text) values ($1, $2, $3) on conflict (hash) do nothing";
    db.write(text, (&set.hash, &set.game, &set.text)).await
}

/// Binds the table to a set of cards, for good.
pub async fn bind_set(tx: &mut Touched<'_>, set: &SetRow) -> Result<()> {
    keep_set(tx.db, set).await?;
    let text = "update tables set card_set = $1 where code = $2";
    tx.db.write(text, (&set.hash, &tx.table.code)).await?;
    tx.table.card_set = Some(set.hash.clone());
    Ok(())
}
