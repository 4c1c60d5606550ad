//! The occupants of the seats, recorded in the rows and in the journal together.

use crate::model::random;
use crate::record::event::{Event, record};
use rules::receipt;
use store::{SeatRow, StoreError, Touched, overrides, people};
use tables::time::Time;

/// Returns the row with its salt, and the hash of its occupant in the journal; `None` for a bot player.
pub(crate) async fn identified(
    touched: &mut Touched<'_>,
    row: &SeatRow,
) -> Result<(SeatRow, Option<String>), StoreError> {
    let Some(person) = &row.person else {
        return Ok((SeatRow { salt: None, ..row.clone() }, None));
    };
    let account = people::account_of(touched.session(), person).await?.unwrap_or_default();
    let salt = row.salt.clone().unwrap_or_else(|| hex::encode(random::bytes::<32>()));
    let who = hex::encode(receipt::identity(&salt, account.as_str(), &row.name));
    Ok((SeatRow { salt: Some(salt), ..row.clone() }, Some(who)))
}

/// Records a new occupant of a seat.
pub(crate) async fn reseat(
    touched: &mut Touched<'_>,
    row: &SeatRow,
    now: Time,
) -> Result<(), StoreError> {
    let (row, who) = identified(touched, row).await?;
    overrides::reseat(touched, &row).await?;
    record(touched, &Event::Seated { seat: row.seat, house: row.house, who }, now)
}
