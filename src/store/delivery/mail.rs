//! Mail at terminals: delivered letters that wait to be read.

use sqlx::{query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use tables::ids::{Address, TableCode};
use tables::time::Time;

/// A delivered letter.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Delivered {
    pub letter: String,
    /// The content, as JSON.
    pub body: String,
}

impl Session {
    /// Delivers a letter about a table, as it is in the outbox. A letter delivered before stays.
    pub async fn deliver(&mut self, letter: &str, code: &TableCode) -> Result<(), StoreError> {
        let statement = query(
            "insert into mail (letter, address, code, body, sequence)
             select letter, address, $2, body, send_at from outbox
             where letter = $1 and sent_at is null
             on conflict (letter) do nothing",
        );
        self.execute(statement.bind(letter.to_owned()).bind(code.to_owned())).await.map(drop)
    }

    /// Returns the letters about a table at an address that are due by now and were unread at a time, in
    /// order.
    pub async fn unread(
        &mut self,
        address: &Address,
        code: &TableCode,
        since: Time,
        now: Time,
    ) -> Result<Vec<Delivered>, StoreError> {
        let question = query_as(
            "select letter, body from mail
             where address = $1 and code = $2 and (read_at is null or read_at >= $3)
               and sequence <= $4
             order by sequence, letter",
        );
        let question = question.bind(address.to_owned()).bind(code.to_owned());
        self.all(question.bind(since).bind(now)).await
    }

    /// Notes that a letter has been read.
    pub async fn mark_read(&mut self, letter: &str, now: Time) -> Result<(), StoreError> {
        let statement = query("update mail set read_at = $2 where letter = $1 and read_at is null");
        self.execute(statement.bind(letter.to_owned()).bind(now)).await.map(drop)
    }
}
