//! Declarations before a window opens: standing orders fill the gaps of a declaration, and a declaration for
//! the window becomes a draft in it, as far as it is valid there.

use crate::model::random::seal;
use crate::record::letter::Part;
use crate::record::notice::Notice;
use games::any::AnyContest;
use letters::declared_answers;
use rules::{Declaration, Seat, StillStanding, WindowKind, still_standing};
use store::{
    DeclarationProgressRow, NextDeclarationRow, OpenTable, OrdersRow, SeatRow, Session, StoreError,
    SubstituteRow, Touched, absences, people, said_ahead,
};
use tables::ids::{AccountId, PersonId, TableCode, WindowNumber};
use tables::time::Time;

/// Returns the standing orders of a person for a seat.
pub(crate) fn orders_of(rows: &[OrdersRow], seat: Seat, person: &PersonId) -> Declaration {
    let row = rows.iter().find(|row| row.seat == seat && row.person == *person);
    row.map(|row| row.answers.clone()).unwrap_or_default()
}

/// Returns the standing orders that count in the open window of a table, for an account that declares for
/// this seat.
pub(crate) async fn orders_in(
    session: &mut Session,
    seen: &OpenTable,
    account: &AccountId,
    seat: Seat,
) -> Result<Declaration, StoreError> {
    let Some(number) = seen.table.open_window else { return Ok(Declaration::default()) };
    let Some(person) = people::person(session, account).await? else {
        return Ok(Declaration::default());
    };
    let rows = said_ahead::orders(session, &seen.table.code, number).await?;
    Ok(orders_of(&rows, seat, &person))
}

/// Returns the people who declare for the seats that are asked in a window, when it opens: the substitutes,
/// or else the players.
async fn declaring(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    opens: Time,
) -> Result<Vec<(Seat, PersonId)>, StoreError> {
    let substitutes = absences::substitutes_at(touched).await?;
    let declaring = contest.asked().into_iter().filter_map(|seat| {
        let stands_in = |row: &&SubstituteRow| row.seat == seat && row.until_at > opens;
        let player = seats.iter().find(|row| row.seat == seat).and_then(|row| row.person.clone());
        let stands_in = substitutes.iter().find(stands_in).map(|row| row.person.clone());
        Some((seat, stands_in.or(player)?))
    });
    Ok(declaring.collect())
}

/// Declares the standing orders of the seats that have not declared in an optional window: sealed if they
/// leave nothing to ask, or else as a draft. Returns the progress of all declarations.
pub(crate) async fn orders_declare(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    (number, opens): (WindowNumber, Time),
    mut progress_rows: Vec<DeclarationProgressRow>,
) -> Result<Vec<DeclarationProgressRow>, StoreError> {
    if !contest.procedure().kind.is_optional() {
        return Ok(progress_rows);
    }
    let rows = said_ahead::orders_at(touched, number).await?;
    if rows.is_empty() {
        return Ok(progress_rows);
    }
    for (seat, person) in declaring(touched, contest, seats, opens).await? {
        if progress_rows.iter().any(|row| row.seat == seat) {
            continue;
        }
        let orders = orders_of(&rows, seat, &person);
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
        progress_rows.push(touched.declare(seat, declaration, sealing));
    }
    Ok(progress_rows)
}

/// Returns a person's declaration for a seat that was made ahead.
fn row_of<'r>(
    rows: &'r [NextDeclarationRow],
    seat: Seat,
    person: &PersonId,
) -> Option<&'r NextDeclarationRow> {
    rows.iter().find(|row| row.seat == seat && row.person == *person)
}

/// Returns an account's declaration for a seat that was made ahead, for a window of this kind after this one.
pub(crate) async fn next_of(
    session: &mut Session,
    code: &TableCode,
    (account, seat): (&AccountId, Seat),
    kind: WindowKind,
    number: WindowNumber,
) -> Result<Declaration, StoreError> {
    let Some(person) = people::person(session, account).await? else {
        return Ok(Declaration::default());
    };
    let rows = said_ahead::next_declarations(session, code, kind, number).await?;
    Ok(row_of(&rows, seat, &person).map(|row| row.answers.clone()).unwrap_or_default())
}

/// Turns the declarations made ahead for this window into drafts, if the window asks for any part of them;
/// returns their progress. The others wait for the next window of the kind.
pub(crate) async fn become_drafts(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    number: WindowNumber,
    opens: Time,
) -> Result<Vec<DeclarationProgressRow>, StoreError> {
    let mut progress_rows = Vec::new();
    let rows = said_ahead::next_declarations_at(touched, contest.procedure().kind, number).await?;
    if rows.is_empty() {
        return Ok(progress_rows);
    }
    let orders = said_ahead::orders_at(touched, number).await?;
    for (seat, person) in declaring(touched, contest, seats, opens).await? {
        let Some(row) = row_of(&rows, seat, &person) else { continue };
        let standing = standing(contest, row);
        if !standing.is_asked() {
            continue;
        }
        said_ahead::note_drafted(touched, row, number).await?;
        if !standing.draft.is_empty() {
            let orders = orders_of(&orders, seat, &person);
            let draft = contest.with_orders(seat, &standing.draft, &orders);
            progress_rows.push(touched.declare(seat, draft, None));
        }
    }
    Ok(progress_rows)
}

/// Returns the part of a declaration made ahead that is valid in the open window.
fn standing(contest: &dyn AnyContest, row: &NextDeclarationRow) -> StillStanding {
    still_standing(&|draft| contest.interview(row.seat, draft), &row.answers)
}

/// Returns the news for the seats about their declarations for this window: the drafts that they have become,
/// and the parts that no longer fit.
pub(crate) async fn tidings(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    number: WindowNumber,
) -> Result<Vec<(Seat, Part)>, StoreError> {
    let rows = said_ahead::drafted_declarations_at(touched, number).await?;
    let mut news = Vec::new();
    for row in rows {
        let StillStanding { draft, faults, superfluous } = standing(contest, &row);
        let heard = declared_answers(&contest.interview(row.seat, &draft));
        news.push((row.seat, Part::BecameDraft { heard, faults, superfluous }));
    }
    Ok(news)
}

/// Returns the news for a seat.
pub(crate) fn own_part(news: &[(Seat, Part)], seat: Seat) -> Vec<Part> {
    news.iter().filter(|(of, _)| *of == seat).map(|(_, part)| part.clone()).collect()
}

/// Sends each seat its news privately, if the opening is posted in public.
pub(crate) async fn tell_each(
    touched: &mut Touched<'_>,
    notice: Notice<'_>,
    news: &[(Seat, Part)],
) -> Result<(), StoreError> {
    if news.is_empty() || touched.table.place.is_none() {
        return Ok(());
    }
    notice.post_to_each(touched, |seat| own_part(news, seat)).await
}
