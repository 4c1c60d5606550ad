//! Somebody, as the desk meets them.

use serde::{Deserialize, Serialize};

use rules::Seat;
use rules::text::Lang;
use store::{Session, StoreError, Touched};
use tables::ids::{AccountId, Address, TableCode};
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
