//! Absences from tables, and returns.

use crate::address;
use crate::answer::PrivateAnswer;
use crate::incoming::{CommandArguments, Incoming};
use crate::interactions::{InteractionError, InteractionHandler, plain_reader};
use desk::clock;
use tables::absence::{Period, PeriodFault};
use tables::ids::TableCode;

impl InteractionHandler {
    /// `/away`: declares an absence to all tables of a person, or shows the declared ones.
    pub(super) async fn away(
        &self,
        incoming: &Incoming,
        arguments: &CommandArguments,
    ) -> Result<PrivateAnswer, InteractionError> {
        let text = |name: &str| arguments.get(name).map(String::as_str);
        let (from, until) = (text("from"), text("until"));
        if from.is_none() && until.is_none() {
            return self.whereabouts(incoming, None).await;
        }
        let zone = self.zone_of(incoming).await?;
        let period = Period::between(from, until, zone, clock::now());
        self.whereabouts(incoming, Some(period)).await
    }

    async fn whereabouts(
        &self,
        incoming: &Incoming,
        period: Option<Result<Period, PeriodFault>>,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (account, reader) =
            (address::account(incoming.person.id), plain_reader(incoming.person.lang));
        let zone = self.zone_of(incoming).await?;
        let answer = self.speaker(&account, &reader).away(period, zone).await?;
        (self.ring)();
        self.shown(&TableCode::default(), &reader, answer)
    }

    /// Returns the time zone for a person's times: that of the table in this channel or of their only table,
    /// or else the default.
    async fn zone_of(&self, incoming: &Incoming) -> Result<chrono_tz::Tz, InteractionError> {
        let Ok(code) = self.code(incoming).await else { return Ok(self.zone) };
        let table = self.desk.store().read().await?.table(&code).await?;
        Ok(table.map_or(self.zone, |table| table.pace.zone))
    }

    /// Takes back a person's present or future absence.
    pub(super) async fn not_away(
        &self,
        incoming: &Incoming,
    ) -> Result<PrivateAnswer, InteractionError> {
        let account = address::account(incoming.person.id);
        self.desk.not_away(&account, clock::now()).await?;
        self.whereabouts(incoming, None).await
    }

    /// Ends a person's absence at all of their tables, or at one table only.
    pub(super) async fn back(
        &self,
        incoming: &Incoming,
        at: Option<&TableCode>,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (account, reader) =
            (address::account(incoming.person.id), plain_reader(incoming.person.lang));
        let answer = self.speaker(&account, &reader).back(at).await?;
        (self.ring)();
        self.shown(&TableCode::default(), &reader, answer)
    }
}
