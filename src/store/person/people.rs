//! People: their accounts outside of this program, apart from their tables.

use sqlx::{query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use tables::PersonSettings;
use tables::ids::{AccountId, PersonId};

/// Returns the person of an account, who is stored if unknown, and sets their language.
///
/// `drawn` is the id for a new person.
pub async fn meet(
    session: &mut Session,
    account: &AccountId,
    language: &str,
    drawn: &PersonId,
) -> Result<PersonId, StoreError> {
    let statement = query_as::<_, (PersonId,)>(
        "insert into people (person, account, language) values ($1, $2, $3)
         on conflict (account) do update set language = excluded.language
         returning person",
    );
    let statement =
        statement.bind(drawn.clone()).bind(account.to_owned()).bind(language.to_owned());
    let met = session.one(statement).await?;
    let nobody = || StoreError::Unreadable(format!("nobody goes by {account}"));
    met.map(|(person,)| person).ok_or_else(nobody)
}

/// Returns a person's settings for all of their tables, `None` if the account is unknown.
pub async fn settings_of(
    session: &mut Session,
    account: &AccountId,
) -> Result<Option<PersonSettings>, StoreError> {
    let question =
        query_as::<_, (PersonSettings,)>("select settings from people where account = $1");
    Ok(session.one(question.bind(account.to_owned())).await?.map(|(settings,)| settings))
}

/// Stores a person's settings for all of their tables.
pub async fn keep_settings(
    session: &mut Session,
    person: &PersonId,
    settings: PersonSettings,
) -> Result<(), StoreError> {
    let statement = query("update people set settings = $2 where person = $1");
    session.execute(statement.bind(person.to_owned()).bind(settings)).await.map(drop)
}

/// Returns the account of a person, `None` if they are unknown.
pub async fn account_of(
    session: &mut Session,
    person: &PersonId,
) -> Result<Option<AccountId>, StoreError> {
    let question = query_as::<_, (AccountId,)>("select account from people where person = $1");
    Ok(session.one(question.bind(person.to_owned())).await?.map(|(account,)| account))
}

/// Returns the person of an account, `None` if it is unknown.
pub async fn person(
    session: &mut Session,
    account: &AccountId,
) -> Result<Option<PersonId>, StoreError> {
    let question = query_as::<_, (PersonId,)>("select person from people where account = $1");
    Ok(session.one(question.bind(account.to_owned())).await?.map(|(person,)| person))
}
