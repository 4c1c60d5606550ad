//! Tables that are over: what statistics are made of.

use sqlx::{FromRow, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use tables::absence::Keeping;
use tables::ids::{AccountId, PersonId, TableCode};
use tables::time::Time;

/// What somebody was called at one of their tables.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct CalledRow {
    pub person: PersonId,
    /// Who they are outside of this house.
    pub account: AccountId,
    /// What they were called there; empty for P1 and so on.
    pub name: String,
}

impl Session {
    /// The codes of the tables that are over, the oldest first.
    pub async fn finished(&mut self) -> Result<Vec<TableCode>, StoreError> {
        let question = query_as::<_, (TableCode,)>(
            "select code from tables where stage = 'over' order by formed_at, code",
        );
        Ok(self.all(question).await?.into_iter().map(|(code,)| code).collect())
    }

    /// What everybody was called at each of their tables, the newest of them last.
    pub async fn called(&mut self) -> Result<Vec<CalledRow>, StoreError> {
        self.all(query_as(
            "select people.person, account, named.name
             from (select person, name, code from seats where person is not null
                 union all select person, name, code from former_seats) named
             join people on people.person = named.person
             join tables on tables.code = named.code
             order by formed_at, tables.code",
        ))
        .await
    }

    /// Who has kept the windows of a table how, where that counts and had been announced by then.
    pub async fn kept_at(
        &mut self,
        code: &TableCode,
        now: Time,
    ) -> Result<Vec<(PersonId, Keeping)>, StoreError> {
        let question = query_as(
            "select person, kept from reputation where code = $1 and counts = 1 and at <= $2
             order by number, seat, person",
        );
        self.all(question.bind(code.to_owned()).bind(now)).await
    }
}
