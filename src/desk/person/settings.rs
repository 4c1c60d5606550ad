//! The settings of a person for all of their tables.

use async_trait::async_trait;

use crate::model::desk::{Desk, NotDone};
use crate::model::random;
use rules::text::Lang;
use store::{Session, StoreError, Work, people};
use tables::PersonSettings;
use tables::ids::{AccountId, PersonId};

/// Returns a person's settings for all of their tables; the defaults if the account is unknown.
pub async fn person_settings(
    desk: &Desk,
    account: &AccountId,
) -> Result<PersonSettings, StoreError> {
    let mut session = desk.store.read().await?;
    Ok(people::settings_of(&mut session, account).await?.unwrap_or_default())
}

/// Stores the settings and the language of an account, creating the person if needed.
pub async fn set_person(
    desk: &Desk,
    account: &AccountId,
    language: Lang,
    settings: PersonSettings,
) -> Result<(), NotDone> {
    let (account, drawn) = (account.to_owned(), random::person());
    let setting = SettingPerson { account, language, settings, drawn };
    Ok(desk.store.write(setting).await?)
}

struct SettingPerson {
    account: AccountId,
    language: Lang,
    settings: PersonSettings,
    drawn: PersonId,
}

#[async_trait]
impl Work for SettingPerson {
    type Done = ();

    async fn work(&self, session: &mut Session) -> Result<(), StoreError> {
        let language = self.language.code();
        let person = people::meet(session, &self.account, language, &self.drawn).await?;
        people::keep_settings(session, &person, self.settings).await
    }
}
