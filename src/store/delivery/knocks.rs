//! Letters to those who take none: they are called where their table is played, and read there what
//! is kept here for them.

use sqlx::{FromRow, query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::table::tables::Touched;
use tables::ids::Address;
use tables::time::Time;

/// A letter that waits for its reader where they were called.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Knock {
    /// The letter's id.
    pub letter: String,
    pub address: Address,
    /// What it tells, as JSON.
    pub body: String,
    /// Where they were called.
    pub place: Option<Address>,
    /// The message that called them.
    pub message: Option<String>,
    /// The time when they read it first.
    pub read_at: Option<Time>,
}

impl Session {
    /// The letter of this id, if it was sent to this address, and those to it about the same table
    /// that wait to be read: in the order in which they were sent.
    pub async fn knocks(
        &mut self,
        address: &Address,
        letter: &str,
    ) -> Result<Vec<Knock>, StoreError> {
        // Somebody may see that they are called before it is noted where they were.
        let question = query_as(
            "select letter, address, body, knocked as place, arrived as message, read_at from outbox
             where address = $1 and body <> '' and attempts > 0 and (letter = $2
                 or (letter like $3 and knocked is not null and read_at is null and exists (
                     select 1 from outbox own where own.letter = $2 and own.address = $1)))
             order by send_at, letter",
        );
        let code = letter.split_once('-').map_or(letter, |(code, _)| code);
        let question = question.bind(address.to_owned()).bind(letter.to_owned());
        self.all(question.bind(format!("{code}-%"))).await
    }

    /// Where an address was called, as far as it stands there still.
    pub async fn knocks_for(&mut self, address: &Address) -> Result<Vec<Knock>, StoreError> {
        let question = query_as(
            "select letter, address, body, knocked as place, arrived as message, read_at from outbox
             where address = $1 and knocked is not null and arrived is not null order by letter",
        );
        self.all(question.bind(address.to_owned())).await
    }

    /// Notes that a letter has been read where its reader was called.
    pub async fn mark_come_for(&mut self, letter: &str, now: Time) -> Result<(), StoreError> {
        let statement =
            query("update outbox set read_at = $2 where letter = $1 and read_at is null");
        self.execute(statement.bind(letter.to_owned()).bind(now)).await.map(drop)
    }
}

impl Touched<'_> {
    /// When letters about the table are to be sent that are on their way to an address, and what
    /// they tell, as JSON.
    pub async fn owed_to(&mut self, address: &Address) -> Result<Vec<(Time, String)>, StoreError> {
        let question = query_as(
            "select send_at, body from outbox
             where address = $1 and letter like $2 and sent_at is null",
        );
        let like = format!("{}-%", self.table.code);
        self.session.all(question.bind(address.to_owned()).bind(like)).await
    }

    /// What was to go to a place, and what its reader was called to there and has not read, is sent
    /// anew: to another place, or to its reader.
    pub async fn forward(&mut self, from: &Address, to: &Address) -> Result<(), StoreError> {
        let like = format!("{}-%", self.table.code);
        for statement in [
            "update outbox set address = $2, wait_until = null, attempted_at = null, attempts = 0
             where address = $1 and letter like $3 and sent_at is null",
            "update outbox set sent_at = null, knocked = null, arrived = null, follows = null,
                 wait_until = null, attempted_at = null, attempts = 0
             where knocked = $1 and letter like $3 and read_at is null and body <> ''
                 and cast($2 as text) is not null",
        ] {
            let statement = query(statement).bind(from.to_owned()).bind(to.to_owned());
            self.session.execute(statement.bind(like.clone())).await?;
        }
        Ok(())
    }
}
