//! People: their accounts outside of this program, apart from their tables.

use crate::database::{Result, Session, StoreError};
use tables::{AccountId, PersonId, PersonSettings};

/// Returns the person of an account, who is stored if unknown, and sets their language.
///
/// `drawn` is the id for a new person.
pub async fn meet(
    db: &mut Session,
    account: &AccountId,
    language: &str,
    drawn: &PersonId,
) -> Result<PersonId> {
    let text = "insert into people (person, account, language) values ($1, $2, $3)
         on conflict (account) do update set language = excluded.language
         returning person";
    let nobody = || StoreError::Unreadable(format!("nobody goes by {account}"));
    db.value(text, (&drawn, account, language)).await?.ok_or_else(nobody)
}

/// Returns a person's settings for all of their tables, `None` if the account is unknown.
pub async fn settings_of(db: &mut Session, account: &AccountId) -> Result<Option<PersonSettings>> {
    let text = "select settings from people where account = $1";
    db.value(text, (account,)).await
}

/// Stores a person's settings for all of their tables.
pub async fn keep_settings(
    db: &mut Session,
    person: &PersonId,
    settings: PersonSettings,
) -> Result<()> {
    let text = "update people set settings = $2 where person = $1";
    db.write(text, (person, settings)).await
}

/// Returns the account of a person, `None` if they are unknown.
pub async fn account_of(db: &mut Session, person: &PersonId) -> Result<Option<AccountId>> {
    let text = "select account from people where person = $1";
    db.value(text, (person,)).await
}

/// Returns the person of an account, `None` if it is unknown.
pub async fn person(db: &mut Session, account: &AccountId) -> Result<Option<PersonId>> {
    let text = "select person from people where account = $1";
    db.value(text, (account,)).await
}

/// Returns a server's defaults as JSON, `None` if there never were any.
pub async fn server_defaults(db: &mut Session, server: &str) -> Result<Option<String>> {
    let text = "select body from server_defaults where server = $1";
    db.value(text, (server,)).await
}

/// Returns a server's defaults and locks them until the end of the transaction; without any, stores
/// `body`.
pub async fn hold_server_defaults(db: &mut Session, server: &str, body: &str) -> Result<String> {
    let text = "insert into server_defaults (server, body) values ($1, $2)
         on conflict (server) do update set body = server_defaults.body returning body";
    let held = db.value(text, (server, body)).await?;
    Ok(held.unwrap_or_else(|| body.to_owned()))
}

/// Stores a server's defaults.
pub async fn set_server_defaults(db: &mut Session, server: &str, body: String) -> Result<()> {
    let text = "update server_defaults set body = $2 where server = $1";
    db.write(text, (server, body)).await
}
