//! A reader that combines concurrent reads of tables into one statement.

use std::slice;

use tokio::sync::{mpsc, oneshot};

use crate::database::error::StoreError;
use crate::database::session::Readers;
use crate::database::writer::GROUP;
use crate::rows::window::OpenTable;
use tables::ids::{AccountId, TableCode};

/// The task that reads open tables for its callers, several at a time.
#[derive(Clone, Debug)]
pub(crate) struct TableReader(mpsc::Sender<AskedTable>);

/// A caller that waits for a table.
struct AskedTable {
    /// The code of the table, and the account for which the table is read.
    table: (TableCode, Option<AccountId>),
    reply: oneshot::Sender<Result<Option<OpenTable>, StoreError>>,
}

impl TableReader {
    pub(crate) fn start(readers: Readers) -> Self {
        let (queue, mut asked) = mpsc::channel(4 * GROUP);
        tokio::spawn(async move {
            let mut group = Vec::with_capacity(GROUP);
            // Requests that arrive during a statement share the next one.
            while asked.recv_many(&mut group, GROUP).await > 0 {
                answer(&readers, &mut group).await;
            }
        });
        Self(queue)
    }

    /// Returns a table as it was a moment ago, for an account.
    pub(crate) async fn open_table(
        &self,
        code: &TableCode,
        account: &AccountId,
    ) -> Result<Option<OpenTable>, StoreError> {
        // This happens only at the end of the program.
        let gone = || StoreError::Unreachable(sqlx::Error::PoolClosed);
        let (reply, answer) = oneshot::channel();
        let asked = AskedTable { table: (code.to_owned(), Some(account.to_owned())), reply };
        self.0.send(asked).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// Answers all requests. If the read fails, each table is read alone, so that a faulty table affects no
/// other.
async fn answer(readers: &Readers, group: &mut Vec<AskedTable>) {
    let tables: Vec<_> = group.iter().map(|asked| asked.table.clone()).collect();
    match read(readers, &tables).await {
        Ok(opened) => {
            for (asked, opened) in group.drain(..).zip(opened) {
                asked.tell(Ok(opened));
            }
        }
        Err(StoreError::Unreachable(error)) => {
            let (last, error) = (group.pop(), StoreError::Unreachable(error));
            group.drain(..).for_each(|asked| asked.tell(Err(error.for_another())));
            if let Some(last) = last {
                last.tell(Err(error));
            }
        }
        Err(_) => {
            for asked in group.drain(..) {
                let opened = read(readers, slice::from_ref(&asked.table)).await;
                asked.tell(opened.map(|mut opened| opened.pop().flatten()));
            }
        }
    }
}

async fn read(
    readers: &Readers,
    tables: &[(TableCode, Option<AccountId>)],
) -> Result<Vec<Option<OpenTable>>, StoreError> {
    readers.session().await?.open_tables(tables).await
}

impl AskedTable {
    fn tell(self, opened: Result<Option<OpenTable>, StoreError>) {
        // The caller may be gone.
        let _ = self.reply.send(opened);
    }
}
