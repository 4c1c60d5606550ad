//! What was declared for a window before it opened: it becomes a draft there, as far as it can stand.

use crate::desk::record::letter::{Notice, Part};
use crate::desk::window::orders::{declaring, read_of};
use crate::games::any::AnyContest;
use crate::ids::{AccountId, PersonId, TableCode, WindowNumber};
use crate::letters::declared_answers;
use crate::rules::{Declaration, Seat, StillStanding, WindowKind, still_standing};
use crate::store::{
    FilingRow, NextDeclarationRow, SeatRow, Session, StoreError, Touched, read_json,
};
use crate::time::Time;

/// What this person has declared for a seat beforehand.
fn row_of<'r>(
    rows: &'r [NextDeclarationRow],
    seat: Seat,
    person: &PersonId,
) -> Option<&'r NextDeclarationRow> {
    rows.iter().find(|row| row.seat == seat && row.person == *person)
}

/// What an account has declared for a seat beforehand, for a window of this kind after this one.
pub(in crate::desk) async fn next_of(
    session: &mut Session,
    code: &TableCode,
    (account, seat): (&AccountId, Seat),
    kind: WindowKind,
    number: WindowNumber,
) -> Result<Declaration, StoreError> {
    let Some(person) = session.person(account).await? else { return Ok(Declaration::default()) };
    let rows = session.next_declarations(code, kind, number).await?;
    let own = row_of(&rows, seat, &person);
    own.map_or_else(|| Ok(Declaration::default()), |row| read_json(&row.answers))
}

/// Lets what was declared for this window beforehand be a draft in it, where the seat is asked any of
/// it, and says who has declared so. What nobody asks waits for the next window of its kind.
pub(in crate::desk) async fn become_drafts(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    number: WindowNumber,
    opens: Time,
) -> Result<Vec<FilingRow>, StoreError> {
    let mut filed = Vec::new();
    let rows = touched.next_declarations(contest.procedure().kind, number).await?;
    if rows.is_empty() {
        return Ok(filed);
    }
    let orders = touched.orders(number).await?;
    for (seat, person) in declaring(touched, contest, seats, opens).await? {
        let Some(row) = row_of(&rows, seat, &person) else { continue };
        let standing = standing(contest, row)?;
        if !standing.is_asked() {
            continue;
        }
        touched.note_drafted(row, number).await?;
        if !standing.draft.is_empty() {
            let orders = read_of(&orders, seat, &person)?;
            let draft = contest.with_orders(seat, &standing.draft, &orders);
            filed.push(touched.declare(seat, draft, None));
        }
    }
    Ok(filed)
}

/// What of it can stand in the open window.
fn standing(
    contest: &dyn AnyContest,
    row: &NextDeclarationRow,
) -> Result<StillStanding, StoreError> {
    let said: Declaration = read_json(&row.answers)?;
    Ok(still_standing(&|draft| contest.interview(row.seat, draft), &said))
}

/// What the seats are to be told of what they had declared for this window: that it is their draft
/// there, and what of it no longer fits.
pub(in crate::desk) async fn tidings(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    number: WindowNumber,
) -> Result<Vec<(Seat, Part)>, StoreError> {
    let rows = touched.drafted_declarations(number).await?;
    let mut told = Vec::new();
    for row in rows {
        let StillStanding { draft, faults, superfluous } = standing(contest, &row)?;
        let heard = declared_answers(&contest.interview(row.seat, &draft));
        told.push((row.seat, Part::BecameDraft { heard, faults, superfluous }));
    }
    Ok(told)
}

/// What of this is for a seat.
pub(in crate::desk) fn own_part(told: &[(Seat, Part)], seat: Seat) -> Vec<Part> {
    told.iter().filter(|(of, _)| *of == seat).map(|(_, part)| part.clone()).collect()
}

/// Tells each alone, where everybody else reads of the opening in a public place.
pub(in crate::desk) async fn tell_each(
    touched: &mut Touched<'_>,
    notice: Notice<'_>,
    told: &[(Seat, Part)],
) -> Result<(), StoreError> {
    if told.is_empty() || touched.table.place.is_none() {
        return Ok(());
    }
    notice.post_to_each(touched, |seat| own_part(told, seat)).await
}
