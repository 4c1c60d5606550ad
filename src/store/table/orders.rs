//! Standing orders: what somebody lets their seat answer for as long as they like. Each counts from a
//! window on, until the next one does.

use std::fmt;

use serde::Serialize;
use sqlx::{FromRow, query, query_as};

use crate::ids::{PersonId, TableCode, WindowNumber};
use crate::rules::Seat;
use crate::store::database::error::StoreError;
use crate::store::database::session::Session;
use crate::store::table::tables::Touched;

/// Somebody's standing orders for a seat.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct OrdersRow {
    pub seat: Seat,
    /// Whose they are.
    pub person: PersonId,
    /// The answers, as JSON.
    pub answers: String,
}

/// The same, with where they are, for nobody but themselves.
#[derive(Clone, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptOrders {
    pub code: TableCode,
    /// Their seat, from 0.
    pub seat: Seat,
    /// The first window in which they count.
    pub since: WindowNumber,
    /// The answers, as JSON.
    #[serde(skip)]
    pub answers: String,
}

impl fmt::Debug for OrdersRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What somebody will declare must not reach a log.
        f.debug_struct("OrdersRow").field("seat", &self.seat).finish_non_exhaustive()
    }
}

impl fmt::Debug for KeptOrders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptOrders").field("code", &self.code).finish_non_exhaustive()
    }
}

impl Session {
    /// The orders that count in a window of a table.
    pub async fn orders(
        &mut self,
        code: &TableCode,
        number: WindowNumber,
    ) -> Result<Vec<OrdersRow>, StoreError> {
        let question = query_as(
            "select seat, person, answers from orders
             where code = $1 and since = (select max(since) from orders later
                 where later.code = orders.code and later.seat = orders.seat
                     and later.person = orders.person and later.since <= $2)
             order by seat, person",
        );
        self.all(question.bind(code.to_owned()).bind(number)).await
    }

    /// What a person has ordered anywhere.
    pub async fn kept_orders(&mut self, person: &PersonId) -> Result<Vec<KeptOrders>, StoreError> {
        let question = query_as(
            "select code, seat, since, answers from orders where person = $1
             order by code, seat, since",
        );
        self.all(question.bind(person.clone())).await
    }

    /// What a person has ordered anywhere counts no more.
    pub async fn forget_orders(&mut self, person: &PersonId) -> Result<(), StoreError> {
        let statement = query("delete from orders where person = $1").bind(person.clone());
        self.execute(statement).await.map(drop)
    }
}

impl Touched<'_> {
    /// The orders that count in a window, wherever anybody has left any.
    pub async fn orders(&mut self, number: WindowNumber) -> Result<Vec<OrdersRow>, StoreError> {
        if self.few.is_some_and(|few| !few.orders) {
            return Ok(Vec::new());
        }
        let code = self.table.code.clone();
        self.session.orders(&code, number).await
    }

    /// Keeps somebody's orders for a seat, to count from this window on. Those that count before it
    /// stay as long as that may be open.
    pub async fn keep_orders(
        &mut self,
        row: &OrdersRow,
        since: WindowNumber,
    ) -> Result<(), StoreError> {
        let statement = query(
            "insert into orders (code, seat, person, since, answers) values ($1, $2, $3, $4, $5)
             on conflict (code, seat, person, since) do update set answers = excluded.answers",
        )
        .bind(self.table.code.clone())
        .bind(row.seat)
        .bind(row.person.clone())
        .bind(since)
        .bind(row.answers.clone());
        self.few = None;
        self.session.execute(statement).await?;
        let statement = query(
            "delete from orders where code = $1 and seat = $2 and person = $3
                 and since < (select max(since) from orders later
                     where later.code = $1 and later.seat = $2 and later.person = $3
                         and later.since < $4)",
        )
        .bind(self.table.code.clone())
        .bind(row.seat)
        .bind(row.person.clone())
        .bind(since);
        self.session.execute(statement).await.map(drop)
    }

    /// Whatever was ordered for a seat counts no more, as somebody else has it now.
    pub(in crate::store) async fn drop_orders(&mut self, seat: Seat) -> Result<(), StoreError> {
        let statement = query("delete from orders where code = $1 and seat = $2");
        let statement = statement.bind(self.table.code.clone()).bind(seat);
        self.session.execute(statement).await.map(drop)
    }
}
