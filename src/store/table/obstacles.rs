//! What keeps letters of a table from arriving, and whether its host knows.

use sqlx::{query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::rows::columns::Count;
use crate::table::tables::Touched;
use tables::ids::{AccountId, Address, TableCode};
use tables::time::Time;

impl Touched<'_> {
    /// What kept letters of the table from arriving at an address does not matter any more.
    pub async fn overcome(&mut self, address: &Address) -> Result<(), StoreError> {
        let statement = query("delete from obstacles where code = $1 and cause like '% ' || $2");
        let statement = statement.bind(self.table.code.clone()).bind(address.to_owned());
        self.session.execute(statement).await.map(drop)
    }

    /// One obstacle does not matter any more.
    pub async fn overcome_cause(&mut self, cause: &str) -> Result<(), StoreError> {
        let statement = query("delete from obstacles where code = $1 and cause = $2");
        let statement = statement.bind(self.table.code.clone()).bind(cause.to_owned());
        self.session.execute(statement).await.map(drop)
    }
}

impl Session {
    /// The tables whose letters met an obstacle, in order.
    pub async fn met_by(&mut self, cause: &str) -> Result<Vec<TableCode>, StoreError> {
        let question = query_as::<_, (TableCode,)>(
            "select code from obstacles where cause = $1 order by code",
        );
        let codes = self.all(question.bind(cause.to_owned())).await?;
        Ok(codes.into_iter().map(|(code,)| code).collect())
    }

    /// True if an obstacle keeps something of a table still.
    pub async fn is_met(&mut self, code: &TableCode, cause: &str) -> Result<bool, StoreError> {
        let question = query_as::<_, (Count<u64>,)>(
            "select count(*) from obstacles where code = $1 and cause = $2",
        );
        let met = self.one(question.bind(code.to_owned()).bind(cause.to_owned())).await?;
        Ok(met.is_some_and(|(count,)| count.0 > 0))
    }

    /// Notes that letters of a table met an obstacle, and when its host is told. False: it is known.
    pub async fn meet_obstacle(
        &mut self,
        code: &TableCode,
        cause: &str,
        told: Option<Time>,
        now: Time,
    ) -> Result<bool, StoreError> {
        let statement = query(
            "insert into obstacles (code, cause, met_at, told_at) values ($1, $2, $3, $4)
             on conflict (code, cause) do nothing",
        )
        .bind(code.to_owned())
        .bind(cause.to_owned())
        .bind(now)
        .bind(told);
        Ok(self.execute(statement).await? == 1)
    }

    /// Notes when the host has been told, or that they have not. False: that was known.
    pub async fn note_obstacle(
        &mut self,
        code: &TableCode,
        cause: &str,
        told: Option<Time>,
    ) -> Result<bool, StoreError> {
        let statement = match told {
            Some(told) => query(
                "update obstacles set told_at = $3
                 where code = $1 and cause = $2 and obstacles.told_at is null",
            )
            .bind(code.to_owned())
            .bind(cause.to_owned())
            .bind(told),
            None => query("update obstacles set told_at = null where code = $1 and cause = $2")
                .bind(code.to_owned())
                .bind(cause.to_owned()),
        };
        Ok(self.execute(statement).await? == 1)
    }

    /// What the host of some tables has still to be told: tables and causes.
    pub async fn untold_obstacles(
        &mut self,
        account: &AccountId,
    ) -> Result<Vec<(TableCode, String)>, StoreError> {
        let question = query_as(
            "select obstacles.code, cause from obstacles
             join tables on tables.code = obstacles.code
             join people on people.person = tables.host
             where obstacles.told_at is null and account = $1 order by met_at, cause",
        );
        self.all(question.bind(account.to_owned())).await
    }

    /// The account of a table's host, and the language they read.
    pub async fn host(
        &mut self,
        code: &TableCode,
    ) -> Result<Option<(AccountId, String)>, StoreError> {
        let question = query_as(
            "select account, people.language from tables
             join people on people.person = tables.host where code = $1",
        );
        self.one(question.bind(code.to_owned())).await
    }
}
