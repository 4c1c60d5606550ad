//! Absences from tables, and returns.

use crate::address;
use crate::answer::PrivateAnswer;
use crate::incoming::{CommandArguments, Incoming};
use crate::interactions::handler::{InteractionError, InteractionHandler, plain_reader};
use crate::interactions::{conversation, meant};
use desk::clock;
use tables::absence::{Period, PeriodFault};
use tables::ids::TableCode;

/// `/away`: declares an absence to all tables of a person, or shows the declared ones.
pub(super) async fn away(
    handler: &InteractionHandler,
    incoming: &Incoming,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let text = |name: &str| arguments.get(name).map(String::as_str);
    let (from, until) = (text("from"), text("until"));
    if from.is_none() && until.is_none() {
        return whereabouts(handler, incoming, None).await;
    }
    let zone = zone_of(handler, incoming).await?;
    let period = Period::between(from, until, zone, clock::now());
    whereabouts(handler, incoming, Some(period)).await
}

async fn whereabouts(
    handler: &InteractionHandler,
    incoming: &Incoming,
    period: Option<Result<Period, PeriodFault>>,
) -> Result<PrivateAnswer, InteractionError> {
    let (account, reader) =
        (address::account(incoming.person.id), plain_reader(incoming.person.lang));
    let zone = zone_of(handler, incoming).await?;
    let answer = handler.speaker(&account, &reader).away(period, zone).await?;
    (handler.ring)();
    conversation::shown(handler, &TableCode::default(), &reader, answer)
}

/// Returns the time zone for a person's times: that of the table in this channel or of their only table,
/// or else the default.
async fn zone_of(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<chrono_tz::Tz, InteractionError> {
    let Ok(code) = meant::code(handler, incoming).await else { return Ok(handler.zone) };
    let table = handler.desk.store().read().await?.table(&code).await?;
    Ok(table.map_or(handler.zone, |table| table.pace.zone))
}

/// Takes back a person's present or future absence.
pub(super) async fn not_away(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let account = address::account(incoming.person.id);
    desk::not_away(&handler.desk, &account, clock::now()).await?;
    whereabouts(handler, incoming, None).await
}

/// Ends a person's absence at all of their tables, or at one table only.
pub(super) async fn back(
    handler: &InteractionHandler,
    incoming: &Incoming,
    at: Option<&TableCode>,
) -> Result<PrivateAnswer, InteractionError> {
    let (account, reader) =
        (address::account(incoming.person.id), plain_reader(incoming.person.lang));
    let answer = handler.speaker(&account, &reader).back(at).await?;
    (handler.ring)();
    conversation::shown(handler, &TableCode::default(), &reader, answer)
}
