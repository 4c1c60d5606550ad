//! The settings of a person for all of their tables.

use async_trait::async_trait;

use crate::model::desk::{Desk, NotDone};
use crate::model::random;
use rules::text::Lang;
use store::{Session, StoreError, Work};
use tables::PersonSettings;
use tables::ids::{AccountId, PersonId};

impl Desk {
    /// Returns a person's settings for all of their tables; the defaults if the account is unknown.
    pub async fn person_settings(&self, account: &AccountId) -> Result<PersonSettings, StoreError> {
        let mut session = self.store.read().await?;
        Ok(session.settings_of(account).await?.unwrap_or_default())
    }

    /// Stores the settings and the language of an account, creating the person if needed.
    pub async fn set_person(
        &self,
        account: &AccountId,
        language: Lang,
        settings: PersonSettings,
    ) -> Result<(), NotDone> {
        let (account, drawn) = (account.to_owned(), random::person());
        let setting = SettingPerson { account, language, settings, drawn };
        Ok(self.store.write(setting).await?)
    }
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
        let person = session.meet(&self.account, language, &self.drawn).await?;
        session.keep_settings(&person, self.settings).await
    }
}
