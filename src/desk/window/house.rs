//! The declarations of the bot players in the open window.

use crate::model::load::{dice, house_chance};
use crate::model::random::seal;
use games::any::AnyContest;
use rules::{Declaration, Seat};
use store::{DeclarationProgressRow, SeatRow, StoreError, Touched};
use tables::ids::WindowNumber;

/// Seals the declarations of the bot players among these seats in the open window; returns their progress.
pub(crate) fn house_declares(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    among: &[Seat],
    number: WindowNumber,
) -> Result<Vec<DeclarationProgressRow>, StoreError> {
    let mut progress_rows = Vec::new();
    if seats.iter().all(|row| row.house.is_none()) {
        return Ok(progress_rows);
    }
    let dice = dice(&touched.table, seats)?;
    for &seat in among {
        let policy = seats.iter().find(|row| row.seat == seat).and_then(|row| row.house.as_deref());
        let chance = house_chance(&dice, number, seat);
        let Some(declaration) = policy.and_then(|policy| contest.declare(seat, policy, chance))
        else {
            continue;
        };
        // If everything is done by acts, there is nothing to seal.
        let found = contest.interview(seat, &declaration);
        if found.asked.is_empty() && contest.acting(seat, &Declaration::default()).is_asking() {
            continue;
        }
        let complete = found.is_complete();
        let sealing = seal(&touched.table.code, number, seat, &declaration, complete);
        progress_rows.push(touched.declare(seat, declaration, Some(sealing)));
    }
    Ok(progress_rows)
}
