//! The counts of tables and letters, for the operator.

use sqlx::FromRow;

use crate::database::{Result, Session};
use crate::rows::Count;
use crate::table::tables::StoredEdition;
use tables::absence::Keeping;
use tables::{AccountId, PersonId, TableCode, Time};

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
pub async fn tables_by_stage(db: &mut Session) -> Result<Vec<(String, u64)>> {
    let text = "select stage, count(*) from tables group by stage order by stage";
    let stages: Vec<(String, Count<u64>)> = db.rows(text, ()).await?;
    Ok(stages.into_iter().map(|(stage, Count(count))| (stage, count)).collect())
}

/// Returns the tables of an edition that are due for a clock check.
pub async fn tables_due(db: &mut Session, edition: &StoredEdition, now: Time) -> Result<Backlog> {
    let text = "select count(*), min(look_at) from tables
         where game = $1 and edition = $2 and data = $3 and look_at <= $4";
    let values = (&edition.game, &edition.name, &edition.data, now);
    let due = db.row::<CountedSince>(text, values).await?;
    Ok(due.map(Backlog::from).unwrap_or_default())
}

/// The name of a person at one of their tables.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct CalledRow {
    pub person: PersonId,
    /// The account of the person.
    pub account: AccountId,
    /// The name at the table, empty for P1 and so on.
    pub name: String,
}

/// Returns the codes of the finished tables, the oldest first.
pub async fn finished(db: &mut Session) -> Result<Vec<TableCode>> {
    let text = "select code from tables where stage = 'over' order by formed_at, code";
    db.column(text, ()).await
}

/// Returns every person's name at each of their tables, the newest last.
pub async fn called(db: &mut Session) -> Result<Vec<CalledRow>> {
    let text = "select people.person, account, named.name
         from (select person, name, code from seats where person is not null
         union all select person, name, code from former_seats) named
         join people on people.person = named.person
         join tables on tables.code = named.code
         order by formed_at, tables.code";
    db.rows(text, ()).await
}

/// Returns the records of a table's windows that count and had been announced by then, with their
/// persons.
pub async fn kept_at(
    db: &mut Session,
    code: &TableCode,
    now: Time,
) -> Result<Vec<(PersonId, Keeping)>> {
    let text = "select person, kept from reputation where code = $1 and counts = 1 and at <= $2
         order by number, seat, person";
    db.rows(text, (code, now)).await
}
