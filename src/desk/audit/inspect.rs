//! The inspection of every table of a database against its journal.

use crate::audit::replay::{broken, replay};
use crate::model::desk::{Desk, NotDone};
use letters::Refused;
use store::StoreError;
use tables::ids::{EntryNumber, TableCode};

/// The result of the inspection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspected {
    pub tables: usize,
    /// The number of tables whose rules this program does not know, so that only the hashes of their journals
    /// were checked.
    pub by_hash_alone: usize,
    /// The tables that contradict their journals.
    pub faulty: Vec<TableCode>,
}

/// Checks every table against its journal: the hashes of the entries and the replay. Nothing is changed.
pub async fn inspect(desk: &Desk) -> Result<Inspected, StoreError> {
    let mut inspected = Inspected::default();
    let codes = desk.store.read().await?.codes().await?;
    for code in codes {
        inspected.tables += 1;
        let is_sound = match replay(desk, &code).await {
            Ok(replay) => replay.is_sound(),
            Err(NotDone::Refused(Refused::OtherEdition)) => {
                inspected.by_hash_alone += 1;
                is_chained(desk, &code).await?
            }
            Err(NotDone::Store(error @ StoreError::Unreachable(_))) => return Err(error),
            Err(_) => false,
        };
        if !is_sound {
            inspected.faulty.push(code);
        }
    }
    Ok(inspected)
}

/// True if the hash of each entry of a table's journal follows from the entries before.
async fn is_chained(desk: &Desk, code: &TableCode) -> Result<bool, StoreError> {
    let mut session = desk.store.read().await?;
    let Some(table) = session.table(code).await? else { return Ok(false) };
    let rows = session.journal(code, EntryNumber::FIRST).await?;
    Ok(broken(&table, &rows).is_none())
}
