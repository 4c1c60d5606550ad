//! The record in a page: the rows of the table's file from which the script verifies the page.

use serde_json::{Map, Value as Json, json};

use crate::audit::file::{self, Content, DICE};

/// The kinds of rows in a page, and their columns; all columns if none is listed.
const KINDS: &[(&str, &[&str])] = &[
    ("tables", &["chain", "code", "commitment", "dice", "entries", "seed"]),
    ("seats", &["seat", "value"]),
    ("windows", &["again", "number"]),
    ("declarations", &["answers", "hash", "late", "number", "salt", "sealed", "seat"]),
    ("journal", &["at", "body", "hash"]),
    (DICE, &[]),
];

/// Returns the rows of a file by kind, without what the verification of a page does not need.
pub(super) fn of_file(file: &str) -> Json {
    let mut kinds: Map<String, Json> =
        KINDS.iter().map(|(kind, _)| ((*kind).to_owned(), json!([]))).collect();
    for Content { of, mut row } in
        file::read(file.as_bytes()).expect("a file that was just written")
    {
        let (Some((_, columns)), Some(held)) =
            (KINDS.iter().find(|(kind, _)| *kind == of), row.as_object_mut())
        else {
            continue;
        };
        held.retain(|column, _| columns.is_empty() || columns.contains(&column.as_str()));
        kinds[&of].as_array_mut().expect("a list of rows").push(row);
    }
    kinds.into()
}
