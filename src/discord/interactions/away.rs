//! Somebody is away from their tables for a while, or there again.

use super::{InteractionError, InteractionHandler, plain_reader};
use crate::clock;
use crate::desk::{Whereabouts, end_of, moment};
use crate::discord::address;
use crate::discord::answer::PrivateAnswer;
use crate::discord::buttons;
use crate::discord::control::Control;
use crate::discord::incoming::{CommandArguments, Incoming};
use crate::panel::Style;
use crate::tables::absence::Period;

impl InteractionHandler {
    /// `/away`: says it to all of their tables, or shows what they have said.
    pub(super) async fn away(
        &self,
        incoming: &Incoming,
        said: &CommandArguments,
    ) -> Result<PrivateAnswer, InteractionError> {
        let text = |name: &str| said.get(name).map(String::as_str);
        let (from, until) = (text("from"), text("until"));
        if from.is_none() && until.is_none() {
            return self.whereabouts(incoming).await;
        }
        let (account, now) = (address::account(incoming.person.id), clock::now());
        match Period::between(from, until, self.zone_of(incoming).await?, now) {
            Ok(period) => {
                self.desk.away(&account, period.from, period.until, now).await?;
                (self.ring)();
                self.whereabouts(incoming).await
            }
            Err(fault) => {
                let reader = plain_reader(incoming.person.lang);
                Ok(PrivateAnswer::words(self.letters.period_fault(&reader, &fault)?))
            }
        }
    }

    async fn whereabouts(&self, incoming: &Incoming) -> Result<PrivateAnswer, InteractionError> {
        let (account, reader) =
            (address::account(incoming.person.id), plain_reader(incoming.person.lang));
        let Whereabouts { away, tables } = self.desk.whereabouts(&account, clock::now()).await?;
        let zone = self.zone_of(incoming).await?;
        let away = away.map(|away| (moment(away.from_at, zone), end_of(away.until_at, zone)));
        let rows = match away {
            Some(_) => {
                let style = Style::Plain;
                buttons::one(&self.letters, &reader, "not-away", style, &Control::NotAway)?
            }
            None => Vec::new(),
        };
        let text = self.letters.whereabouts(&reader, away, &tables)?;
        Ok(PrivateAnswer { text, rows, ..PrivateAnswer::default() })
    }

    /// In which zone somebody means a time: that of the table they are at, or of their only one, or
    /// else that of the house.
    async fn zone_of(&self, incoming: &Incoming) -> Result<chrono_tz::Tz, InteractionError> {
        let Ok(code) = self.code(incoming).await else { return Ok(self.zone) };
        let table = self.desk.store().read().await?.table(&code).await?;
        let pace = table.and_then(|table| serde_json::from_str(&table.pace).ok());
        Ok(pace.map_or(self.zone, |pace: crate::tables::Pace| pace.zone))
    }

    /// Somebody takes back that they are away, or will be.
    pub(super) async fn not_away(
        &self,
        incoming: &Incoming,
    ) -> Result<PrivateAnswer, InteractionError> {
        let account = address::account(incoming.person.id);
        self.desk.not_away(&account, clock::now()).await?;
        (self.ring)();
        self.whereabouts(incoming).await
    }

    /// `/back`: they are there, at all of their tables.
    pub(super) async fn back(
        &self,
        incoming: &Incoming,
    ) -> Result<PrivateAnswer, InteractionError> {
        let account = address::account(incoming.person.id);
        self.desk.back_everywhere(&account, clock::now()).await?;
        self.home(incoming)
    }

    /// They are there, as they say at one table.
    pub(super) async fn back_at(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        let account = address::account(incoming.person.id);
        self.desk.back_at(code, &account, clock::now()).await?;
        self.home(incoming)
    }

    fn home(&self, incoming: &Incoming) -> Result<PrivateAnswer, InteractionError> {
        (self.ring)();
        Ok(PrivateAnswer::words(self.letters.home(&plain_reader(incoming.person.lang))?))
    }
}
