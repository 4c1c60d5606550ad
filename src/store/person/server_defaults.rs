//! The default settings of tables on a server.

use crate::database::error::StoreError;
use crate::database::session::Session;

/// Returns a server's defaults as JSON, `None` if there never were any.
pub async fn of(session: &mut Session, server: &str) -> Result<Option<String>, StoreError> {
    let text = "select body from server_defaults where server = $1";
    session.value(text, (server,)).await
}

/// Returns a server's defaults and locks them until the end of the transaction; without any, stores
/// `body`.
pub async fn hold_server_defaults(
    session: &mut Session,
    server: &str,
    body: &str,
) -> Result<String, StoreError> {
    let text = "insert into server_defaults (server, body) values ($1, $2)
         on conflict (server) do update set body = server_defaults.body returning body";
    let held = session.value(text, (server, body)).await?;
    Ok(held.unwrap_or_else(|| body.to_owned()))
}

/// Stores a server's defaults.
pub async fn set_server_defaults(
    session: &mut Session,
    server: &str,
    body: String,
) -> Result<(), StoreError> {
    let text = "update server_defaults set body = $2 where server = $1";
    session.write(text, (server, body)).await
}
