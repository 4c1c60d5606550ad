//! Standing orders, carried out where a declaration leaves something out.

use crate::desk::model::draw::seal;
use crate::games::any::AnyContest;
use crate::ids::{AccountId, PersonId, WindowNumber};
use crate::rules::{Declaration, Seat};
use crate::store::{
    FilingRow, OpenTable, OrdersRow, SeatRow, Session, StoreError, SubstituteRow, Touched,
    read_json,
};
use crate::time::Time;

/// What this person has ordered for a seat.
pub(in crate::desk) fn read_of(
    rows: &[OrdersRow],
    seat: Seat,
    person: &PersonId,
) -> Result<Declaration, StoreError> {
    let row = rows.iter().find(|row| row.seat == seat && row.person == *person);
    row.map_or_else(|| Ok(Declaration::default()), |row| read_json(&row.answers))
}

/// The orders that count in the open window of a table for an account that declares for this seat.
pub(in crate::desk) async fn orders_in(
    session: &mut Session,
    seen: &OpenTable,
    account: &AccountId,
    seat: Seat,
) -> Result<Declaration, StoreError> {
    let Some(number) = seen.table.open_window else { return Ok(Declaration::default()) };
    let Some(person) = session.person(account).await? else { return Ok(Declaration::default()) };
    let rows = session.orders(&seen.table.code, number).await?;
    read_of(&rows, seat, &person)
}

/// Which people declare for the seats that are asked in a window, when it opens: those who sit there,
/// or stand in for them.
pub(in crate::desk) async fn declaring(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    opens: Time,
) -> Result<Vec<(Seat, PersonId)>, StoreError> {
    let substitutes = touched.substitutes().await?;
    let declaring = contest.asked().into_iter().filter_map(|seat| {
        let stands_in = |row: &&SubstituteRow| row.seat == seat && row.until_at > opens;
        let player = seats.iter().find(|row| row.seat == seat).and_then(|row| row.person.clone());
        let stands_in = substitutes.iter().find(stands_in).map(|row| row.person.clone());
        Some((seat, stands_in.or(player)?))
    });
    Ok(declaring.collect())
}

/// Where letting a window pass is no miss, declares in it what the orders of these seats say that have
/// not declared: sealed where they leave nothing to ask, or else as a draft; and says who has declared.
pub(in crate::desk) async fn orders_declare(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    (number, opens): (WindowNumber, Time),
    mut filed: Vec<FilingRow>,
) -> Result<Vec<FilingRow>, StoreError> {
    if !contest.procedure().kind.is_optional() {
        return Ok(filed);
    }
    let rows = touched.orders(number).await?;
    if rows.is_empty() {
        return Ok(filed);
    }
    for (seat, person) in declaring(touched, contest, seats, opens).await? {
        if filed.iter().any(|row| row.seat == seat) {
            continue;
        }
        let orders = read_of(&rows, seat, &person)?;
        let declaration = contest.with_orders(seat, &Declaration::default(), &orders);
        if declaration.is_empty() {
            continue;
        }
        let found = contest.interview(seat, &declaration);
        let asks = found
            .asked
            .iter()
            .any(|asked| asked.answer.is_none() && asked.question.is_answerable());
        let complete = found.is_complete();
        let sealing =
            (!asks).then(|| seal(&touched.table.code, number, seat, &declaration, complete));
        filed.push(touched.declare(seat, declaration, sealing));
    }
    Ok(filed)
}
