//! Validation of the rows of a file.
//!
//! A database stores documents as text and takes any; a bad one would fail at a later reader, with no hint of
//! the file that it came from.

use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::audit::file::Heading;
use crate::model::overrides::Override;
use crate::model::random;
use crate::record::event::Event;
use rules::seat::MAX_SEATS;
use rules::{Declaration, WindowKind};
use store::{Cell, Row, Seats};
use tables::absence::Keeping;
use tables::{Absence, CloseReason, Notified, Pace, Stage, TableSettings};

/// Checks that a row fits its kind. The error names the invalid column and its value.
pub(crate) fn fits(of: &str, row: &Row, heading: &Heading) -> Result<(), String> {
    match of {
        "tables" => {
            holds_its_table(row, heading)?;
            random::is_code(text(row, "code")?).then_some(()).ok_or_else(|| odd(row, "code"))?;
            is_word::<Stage>(row, "stage")?;
            reads::<Pace>(row, "pace")?;
            reads_if_any::<Pace>(row, "next_pace")?;
            reads_if_any::<Absence>(row, "absence")?;
            reads::<TableSettings>(row, "settings")?;
            within(row, "chairs", 1, i64::try_from(MAX_SEATS).unwrap_or(i64::MAX))?;
            // -1 means that no window has been opened.
            within(row, "open_window", -1, i64::from(u32::MAX))?;
            reads::<Json>(row, "options")
        }
        "windows" => {
            follows_others(row)?;
            is_word::<WindowKind>(row, "kind")?;
            is_word::<Seats>(row, "asked")?;
            is_word_if_any::<CloseReason>(row, "why")?;
            is_word_if_any::<Seats>(row, "awaited")?;
            reads::<Json>(row, "said")
        }
        "lateness" => reads::<Absence>(row, "absence"),
        "reputation" => is_word::<Keeping>(row, "kept"),
        "snapshots" => reads::<Json>(row, "state"),
        "declarations" | "orders" => reads::<Declaration>(row, "answers"),
        "next_declarations" => {
            is_word::<WindowKind>(row, "kind")?;
            reads::<Declaration>(row, "answers")
        }
        "journal" => reads::<Event>(row, "body"),
        "overrides" => {
            is_word::<Notified>(row, "notice")?;
            reads::<Override>(row, "what")
        }
        _ => Ok(()),
    }
}

/// Checks that a window comes after the windows that it refers to: otherwise rolling back would never end.
fn follows_others(row: &Row) -> Result<(), String> {
    let number = within(row, "number", 0, i64::from(u32::MAX))?;
    within(row, "root", 0, number)?;
    for column in ["follows", "again"] {
        if !matches!(row.0.get(column), None | Some(Cell::Nothing)) {
            within(row, column, 0, number - 1)?;
        }
    }
    Ok(())
}

/// Reads a number between these limits.
fn within(row: &Row, column: &str, least: i64, most: i64) -> Result<i64, String> {
    let number = row.0.get(column).and_then(Cell::number);
    number.filter(|number| (least..=most).contains(number)).ok_or_else(|| odd(row, column))
}

/// Checks that the row is the table of the heading.
fn holds_its_table(row: &Row, heading: &Heading) -> Result<(), String> {
    let Heading { table, game, edition, data, .. } = heading;
    let code = table.as_str();
    for (column, expected) in [("code", code), ("game", game), ("edition", edition), ("data", data)]
    {
        if text(row, column)? != expected {
            return Err(odd(row, column));
        }
    }
    Ok(())
}

fn text<'r>(row: &'r Row, column: &str) -> Result<&'r str, String> {
    row.0.get(column).and_then(Cell::text).ok_or_else(|| odd(row, column))
}

/// Checks that a column holds a word of this type.
fn is_word<W: FromStr>(row: &Row, column: &str) -> Result<(), String> {
    text(row, column)?.parse::<W>().map(drop).map_err(|_| odd(row, column))
}

/// Checks that a column is empty or holds a word of this type.
fn is_word_if_any<W: FromStr>(row: &Row, column: &str) -> Result<(), String> {
    let is_said = row.0.get(column).and_then(Cell::text).is_some();
    if is_said { is_word::<W>(row, column) } else { Ok(()) }
}

/// Checks that a column is empty or holds a document of this type.
fn reads_if_any<T: DeserializeOwned>(row: &Row, column: &str) -> Result<(), String> {
    let is_said = row.0.get(column).and_then(Cell::text).is_some();
    if is_said { reads::<T>(row, column) } else { Ok(()) }
}

/// Checks that a column holds a document of this type.
fn reads<T: DeserializeOwned>(row: &Row, column: &str) -> Result<(), String> {
    match serde_json::from_str::<T>(text(row, column)?) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{column}: {error}")),
    }
}

fn odd(row: &Row, column: &str) -> String {
    let found = row.0.get(column).map(|cell| serde_json::json!(cell).to_string());
    format!("{column}: {}", found.unwrap_or_default())
}
