//! The attendance record of people over all of their tables.
//!
//! A window counts for the person who declared in it, or should have. Windows that asked nothing of the
//! person, fell into their absence or inactivity, or were cut short by the game master do not count. For a
//! seat with a substitute, the window counts for whoever declared, or else for the substitute. Optional
//! windows count for nobody. A default declaration is not a miss: only a missing declaration is.
//!
//! The record is shown to its person only. A host learns only that the person may not join.

use serde::Serialize;

use crate::absence::attendance::{Attendance, Strikes};
use crate::model::Desk;
use crate::record::Lineage;
use letters::{Refused, SeatRefused};
use rules::Seat;
use store::{ReputationRow, Result, SeatRow, Touched, WindowRow, absences, people, windows};
use tables::absence::{Condition, Keeping, Minimum, Tally, Unmet};
use tables::{AccountId, Time, WindowNumber};

/// The longest look-back, in windows.
const LONGEST: u8 = Minimum::SPANS[1];

/// The attendance record of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reputation {
    /// The last ten windows.
    pub lately: Tally,
    /// The last hundred windows.
    pub long: Tally,
}

/// Returns a person's own attendance record.
pub async fn reputation(desk: &Desk, account: &AccountId, now: Time) -> Result<Reputation> {
    let mut db = desk.store.read().await?;
    let Some(person) = people::person(&mut db, account).await? else {
        return Ok(Reputation::default());
    };
    let keepings = absences::last_windows(&mut db, &person, now, LONGEST.into()).await?;
    let [lately, long] = Minimum::SPANS.map(|last| Tally::of(&keepings, last));
    Ok(Reputation { lately, long })
}

/// Checks that an account meets the attendance that the host requires for a seat. An unknown account does.
pub(crate) async fn meets_minimum(
    tx: &mut Touched<'_>,
    account: &AccountId,
) -> Result<Result<(), Unmet>> {
    let db = &mut *tx.db;
    let absence = absences::absence(db, &tx.table.code).await?;
    let Some(minimum) = absence.minimum else { return Ok(Ok(())) };
    let Some(person) = people::person(db, account).await? else { return Ok(Ok(())) };
    let kept = absences::last_windows(db, &person, tx.now, LONGEST.into()).await?;
    Ok(minimum.met_by(&kept))
}

/// Checks the required attendance of a person whom somebody else would seat. The refusal gives no figures.
pub(crate) async fn others_meet_minimum(
    tx: &mut Touched<'_>,
    account: &AccountId,
) -> Result<Result<(), Refused>> {
    let met = meets_minimum(tx, account).await?;
    Ok(met.map_err(|_| SeatRefused::TheyMissed.into()))
}

/// Stores the result of a declaration or an act that has been accepted in the open window, which counts only
/// after the window has closed. `before` is the attendance before it, `substitute` the account of the
/// substitute who declared for the player.
pub(crate) async fn note(
    tx: &mut Touched<'_>,
    window: &WindowRow,
    before: &Attendance,
    seat: Seat,
    substitute: Option<&AccountId>,
    sealed: bool,
) -> Result<()> {
    // A new row replaces the earlier row of the same person anyway.
    if substitute.is_some() || before.is_by_others(seat) {
        absences::drop_declared(tx, seat).await?;
    }
    let person = match substitute {
        Some(account) => people::person(tx.db, account).await?,
        None => before.presence(seat).and_then(|row| row.person.clone()),
    };
    let Some(person) = person else { return Ok(()) };
    let kept = if before.late().is_some() {
        Keeping::Late
    } else if sealed && window.closes_at - tx.now > tx.now - window.opens_at {
        Keeping::Early
    } else {
        Keeping::InTime
    };
    let number = window.number;
    let row = ReputationRow { number, seat, person, kept, at: None, counts: true };
    absences::keep_window(tx, row);
    Ok(())
}

/// Counts a closed window for the asked seats from its announcement on, by its strikes and the attendance
/// before them. A window that is resolved again has no strikes, and has been counted.
pub(crate) async fn count(
    tx: &mut Touched<'_>,
    window: &WindowRow,
    strikes: Option<&Strikes>,
    announced: Time,
) -> Result<()> {
    let Some(Strikes { struck, attendance, .. }) = strikes else { return Ok(()) };
    if window.kind.is_optional() {
        return Ok(());
    }
    let (mut declared, mut missed) = (Vec::new(), Vec::new());
    for seat in attendance.meant() {
        let Some(row) = attendance.presence(seat) else { continue };
        let Some(player) = &row.person else { continue };
        if attendance.condition(seat).has_declared() {
            declared.push((seat, player));
        } else if struck.iter().any(|struck| struck.seat == seat && struck.misses > 0) {
            missed.push((seat, player));
        }
    }
    let seats: Vec<Seat> = declared.iter().map(|(seat, _)| *seat).collect();
    let noted = absences::count_declared(tx, window.number, &seats, announced).await?;
    let (number, at) = (window.number, Some(announced));
    let row = |seat, person, kept| ReputationRow { number, seat, person, kept, at, counts: true };
    // A declaration that the game master made or restored counts as in time.
    for (seat, player) in declared.into_iter().filter(|(seat, _)| !noted.contains(seat)) {
        absences::keep_window(tx, row(seat, player.clone(), Keeping::InTime));
    }
    for (seat, player) in missed {
        // Its substitute should have declared for a seat, or else its player.
        let mut person = player.clone();
        if attendance.absent(seat) == Some(Condition::Delegated) {
            let substitutes = absences::substitutes_at(tx).await?;
            let stands_in = substitutes.into_iter().find(|row| row.seat == seat);
            person = stands_in.map_or(person, |row| row.person);
        }
        absences::keep_window(tx, row(seat, person, Keeping::Missed));
    }
    Ok(())
}

/// Records the replacement of the people in `before` who have lost their seat to somebody else, unless they
/// are away.
pub(crate) async fn replaced(tx: &mut Touched<'_>, before: &[SeatRow]) -> Result<()> {
    let Some(window) = tx.open_window().await? else { return Ok(()) };
    let after = tx.seats().await?;
    let stays = |row: &&SeatRow| after.iter().any(|other| other.person == row.person);
    for row in before.iter().filter(|row| !stays(row)) {
        let Some(person) = row.person.clone() else { continue };
        let away = absences::away(tx.db, &person).await?;
        if away.is_some_and(|away| (away.from_at..away.until_at).contains(&tx.now)) {
            continue;
        }
        let (number, seat, kept, at) = (window.number, row.seat, Keeping::Replaced, Some(tx.now));
        let row = ReputationRow { number, seat, person, kept, at, counts: true };
        absences::keep_window(tx, row);
    }
    Ok(())
}

/// Turns the seat's miss in `origin`, or in a window whose seals count in it, into a late declaration in the
/// open window.
pub(crate) async fn accept_late(
    tx: &mut Touched<'_>,
    origin: WindowNumber,
    seat: Seat,
) -> Result<()> {
    let again = windows::again(tx.db, &tx.table.code, origin).await?;
    let rows = absences::reputation(tx).await?;
    let of_it = |row: &&ReputationRow| {
        again.contains(&row.number) && row.seat == seat && row.kept == Keeping::Missed
    };
    if let (Some(row), Some(number)) = (rows.iter().find(of_it), tx.table.open_window) {
        let row = ReputationRow { number, kept: Keeping::Late, ..row.clone() };
        absences::keep_window(tx, row);
    }
    Ok(())
}

/// Lets exactly the windows that led to the open one count: an override that takes a window back also takes
/// back its results, and undoing the override restores them.
pub(crate) async fn recount(tx: &mut Touched<'_>) -> Result<()> {
    let rows = absences::reputation(tx).await?;
    if rows.is_empty() {
        return Ok(());
    }
    let lineage = Lineage::of(tx.db, &tx.table).await?;
    let seats = tx.seats().await?;
    let open = tx.open_window().await?;
    for row in &rows {
        let is_replaced = row.kept == Keeping::Replaced;
        let counts = if is_replaced {
            // A person who sits there again was not replaced.
            !seats.iter().any(|seat| seat.person.as_ref() == Some(&row.person))
        } else {
            counts(&lineage, row, &rows)
        };
        let at = match (row.at, &open) {
            (Some(at), Some(open))
                if !is_replaced
                    && (at > tx.now || open.opens_at > tx.now)
                    && open
                        .follows
                        .is_some_and(|last| lineage.again(last).contains(&row.number)) =>
            {
                // A result that is held back must not show in this row either.
                Some(open.opens_at)
            }
            (at, _) => at,
        };
        let counted = ReputationRow { at, counts, ..row.clone() };
        if counted != *row {
            absences::keep_window(tx, counted);
        }
    }
    Ok(())
}

/// True if the row's window led to the open one, and no later row of the seat replaces it.
fn counts(lineage: &Lineage, row: &ReputationRow, rows: &[ReputationRow]) -> bool {
    let mut grounds = lineage.line.iter().map(|number| lineage.again(*number));
    let Some(ground) = grounds.find(|ground| ground.contains(&row.number)) else { return false };
    let outdates = |other: &ReputationRow| {
        other.seat == row.seat
            && other.number > row.number
            && other.kept != Keeping::Replaced
            && ground.contains(&other.number)
    };
    !rows.iter().any(outdates)
}
