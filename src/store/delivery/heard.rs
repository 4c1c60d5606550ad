//! What a process has taken on to do, of that which more than one of them is told.

use sqlx::query;

use crate::database::error::StoreError;
use crate::database::session::Session;
use tables::time::{Span, Time};

/// The time for which it is remembered: nobody can be answered by then.
const MEMORY: Span = Span::minutes(20);

impl Session {
    /// Takes an interaction on. False: somebody else has, or this process when it was told before.
    pub async fn take_on(&mut self, interaction: &str, now: Time) -> Result<bool, StoreError> {
        let statement = query(
            "insert into heard (interaction, heard_at) values ($1, $2) on conflict do nothing",
        );
        let taken = self.execute(statement.bind(interaction.to_owned()).bind(now)).await?;
        Ok(taken == 1)
    }

    /// Forgets what nobody can be told of any more.
    pub(crate) async fn forget_heard(&mut self, now: Time) -> Result<(), StoreError> {
        let statement = query("delete from heard where heard_at < $1");
        self.execute(statement.bind(now - MEMORY)).await.map(drop)
    }
}
