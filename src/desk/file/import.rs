//! A file, taken up by a database.

use std::collections::BTreeMap;

use super::TableFile;
use super::fit::fits;
use super::line::{FileFault, Unfit};
use crate::desk::forget::ERASED;
use crate::desk::{Desk, draw};
use crate::store::{Cell, Row, Session, StoreError, Work};

/// A file that was not taken up.
#[derive(Debug, thiserror::Error)]
pub enum NotImported {
    /// A table of this code is here already.
    #[error("the table is here already")]
    Here,
    /// A line does not fit.
    #[error(transparent)]
    Fault(#[from] FileFault),
    /// The database could not keep it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Desk {
    /// Takes up a table from a file. Who is known here by their account is the same person; whoever
    /// stands in it without one is nobody who is known.
    ///
    /// # Errors
    /// If the table is here already, a line does not fit, or the database cannot keep it; then
    /// nothing of it is here.
    pub async fn import(&self, file: TableFile) -> Result<(), NotImported> {
        let ids = file.people.iter().map(|_| draw::id()).collect();
        self.store.write(TakingUp { file, ids }).await?
    }
}

struct TakingUp {
    file: TableFile,
    /// What people are called here that are not known yet.
    ids: Vec<String>,
}

impl Work for TakingUp {
    type Done = Result<(), NotImported>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        let code = &self.file.heading.table;
        if session.touch(code).await?.is_some() {
            return Ok(Err(NotImported::Here));
        }
        if let Err(fault) = self.fits() {
            return Ok(Err(fault.into()));
        }
        let mut people = BTreeMap::new();
        for (person, id) in self.file.people.iter().zip(&self.ids) {
            let account = person.account.clone().unwrap_or_else(|| format!("{ERASED}{id}"));
            let known = session.meet(&account, &person.language, id).await?;
            people.insert(person.called.as_str(), known);
        }
        for (line, kind, row) in &self.file.rows {
            let mut row = row.clone();
            for column in kind.people {
                let Some(Cell::Text(person)) = row.0.get_mut(*column) else { continue };
                let Some(known) = people.get(person.as_str()) else {
                    let why = Unfit::Odd(person.clone());
                    return Ok(Err(FileFault { line: *line, why }.into()));
                };
                person.clone_from(known);
            }
            if kind.left_out.contains(&"code") {
                row.0.insert("code".to_owned(), Cell::Text(code.clone()));
            }
            if kind.left_out.contains(&"touched") {
                row.0.insert("touched".to_owned(), Cell::Number(0));
            }
            if let Err(error) = session.put_row(kind.of, &row).await {
                return match error {
                    StoreError::Database(said) => {
                        let why = Unfit::Odd(said.to_string());
                        Ok(Err(FileFault { line: *line, why }.into()))
                    }
                    StoreError::Unreadable(why) => {
                        Ok(Err(FileFault { line: *line, why: Unfit::Odd(why) }.into()))
                    }
                    error => Err(error),
                };
            }
        }
        Ok(Ok(()))
    }

    fn keeps(done: &Self::Done) -> bool {
        done.is_ok()
    }
}

impl TakingUp {
    /// Holds the rows against what they must be, and against one another.
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
}
