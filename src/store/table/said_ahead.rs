//! What somebody says before a window opens: standing orders, which their seat answers for as long as
//! they like, each from a window on until the next one counts; and what they declare for the next
//! window of a kind, which becomes a draft of that window, and waits again if the window is given up
//! before it closes.

use std::fmt;

use serde::Serialize;
use sqlx::{FromRow, query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::table::tables::Touched;
use rules::{Declaration, Seat, WindowKind};
use tables::ids::{PersonId, TableCode, WindowNumber};

/// Somebody's standing orders for a seat.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct OrdersRow {
    pub seat: Seat,
    /// Whose they are.
    pub person: PersonId,
    pub answers: Declaration,
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
    pub(crate) async fn drop_orders(&mut self, seat: Seat) -> Result<(), StoreError> {
        let statement = query("delete from orders where code = $1 and seat = $2");
        let statement = statement.bind(self.table.code.clone()).bind(seat);
        self.session.execute(statement).await.map(drop)
    }
}

/// What somebody has declared for a seat beforehand.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct NextDeclarationRow {
    pub seat: Seat,
    /// Whose it is.
    pub person: PersonId,
    /// Of the window for which it is.
    pub kind: WindowKind,
    pub answers: Declaration,
}

/// The same, with where it is, for nobody but themselves.
#[derive(Clone, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptNextDeclaration {
    pub code: TableCode,
    /// Their seat, from 0.
    pub seat: Seat,
    /// Of the window for which it is.
    pub kind: WindowKind,
    /// The number of the window whose draft it has become, if it has.
    pub drafted_in: Option<WindowNumber>,
    /// The answers, as JSON.
    #[serde(skip)]
    pub answers: String,
}

impl fmt::Debug for NextDeclarationRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What somebody will declare must not reach a log.
        f.debug_struct("NextDeclarationRow").field("seat", &self.seat).finish_non_exhaustive()
    }
}

impl fmt::Debug for KeptNextDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptNextDeclaration").field("code", &self.code).finish_non_exhaustive()
    }
}

impl Session {
    /// What waits for a window of this kind that opens after this one. What has become a draft of
    /// another window waits again, unless that has closed.
    pub async fn next_declarations(
        &mut self,
        code: &TableCode,
        kind: WindowKind,
        number: WindowNumber,
    ) -> Result<Vec<NextDeclarationRow>, StoreError> {
        let question = query_as(
            "select seat, person, kind, answers from next_declarations
             where code = $1 and kind = $2 and (drafted_in is null or drafted_in <> $3
                 and not exists (select 1 from windows
                     where windows.code = next_declarations.code
                         and windows.number = drafted_in and closed_at is not null))
             order by seat, person",
        );
        self.all(question.bind(code.to_owned()).bind(kind).bind(number)).await
    }

    /// What has become a draft of this window.
    pub async fn drafted_declarations(
        &mut self,
        code: &TableCode,
        number: WindowNumber,
    ) -> Result<Vec<NextDeclarationRow>, StoreError> {
        let question = query_as(
            "select seat, person, kind, answers from next_declarations
             where code = $1 and drafted_in = $2 order by seat, person",
        );
        self.all(question.bind(code.to_owned()).bind(number)).await
    }

    /// What a person has declared anywhere beforehand.
    pub async fn kept_next_declarations(
        &mut self,
        person: &PersonId,
    ) -> Result<Vec<KeptNextDeclaration>, StoreError> {
        let question = query_as(
            "select code, seat, kind, drafted_in, answers from next_declarations
             where person = $1 order by code, seat, kind",
        );
        self.all(question.bind(person.clone())).await
    }

    /// What a person has declared anywhere beforehand counts no more.
    pub async fn forget_next_declarations(&mut self, person: &PersonId) -> Result<(), StoreError> {
        let statement = query("delete from next_declarations where person = $1");
        self.execute(statement.bind(person.clone())).await.map(drop)
    }
}

impl Touched<'_> {
    /// True if anybody can have declared anything beforehand.
    fn may_have_next_declarations(&self) -> bool {
        self.few.is_none_or(|few| few.next_declarations)
    }

    /// What waits for this window of this kind, which opens now.
    pub async fn next_declarations(
        &mut self,
        kind: WindowKind,
        number: WindowNumber,
    ) -> Result<Vec<NextDeclarationRow>, StoreError> {
        if !self.may_have_next_declarations() {
            return Ok(Vec::new());
        }
        let code = self.table.code.clone();
        self.session.next_declarations(&code, kind, number).await
    }

    /// What has become a draft of this window.
    pub async fn drafted_declarations(
        &mut self,
        number: WindowNumber,
    ) -> Result<Vec<NextDeclarationRow>, StoreError> {
        if !self.may_have_next_declarations() {
            return Ok(Vec::new());
        }
        let code = self.table.code.clone();
        self.session.drafted_declarations(&code, number).await
    }

    /// Keeps what somebody declares beforehand, in place of what was there.
    pub async fn keep_next_declaration(
        &mut self,
        row: &NextDeclarationRow,
    ) -> Result<(), StoreError> {
        let statement = query(
            "insert into next_declarations (code, seat, person, kind, answers)
             values ($1, $2, $3, $4, $5)
             on conflict (code, seat, person, kind)
             do update set answers = excluded.answers, drafted_in = null",
        );
        self.few = None;
        let statement = statement.bind(self.table.code.clone()).bind(row.seat);
        let statement = statement.bind(row.person.clone()).bind(row.kind).bind(row.answers.clone());
        self.session.execute(statement).await.map(drop)
    }

    /// Takes it back.
    pub async fn withdraw_next_declaration(
        &mut self,
        row: &NextDeclarationRow,
    ) -> Result<(), StoreError> {
        let statement = query(
            "delete from next_declarations
             where code = $1 and seat = $2 and person = $3 and kind = $4",
        );
        let statement = statement.bind(self.table.code.clone()).bind(row.seat);
        let statement = statement.bind(row.person.clone()).bind(row.kind);
        self.session.execute(statement).await.map(drop)
    }

    /// Notes that it has become a draft of this window.
    pub async fn note_drafted(
        &mut self,
        row: &NextDeclarationRow,
        number: WindowNumber,
    ) -> Result<(), StoreError> {
        let statement = query(
            "update next_declarations set drafted_in = $5
             where code = $1 and seat = $2 and person = $3 and kind = $4",
        );
        let statement = statement.bind(self.table.code.clone()).bind(row.seat);
        let statement = statement.bind(row.person.clone()).bind(row.kind).bind(number);
        self.session.execute(statement).await.map(drop)
    }

    /// Whatever was declared beforehand for a seat counts no more, as somebody else has it now.
    pub(crate) async fn drop_next_declarations(&mut self, seat: Seat) -> Result<(), StoreError> {
        let statement = query("delete from next_declarations where code = $1 and seat = $2");
        let statement = statement.bind(self.table.code.clone()).bind(seat);
        self.session.execute(statement).await.map(drop)
    }
}
