//! The amount of work to be done.

use crate::model::desk::Desk;
use crate::model::load::edition;
use store::{Backlog, StoreError, figures, outbox};
use tables::time::Time;

/// The work to be done at all tables together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The number of tables at each stage.
    pub tables: Vec<(String, u64)>,
    /// The tables that are due for a look.
    pub due: Backlog,
    /// The letters that can be sent.
    pub letters: Backlog,
}

/// Reads the work to be done now.
pub async fn figures(desk: &Desk, now: Time) -> Result<Figures, StoreError> {
    let mut session = desk.store.read().await?;
    let (tables, letters) = (
        figures::tables_by_stage(&mut session).await?,
        outbox::letters_due(&mut session, now).await?,
    );
    let mut due = Backlog::default();
    for game in desk.games.0 {
        due = due.and(figures::tables_due(&mut session, &edition(*game), now).await?);
    }
    Ok(Figures { tables, due, letters })
}
