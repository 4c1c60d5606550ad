//! The interactions that a process has taken on, as several processes may receive each one.

use sqlx::query;

use crate::database::error::StoreError;
use crate::database::session::Session;
use tables::time::{Span, Time};

/// The time for which an interaction is remembered, longer than the time for an answer.
const MEMORY: Span = Span::minutes(20);

/// Takes on an interaction. Returns false if another process has it, or this one already.
pub async fn take_on(
    session: &mut Session,
    interaction: &str,
    now: Time,
) -> Result<bool, StoreError> {
    let statement =
        query("insert into heard (interaction, heard_at) values ($1, $2) on conflict do nothing");
    let taken = session.execute(statement.bind(interaction.to_owned()).bind(now)).await?;
    Ok(taken == 1)
}

/// Deletes interactions that can no longer arrive.
pub(crate) async fn forget_heard(session: &mut Session, now: Time) -> Result<(), StoreError> {
    session.write("delete from heard where heard_at < $1", (now - MEMORY,)).await
}
