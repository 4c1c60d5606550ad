//! The import of a file into a database.

use std::collections::BTreeMap;

use async_trait::async_trait;

use crate::audit::file::SetLine;
use crate::audit::file::belief::{Addresses, Belief, LeftOut};
use crate::audit::file::fit::fits;
use crate::audit::file::line::{FileFault, Unfit};
use crate::audit::file::read::TableFile;
use crate::audit::safely::safely;
use crate::model::desk::Desk;
use crate::model::load::{Games, Unloaded, contest};
use crate::model::random;
use games::any::AnyGame;
use games::cards::hash::SetHash;
use rules::text::Lang;
use rules::{LoadError, Viewer};
use store::{Cell, Row, Session, SetRow, StoreError, Work, people, sets, transfer};
use tables::ids::{AccountId, PersonId, WindowNumber};

/// The reason why a file was not imported.
#[derive(Debug, thiserror::Error)]
pub enum NotImported {
    /// A table with this code exists already.
    #[error("the table is here already")]
    Here,
    /// A line is invalid.
    #[error(transparent)]
    Fault(#[from] FileFault),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Imports a table from a file. A person with a known account keeps their identity here; a person without
/// an account becomes a new one. Returns the parts that were left out.
/// Fails if the table exists already, a line is invalid, or the database fails; then nothing is imported.
pub async fn import(desk: &Desk, file: TableFile, belief: Belief) -> Result<LeftOut, NotImported> {
    let ids = file.people.iter().map(|_| random::person()).collect();
    desk.store.write(TakingUp { games: desk.games, file, belief, ids }).await?
}

struct TakingUp {
    games: Games,
    file: TableFile,
    belief: Belief,
    /// The ids for the people of the file who are unknown here.
    ids: Vec<PersonId>,
}

#[async_trait]
impl Work for TakingUp {
    type Done = Result<LeftOut, NotImported>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        let code = &self.file.heading.table;
        if session.touch(code).await?.is_some() {
            return Ok(Err(NotImported::Here));
        }
        if let Err(fault) = self.fits() {
            return Ok(Err(fault.into()));
        }
        if let Err(fault) = self.learn_set() {
            return Ok(Err(fault.into()));
        }
        if let Some((_, SetLine { hash, text })) = &self.file.set {
            let (hash, text, game) = (hash.clone(), text.clone(), self.file.heading.game.clone());
            sets::keep_set(session, &SetRow { hash, game, text }).await?;
        }
        let mut people = BTreeMap::new();
        for (person, id) in self.file.people.iter().zip(&self.ids) {
            let account = person.account.clone().unwrap_or_else(|| AccountId::erased(id.as_str()));
            let known = people::meet(session, &account, &person.language, id).await?;
            people.insert(person.called.as_str(), known);
        }
        let (addresses, mut left_out) = (self.addresses(), LeftOut::default());
        for (line, kind, row) in &self.file.rows {
            let row = match &addresses {
                None => Some(row.clone()),
                Some(addresses) => addresses.believed(kind, row, code, &mut left_out),
            };
            let Some(mut row) = row else { continue };
            for column in kind.people {
                let Some(Cell::Text(person)) = row.0.get_mut(*column) else { continue };
                let Some(known) = people.get(person.as_str()) else {
                    let why = Unfit::Odd(person.clone());
                    return Ok(Err(FileFault { line: *line, why }.into()));
                };
                *person = known.to_string();
            }
            if kind.left_out.contains(&"code") {
                row.0.insert("code".to_owned(), Cell::Text(code.to_string()));
            }
            if kind.left_out.contains(&"touched") {
                row.0.insert("touched".to_owned(), Cell::Number(0));
            }
            if let Err(error) = transfer::put_row(session, kind.of, &row).await {
                return match error {
                    StoreError::Database(source) => {
                        let why = Unfit::Odd(source.to_string());
                        Ok(Err(FileFault { line: *line, why }.into()))
                    }
                    StoreError::Unreadable(why) => {
                        Ok(Err(FileFault { line: *line, why: Unfit::Odd(why) }.into()))
                    }
                    error => Err(error),
                };
            }
        }
        Ok(self.can_be_played(session).await?.map(|()| left_out).map_err(Into::into))
    }

    fn keeps(done: &Self::Done) -> bool {
        done.is_ok()
    }
}

impl TakingUp {
    /// Returns the own addresses of the people in the file, `None` if everything is trusted.
    fn addresses(&self) -> Option<Addresses> {
        let Belief::Table(own) = self.belief else { return None };
        let people = self.file.people.iter();
        let people = people.map(|person| (person.called.as_str(), person.account.as_ref()));
        Some(Addresses::of(people, own))
    }

    /// Checks that the contest of each window can be loaded and shown, if this program knows the edition:
    /// foreign data must not make a table fail later.
    async fn can_be_played(
        &self,
        session: &mut Session,
    ) -> Result<Result<(), FileFault>, StoreError> {
        let code = &self.file.heading.table;
        let Some(table) = session.table(code).await? else { return Ok(Ok(())) };
        let Ok(game) = self.games.of(&table) else { return Ok(Ok(())) };
        let seats = session.seats(code).await?;
        for (line, kind, row) in &self.file.rows {
            let number = row.0.get("number").and_then(Cell::number);
            let (Some(number), "windows") = (number, kind.of) else { continue };
            let Ok(number) = WindowNumber::try_from(number) else { continue };
            let Some(window) = session.window(code, number).await? else { continue };
            let shown = safely(async {
                let contest = contest(session, game, &table, &seats, &window).await?;
                contest.report(Viewer::Public);
                Ok::<_, Unloaded>(contest.state_hash())
            });
            // A state that the rules cannot reach is a matter for the replay.
            let why = match shown.await {
                Some(Ok(_) | Err(Unloaded::Load(LoadError::Held(_)))) => continue,
                Some(Err(error)) => StoreError::from(error).to_string(),
                None => format!("window {number}"),
            };
            return Ok(Err(FileFault { line: *line, why: Unfit::Odd(why) }));
        }
        Ok(Ok(()))
    }

    /// Learns the set of cards of the file, which must have its hash and be the one of the table, and must be
    /// readable if this program knows the game.
    fn learn_set(&self) -> Result<(), FileFault> {
        let tables = self.file.rows.iter().filter(|(_, kind, _)| kind.of == "tables");
        let bound =
            tables.map(|(line, _, row)| (*line, row.0.get("card_set").and_then(Cell::text)));
        let bound = bound.clone().next();
        let odd = |line, why: String| FileFault { line, why: Unfit::Odd(why) };
        let Some((line, SetLine { hash, text })) = &self.file.set else {
            return match bound {
                Some((line, Some(hash))) => Err(odd(line, hash.to_owned())),
                _ => Ok(()),
            };
        };
        let is_bound = bound.is_some_and(|(_, bound)| bound == Some(hash.as_str()));
        if !is_bound || SetHash::of(text).to_string() != *hash {
            return Err(odd(*line, hash.clone()));
        }
        let sets = self.games.find(&self.file.heading.game).and_then(AnyGame::sets);
        let learnt = sets.map_or(Ok(None), |sets| sets.learn(hash, text).map(Some));
        learnt.map(drop).map_err(|faults| odd(*line, faults[0].written(Lang::En)))
    }

    /// Checks the rows on their own and against one another.
    fn fits(&self) -> Result<(), FileFault> {
        let mut tables = 0;
        let number = |row: &Row, column| row.0.get(column).and_then(Cell::number);
        let is_there = |window| {
            let windows = self.file.rows.iter().filter(|(_, kind, _)| kind.of == "windows");
            windows.map(|(_, _, row)| number(row, "number")).any(|number| number == window)
        };
        for (line, kind, row) in &self.file.rows {
            let odd = |why| FileFault { line: *line, why: Unfit::Odd(why) };
            fits(kind.of, row, &self.file.heading).map_err(odd)?;
            if kind.of == "tables" {
                tables += 1;
                if !self.has_its_chairs(row) {
                    return Err(odd("chairs".to_owned()));
                }
                let open = number(row, "open_window");
                if open.is_some_and(|open| open >= 0) && !is_there(open) {
                    return Err(odd("open_window".to_owned()));
                }
            }
        }
        if tables == 1 {
            return Ok(());
        }
        Err(FileFault { line: 2, why: Unfit::Misplaced("tables".to_owned()) })
    }

    /// True if the seats in the file are those of its table, and all of them once a window has been opened.
    fn has_its_chairs(&self, table: &Row) -> bool {
        let seats = self.file.rows.iter().filter(|(_, kind, _)| kind.of == "seats");
        let seats: Vec<_> =
            seats.filter_map(|(_, _, row)| row.0.get("seat").and_then(Cell::number)).collect();
        let chairs = table.0.get("chairs").and_then(Cell::number).unwrap_or_default();
        let are_there = seats.iter().all(|seat| (0..chairs).contains(seat));
        let is_played = self.file.rows.iter().any(|(_, kind, _)| kind.of == "windows");
        are_there && (!is_played || i64::try_from(seats.len()) == Ok(chairs))
    }
}
