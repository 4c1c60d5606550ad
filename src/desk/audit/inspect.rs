//! Every table of a database, held against its own journal.

use crate::audit::replay::broken;
use crate::model::desk::{Desk, NotDone};
use letters::Refused;
use store::StoreError;
use tables::ids::{EntryNumber, TableCode};

/// What came of looking at every table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspected {
    pub tables: usize,
    /// How many of them are played by rules that this program does not know, so that only the hashes
    /// of their journals could be held together.
    pub by_hash_alone: usize,
    /// Those that do not come as their journals tell.
    pub faulty: Vec<TableCode>,
}

impl Desk {
    /// Holds every table against its journal: the hashes of its entries, and what comes of playing it
    /// again. Nothing is changed.
    pub async fn inspect(&self) -> Result<Inspected, StoreError> {
        let mut inspected = Inspected::default();
        let codes = self.store.read().await?.codes().await?;
        for code in codes {
            inspected.tables += 1;
            let is_sound = match self.replay(&code).await {
                Ok(replay) => replay.is_sound(),
                Err(NotDone::Refused(Refused::OtherEdition)) => {
                    inspected.by_hash_alone += 1;
                    self.is_chained(&code).await?
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

    /// True if each entry of a table's journal follows from those before it.
    async fn is_chained(&self, code: &TableCode) -> Result<bool, StoreError> {
        let mut session = self.store.read().await?;
        let Some(table) = session.table(code).await? else { return Ok(false) };
        let rows = session.journal(code, EntryNumber::FIRST).await?;
        Ok(broken(&table, &rows).is_none())
    }
}
