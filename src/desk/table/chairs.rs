//! The chairs of a table that is forming: sitting down, and standing up again.

use crate::record::event::{Event, record};
use crate::record::seating::identified;
use crate::record::values::{Brings, BroughtValues};
use rules::Seat;
use rules::dice::Brought;
use store::{SeatRow, StoreError, TableRow, Touched, read_hex};
use tables::time::{Span, Time};

/// The time since somebody last sat down after which a table that nobody begins ends by itself.
pub(crate) const LONGEST_FORMING: Span = Span::days(30);

/// The time since its last player left, or since it was formed, after which an empty table ends by itself.
pub(crate) const LONGEST_EMPTY: Span = Span::days(1);

/// Returns the free chairs.
pub(crate) fn free<'s>(
    table: &TableRow,
    seats: &'s [SeatRow],
) -> impl Iterator<Item = Seat> + use<'s> {
    let chairs = table.chairs;
    Seat::all(chairs).filter(|seat| seats.iter().all(|row| row.seat != *seat))
}

/// Seats a player with the value they bring, and records this in the journal.
pub(crate) async fn sit(
    touched: &mut Touched<'_>,
    row: &SeatRow,
    brought: Brought,
    now: Time,
) -> Result<(), StoreError> {
    let (row, who) = &identified(touched, row).await?;
    touched.sit(row).await?;
    touched.look_at(Some(now + LONGEST_FORMING));
    touched.stir();
    let (value, promise) = match brought {
        Brought::Nothing => (None, None),
        Brought::Value(value) => (Some(hex::encode(value)), None),
        Brought::Promise(promise) => (None, Some(hex::encode(promise))),
    };
    let (seat, house, who) = (row.seat, row.house.clone(), who.clone());
    record(touched, &Event::Joined { seat, house, value, promise, who }, now)
}

/// Frees a chair, and records this in the journal. If a promise has been fulfilled, all values are brought
/// anew: the next player could choose a value knowing the revealed one.
pub(crate) async fn stand_up(
    touched: &mut Touched<'_>,
    seat: Seat,
    now: Time,
) -> Result<(), StoreError> {
    let code = touched.table.code.clone();
    let mut values = BroughtValues::of(touched.session(), &code).await?;
    let left = Event::Left { seat, anew: values.is_frozen() };
    touched.stand_up(seat).await?;
    if touched.seats().await?.is_empty() {
        touched.look_at(Some(now + LONGEST_EMPTY));
    }
    touched.stir();
    values.hear(&left);
    for owed in values.missing() {
        touched.bring(owed, "").await?;
    }
    record(touched, &left, now)
}

/// Moves a player, with the value they brought, to a free chair.
pub(crate) async fn change_chair(
    touched: &mut Touched<'_>,
    (row, to): (&SeatRow, Seat),
    values: &BroughtValues,
    now: Time,
) -> Result<(), StoreError> {
    stand_up(touched, row.seat, now).await?;
    let brought = match values.at(row.seat) {
        Some(Brings::Value(value)) => Brought::Value(read_hex(value)?),
        Some(Brings::Promise(promise)) => Brought::Promise(read_hex(promise)?),
        _ => Brought::Nothing,
    };
    let value = values.value_of_next(&touched.table, to, brought)?;
    sit(touched, &SeatRow { seat: to, value, ..row.clone() }, brought, now).await
}
