//! The table that an unnamed reference means.

use crate::address;
use crate::address::thread_of;
use crate::incoming::Incoming;
use crate::interactions::handler::{InteractionError, InteractionHandler};
use desk::{LISTED, clock};
use letters::Refused;
use letters::discord::TableInThread;
use store::{absences, places};
use tables::ids::TableCode;

/// Finds the table of an interaction: that of the thread, or else the person's only table that is not
/// over, or else their last one.
pub(super) async fn code(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<TableCode, InteractionError> {
    let place = address::place(incoming.channel);
    let account = address::account(incoming.person.id);
    let mut session = handler.desk.store().read().await?;
    if let Some(here) = session.table_at(&place).await? {
        return Ok(here);
    }
    let now = clock::now();
    let mut own = places::tables_of(&mut session, &account, now).await?;
    own.extend(absences::stood_in_at(&mut session, &account, now).await?);
    if own.len() > 1 {
        let (mut tables, more) = (Vec::new(), own.len().saturating_sub(LISTED));
        own.truncate(LISTED);
        for code in own {
            let table = session.table(&code).await?;
            let place = table.and_then(|table| table.place);
            let thread = place.as_ref().and_then(thread_of);
            tables.push(TableInThread { code, thread });
        }
        return Err(InteractionError::Which(tables, more));
    }
    drop(session);
    if let Some(code) = own.pop() {
        return Ok(code);
    }
    let newest = desk::newest_of(&handler.desk, &account).await?;
    newest.ok_or_else(|| Refused::NoTable.into())
}
