//! The journal: what happened at a table, each entry chained to the one before it, so that no
//! entry can be changed afterwards without all that follow (`docs/verify.md`).

use sqlx::query_as;

use crate::ids::{EntryNumber, TableCode};
use crate::rules::receipt;
use crate::store::database::error::StoreError;
use crate::store::database::session::Session;
use crate::store::rows::record::JournalRow;
use crate::store::table::tables::Touched;
use crate::time::Time;

impl Touched<'_> {
    /// Writes what happened at this time.
    pub fn record(&mut self, body: String, now: Time) -> Result<(), StoreError> {
        let mut row = JournalRow {
            entry: EntryNumber::new(self.table.entries),
            at: now,
            body,
            hash: String::new(),
        };
        row.hash = hex::encode(receipt::chain(&previous(&self.table.chain)?, &row.line()));
        self.table.entries += 1;
        self.table.chain.clone_from(&row.hash);
        let (entries, chain) = (self.table.entries, row.hash.clone());
        let unsaved = self.unsaved();
        unsaved.record(row);
        unsaved.table.chained = Some((entries, chain));
        Ok(())
    }
}

impl Session {
    /// The journal of a table, from an entry on.
    pub async fn journal(
        &mut self,
        code: &TableCode,
        from: EntryNumber,
    ) -> Result<Vec<JournalRow>, StoreError> {
        let question = query_as(
            "select entry, at, body, hash from journal
             where code = $1 and entry >= $2 order by entry",
        );
        self.all(question.bind(code.to_owned()).bind(from)).await
    }
}

fn previous(chain: &str) -> Result<[u8; 32], StoreError> {
    let mut previous = [0; 32];
    let broken = |error: hex::FromHexError| StoreError::Unreadable(error.to_string());
    hex::decode_to_slice(chain, &mut previous).map_err(broken)?;
    Ok(previous)
}
