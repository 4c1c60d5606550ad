//! The people who address the desk.

use serde::{Deserialize, Serialize};

use crate::model::desk::NotDone;
use crate::model::overrides::Gm;
use letters::Refused;
use rules::Seat;
use rules::text::Lang;
use store::{Session, StoreError, TableRow, Touched, absences, overrides, people};
use tables::ids::{AccountId, Address, PersonId, TableCode};
use tables::time::Time;

/// A person who addresses the desk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Guest {
    /// The account outside of this program, such as `terminal:桜`.
    pub account: AccountId,
    /// The name at the table; empty for the name of the seat, such as P1.
    pub name: String,
    /// The language of the reader.
    pub language: Lang,
    /// The address for letters.
    pub address: Address,
}

/// True if the account is that of the table's host.
pub(crate) async fn is_host(
    touched: &mut Touched<'_>,
    account: &AccountId,
) -> Result<bool, StoreError> {
    let person = people::person(touched.session(), account).await?;
    Ok(person.is_some_and(|person| person == touched.table.host))
}

/// Returns the id of a game master, `None` if they are unknown, and true if they lead the table: as its host
/// or as one of its named game masters.
pub(crate) async fn leads(
    session: &mut Session,
    table: &TableRow,
    gm: &Gm,
) -> Result<(Option<PersonId>, bool), StoreError> {
    let masters = overrides::game_masters(session, &table.code).await?;
    let person = people::person(session, &gm.account).await?;
    let is_named = |who: &String| gm.account == **who || gm.roles.contains(who);
    let leads = person.as_ref() == Some(&table.host) || masters.iter().any(is_named);
    Ok((person, leads))
}

/// Refuses everybody who does not lead the table.
pub(crate) async fn refuse_others(touched: &mut Touched<'_>, gm: &Gm) -> Result<(), NotDone> {
    let table = touched.table.clone();
    let (_, leads) = leads(touched.session(), &table, gm).await?;
    if leads { Ok(()) } else { Err(Refused::NotLeader.into()) }
}

/// Returns the seat for which an account declares: its own, or else the one for which it stands in.
pub(crate) async fn seat_of(
    session: &mut Session,
    code: &TableCode,
    account: &AccountId,
    own: Option<Seat>,
    now: Time,
) -> Result<Option<Seat>, StoreError> {
    match own {
        Some(own) => Ok(Some(own)),
        None => absences::stood_in_by(session, code, account, now).await,
    }
}
