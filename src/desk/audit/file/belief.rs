//! The trust in a file that another database imports.
//!
//! The writer of a file can write anything and chain it. The data of its own table can be replayed; but the
//! file must not change how people keep their windows elsewhere, and must not send letters to arbitrary
//! addresses.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::audit::file::kinds::RowKind;
use crate::record::letter::Letter;
use letters::sampled_from;
use store::{Cell, Row, read_json};
use tables::ids::{AccountId, Address, TableCode};

/// The degree of trust in a file.
#[derive(Clone, Copy, Debug)]
pub enum Belief {
    /// Everything is trusted: this installation wrote the file, or no letters are ever sent from it.
    All,
    /// Only the data of the file's own table is trusted. The function returns the address for a person's own
    /// letters, by their account.
    Table(fn(&AccountId) -> Option<Address>),
}

/// The parts of a file that were not imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// True if the address of the public letters was left out.
    pub place: bool,
    /// The number of letters left out, as they were not addressed to a person of the table.
    pub letters: usize,
    /// The number of attendance entries left out.
    pub windows: usize,
}

/// The addresses for the own letters of the people in a file, by their ids there.
pub(crate) struct Addresses(BTreeMap<String, Option<Address>>);

impl Addresses {
    /// Collects the addresses of people, given as ids in the file and accounts.
    pub(crate) fn of<'a>(
        people: impl Iterator<Item = (&'a str, Option<&'a AccountId>)>,
        own: fn(&AccountId) -> Option<Address>,
    ) -> Self {
        Self(people.map(|(called, account)| (called.to_owned(), account.and_then(own))).collect())
    }

    /// Returns a row without its untrusted values, or `None` if the whole row is untrusted. People keep their
    /// ids of the file.
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
            // The attendance of people without an account is never read.
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
                // A row without an address in the file stays without one.
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

    /// True if a letter is about this table, and goes to the own address of a person in the file.
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
