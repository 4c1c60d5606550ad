//! What of a file is believed when another database takes it up.
//!
//! Whoever has written it could say anything, and chain it. What it says of its own table can be
//! played again; but it must not tell how people keep their windows elsewhere, and must not have
//! letters sent to whom it likes.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::audit::file::kinds::RowKind;
use crate::record::letter::Letter;
use letters::sampled_from;
use store::{Cell, Row, read_json};
use tables::ids::{AccountId, Address, TableCode};

/// How much of a file is believed.
#[derive(Clone, Copy, Debug)]
pub enum Belief {
    /// All of it: it was written by this house, or nobody is ever told anything by it.
    All,
    /// What is about its own table. The function says where somebody's own letters go, by their
    /// account.
    Table(fn(&AccountId) -> Option<Address>),
}

/// What of a file was not believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Where its public letters go.
    pub place: bool,
    /// Letters that were not to somebody of the table alone: how many.
    pub letters: usize,
    /// How somebody kept their windows: how many.
    pub windows: usize,
}

/// Who stands in a file, by what they are called there, and where their own letters go.
pub(crate) struct Addresses(BTreeMap<String, Option<Address>>);

impl Addresses {
    /// Of these people: what they are called, and their accounts.
    pub(crate) fn of<'a>(
        people: impl Iterator<Item = (&'a str, Option<&'a AccountId>)>,
        own: fn(&AccountId) -> Option<Address>,
    ) -> Self {
        Self(people.map(|(called, account)| (called.to_owned(), account.and_then(own))).collect())
    }

    /// A row as it is believed; nothing, if it is not. Its people are called as in the file.
    pub(crate) fn believed(
        &self,
        kind: &RowKind,
        row: &Row,
        code: &TableCode,
        left_out: &mut LeftOut,
    ) -> Option<Row> {
        let mut row = row.clone();
        match kind.of {
            "tables" => {
                let place = row.0.insert("place".to_owned(), Cell::Nothing);
                left_out.place = place.is_some_and(|place| place != Cell::Nothing);
            }
            // Of who has no account nobody will ever ask.
            "reputation" => {
                let of = row.0.get("person").and_then(Cell::text);
                if of.is_some_and(|person| self.has_account(person)) {
                    left_out.windows += 1;
                    return None;
                }
            }
            "outbox" if self.is_own_letter(&row, code) => {}
            "outbox" => {
                left_out.letters += 1;
                return None;
            }
            _ if row.0.contains_key("address") => {
                let of = row.0.get("person").and_then(Cell::text);
                let own = of.and_then(|person| self.0.get(person).cloned().flatten());
                let is_needed = kind.of == "substitutes";
                if is_needed && own.is_none() {
                    return None;
                }
                // Where the file knows of none, none is wanted.
                let address = row.0.get("address").filter(|address| **address != Cell::Nothing);
                let address =
                    address.and(own).map_or(Cell::Nothing, |own| Cell::Text(own.to_string()));
                row.0.insert("address".to_owned(), address);
            }
            _ => {}
        }
        Some(row)
    }

    fn has_account(&self, person: &str) -> bool {
        self.0.get(person).is_some_and(Option::is_some)
    }

    /// True if a letter is about this table, and goes to somebody's own address.
    fn is_own_letter(&self, row: &Row, code: &TableCode) -> bool {
        let text = |column| row.0.get(column).and_then(Cell::text);
        let own: BTreeSet<&str> = self.0.values().flatten().map(Address::as_str).collect();
        let letter = text("body").and_then(|body| read_json::<Letter>(body).ok());
        let is_its = text("letter").is_some_and(|letter| letter.starts_with(&format!("{code}-")));
        is_its
            && letter.is_some_and(|letter| letter.code == *code)
            && text("address").is_some_and(|address| own.contains(address))
            && text("follows").is_none_or(|follows| *code == follows)
    }
}

sampled_from! {
    LeftOut: [
        LeftOut::default(),
        LeftOut { place: true, letters: 0, windows: 0 },
        LeftOut { place: true, letters: 2, windows: 1 },
    ];
}
