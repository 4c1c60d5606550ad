//! The export of a table into a file.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::json;

use crate::audit::file::kinds::{DICE, HEADING, KINDS, OUTBOX, PEOPLE, RowKind, SET};
use crate::audit::file::line::ChainedLines;
use crate::audit::file::{DieLine, FORMAT, Heading, SetLine};
use crate::audit::replay::replay_within;
use crate::model::desk::{Desk, NotDone};
use crate::model::load::{Games, announced_stage};
use rules::Seat;
use store::{Cell, Row, Session, SetRow, StoreError, Work, sets, transfer};
use tables::Stage;
use tables::ids::{AccountId, TableCode};
use tables::time::Time;

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
    desk.store.look(writing).await?
}

struct Writing {
    games: Games,
    code: TableCode,
    extent: Extent,
    now: Time,
}

#[async_trait]
impl Work for Writing {
    type Done = Result<String, NotExported>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        let Some(table) = session.table(&self.code).await? else {
            return Ok(Err(NotExported::NoTable));
        };
        let open = session.window(&self.code, table.open_window).await?;
        let stage = announced_stage(&table, open.as_ref(), self.now);
        if stage != Stage::Over && !self.extent.secrets {
            return Ok(Err(NotExported::Running));
        }
        let dice = match replay_within(session, self.games, &self.code).await {
            Ok(replay) => Some(replay.dice),
            Err(NotDone::Store(error)) => return Err(error),
            Err(_) => None,
        };
        let set = match &table.card_set {
            Some(hash) => sets::set(session, hash).await?,
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
            for row in transfer::rows_of(session, kind.of, kind.order, &self.code).await? {
                if kind.of == "seats" {
                    people.seat(&row);
                }
                rows.push((kind, row));
            }
        }
        if self.extent.secrets {
            let unsent = transfer::unsent_rows(session, &self.code).await?;
            rows.extend(unsent.into_iter().map(|row| (&OUTBOX, row)));
        }
        for (kind, row) in &mut rows {
            self.cover(kind, row, &mut people);
        }
        for (person, name) in people.in_order() {
            if let Some(row) = transfer::person_row(session, &person).await? {
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

    fn keeps(_: &Self::Done) -> bool {
        false
    }
}

impl Writing {
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
