//! Somebody, as the desk meets them.

use serde::{Deserialize, Serialize};

use crate::model::desk::NotDone;
use crate::model::overrides::Gm;
use letters::Refused;
use rules::Seat;
use rules::text::Lang;
use store::{Session, StoreError, TableRow, Touched};
use tables::ids::{AccountId, Address, PersonId, TableCode};
use tables::time::Time;

/// Somebody, as the desk meets them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Guest {
    /// Who they are outside of this house, such as `terminal:桜`.
    pub account: AccountId,
    /// What they are called at the table; empty for P1 and so on.
    pub name: String,
    /// The language they read.
    pub language: Lang,
    /// Where their letters go.
    pub address: Address,
}

/// The table's host, if the account is theirs.
pub(crate) async fn is_host(
    touched: &mut Touched<'_>,
    account: &AccountId,
) -> Result<bool, StoreError> {
    let person = touched.session().person(account).await?;
    Ok(person.is_some_and(|person| person == touched.table.host))
}

/// The id of somebody, if they have ever been here, and whether they lead a table: only its host does,
/// and whoever decides there beside the host.
pub(crate) async fn leads(
    session: &mut Session,
    table: &TableRow,
    gm: &Gm,
) -> Result<(Option<PersonId>, bool), StoreError> {
    let masters = session.game_masters(&table.code).await?;
    let person = session.person(&gm.account).await?;
    let is_named = |who: &String| gm.account == **who || gm.roles.contains(who);
    let leads = person.as_ref() == Some(&table.host) || masters.iter().any(is_named);
    Ok((person, leads))
}

/// Refuses what only those can do who lead a table.
pub(crate) async fn refuse_others(touched: &mut Touched<'_>, gm: &Gm) -> Result<(), NotDone> {
    let table = touched.table.clone();
    let (_, leads) = leads(touched.session(), &table, gm).await?;
    if leads { Ok(()) } else { Err(Refused::NotLeader.into()) }
}

/// For which seat of a table an account declares: its own, or else the one for which it stands in.
pub(crate) async fn seat_of(
    session: &mut Session,
    code: &TableCode,
    account: &AccountId,
    own: Option<Seat>,
    now: Time,
) -> Result<Option<Seat>, StoreError> {
    match own {
        Some(own) => Ok(Some(own)),
        None => session.stood_in_by(code, account, now).await,
    }
}
