//! What somebody sets for all of their tables.

use crate::model::desk::{Desk, NotDone};
use crate::model::random;
use rules::text::Lang;
use store::{Session, StoreError, Work};
use tables::PersonSettings;
use tables::ids::{AccountId, PersonId};

impl Desk {
    /// What somebody has set for all of their tables; what is supposed if they are not known.
    pub async fn person_settings(&self, account: &AccountId) -> Result<PersonSettings, StoreError> {
        let mut session = self.store.read().await?;
        Ok(session.settings_of(account).await?.unwrap_or_default())
    }

    /// Sets this for all tables of somebody, who reads this language and is known from now on.
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

impl Work for SettingPerson {
    type Done = ();

    async fn work(&self, session: &mut Session) -> Result<(), StoreError> {
        let language = self.language.code();
        let person = session.meet(&self.account, language, &self.drawn).await?;
        session.keep_settings(&person, self.settings).await
    }
}
