//! Seats that somebody can take, and who does not sit down at a table again.

use serde::{Deserialize, Serialize};
use sqlx::{FromRow, query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::rows::columns::Count;
use crate::table::tables::Touched;
use rules::Seat;
use tables::ids::{Address, CallNumber, PersonId, TableCode};

/// A seat that somebody can take.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, Serialize, Deserialize)]
pub struct CallRow {
    /// Its number at the table.
    pub number: CallNumber,
    /// The seat, from 0; none before the game begins, where it is any chair.
    pub seat: Option<Seat>,
    /// The only one who may take it; none if anybody may.
    pub person: Option<PersonId>,
    /// Where that one's letters go.
    pub address: Option<Address>,
}

impl CallRow {
    /// True if it is about a seat.
    pub fn is_of(&self, seat: Seat) -> bool {
        self.seat == Some(seat)
    }
}

/// A seat that somebody is asked to take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct AskedFor {
    pub code: TableCode,
    /// The seat, from 0; none before the game begins, where it is any chair.
    pub seat: Option<Seat>,
    /// Where they are written to.
    pub address: Option<Address>,
}

impl Session {
    /// The seats of a table that somebody can take, the oldest call first.
    pub async fn calls(&mut self, code: &TableCode) -> Result<Vec<CallRow>, StoreError> {
        let question = query_as(
            "select number, seat, person, address from calls where code = $1 order by number",
        );
        self.all(question.bind(code.to_owned())).await
    }

    /// The seats that a person is asked to take.
    pub async fn asked_for(&mut self, person: &PersonId) -> Result<Vec<AskedFor>, StoreError> {
        let question = query_as(
            "select code, seat, address from calls where person = $1 order by code, number",
        );
        self.all(question.bind(person.to_owned())).await
    }

    /// The tables that a person was sent away from.
    pub async fn sent_away_from(
        &mut self,
        person: &PersonId,
    ) -> Result<Vec<TableCode>, StoreError> {
        let question = query_as::<_, (TableCode,)>(
            "select code from sent_away where person = $1 order by code",
        );
        let codes = self.all(question.bind(person.to_owned())).await?;
        Ok(codes.into_iter().map(|(code,)| code).collect())
    }

    /// Nobody asks a person to take a seat any more, and that they were sent away is forgotten.
    pub async fn forget_calls(&mut self, person: &PersonId) -> Result<(), StoreError> {
        for statement in
            ["delete from calls where person = $1", "delete from sent_away where person = $1"]
        {
            self.execute(query(statement).bind(person.to_owned())).await?;
        }
        Ok(())
    }

    /// True if a person has sat at a table on a seat that somebody else has taken since.
    pub async fn has_left(
        &mut self,
        code: &TableCode,
        person: &PersonId,
    ) -> Result<bool, StoreError> {
        let question = query_as::<_, (Count<u32>,)>(
            "select count(*) from former_seats where code = $1 and person = $2",
        );
        let question = question.bind(code.to_owned()).bind(person.to_owned());
        Ok(self.one(question).await?.is_some_and(|(count,)| count.0 > 0))
    }
}

impl Touched<'_> {
    /// The seats of the table that somebody can take, the oldest call first.
    pub async fn calls(&mut self) -> Result<Vec<CallRow>, StoreError> {
        let code = self.table.code.clone();
        self.session.calls(&code).await
    }

    /// Lets a seat be taken.
    pub async fn call(&mut self, row: &CallRow) -> Result<(), StoreError> {
        let statement = query(
            "insert into calls (code, number, seat, person, address) values ($1, $2, $3, $4, $5)",
        )
        .bind(self.table.code.clone())
        .bind(row.number)
        .bind(row.seat)
        .bind(row.person.clone())
        .bind(row.address.clone());
        self.session.execute(statement).await.map(drop)
    }

    /// A call is over.
    pub async fn drop_call(&mut self, number: CallNumber) -> Result<(), StoreError> {
        let statement = query("delete from calls where code = $1 and number = $2");
        let statement = statement.bind(self.table.code.clone()).bind(number);
        self.session.execute(statement).await.map(drop)
    }

    /// Every call of the table is over.
    pub async fn drop_calls(&mut self) -> Result<(), StoreError> {
        let statement = query("delete from calls where code = $1");
        self.session.execute(statement.bind(self.table.code.clone())).await.map(drop)
    }

    /// What is sought for one of two seats is sought for the other.
    pub async fn exchange_calls(&mut self, a: Seat, b: Seat) -> Result<(), StoreError> {
        let statement = query(
            "update calls set seat = case when seat = $2 then $3 else $2 end
             where code = $1 and seat in ($2, $3)",
        )
        .bind(self.table.code.clone())
        .bind(a)
        .bind(b);
        self.session.execute(statement).await.map(drop)
    }

    /// Who does not sit down at the table again.
    pub async fn sent_away(&mut self) -> Result<Vec<PersonId>, StoreError> {
        let question = query_as::<_, (PersonId,)>(
            "select person from sent_away where code = $1 order by person",
        );
        let people = self.session.all(question.bind(self.table.code.clone())).await?;
        Ok(people.into_iter().map(|(person,)| person).collect())
    }

    /// A person does not sit down at the table again, or may.
    pub async fn send_away(&mut self, person: &PersonId, away: bool) -> Result<(), StoreError> {
        let text = if away {
            "insert into sent_away (code, person) values ($1, $2)
             on conflict (code, person) do nothing"
        } else {
            "delete from sent_away where code = $1 and person = $2"
        };
        let statement = query(text).bind(self.table.code.clone()).bind(person.to_owned());
        self.session.execute(statement).await.map(drop)
    }
}
