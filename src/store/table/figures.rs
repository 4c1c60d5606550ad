//! The counts of tables and letters, for the operator.

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::rows::columns::Count;
use crate::table::tables::StoredEdition;
use tables::time::Time;

/// The size of a backlog, and the time since which it waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    pub count: u64,
    /// The time at which the first item fell due, `None` if there is no item.
    pub since: Option<Time>,
}

/// A count and its oldest time, as a query returns them.
pub(crate) type CountedSince = (Count<u64>, Option<Time>);

impl From<CountedSince> for Backlog {
    fn from((Count(count), since): CountedSince) -> Self {
        Self { count, since }
    }
}

impl Backlog {
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let since = self.since.into_iter().chain(other.since).min();
        Self { count: self.count + other.count, since }
    }
}

/// Returns the number of tables at each stage.
pub async fn tables_by_stage(session: &mut Session) -> Result<Vec<(String, u64)>, StoreError> {
    let text = "select stage, count(*) from tables group by stage order by stage";
    let stages: Vec<(String, Count<u64>)> = session.rows(text, ()).await?;
    Ok(stages.into_iter().map(|(stage, Count(count))| (stage, count)).collect())
}

/// Returns the tables of an edition that are due for a clock check.
pub async fn tables_due(
    session: &mut Session,
    edition: &StoredEdition,
    now: Time,
) -> Result<Backlog, StoreError> {
    let text = "select count(*), min(look_at) from tables
         where game = $1 and edition = $2 and data = $3 and look_at <= $4";
    let values = (&edition.game, &edition.name, &edition.data, now);
    let due = session.row::<CountedSince>(text, values).await?;
    Ok(due.map(Backlog::from).unwrap_or_default())
}
