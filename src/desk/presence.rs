//! Who is there in the open window, as far as everybody is told.

use super::attendance::{Attendance, is_named};
use super::{Desk, Sight};
use crate::rules::Seat;
use crate::store::StoreError;
use crate::tables::Stage;
use crate::tables::absence::Condition;

/// Who is there in the open window. Where it is not told who has sealed, it is not told either who
/// is late or no longer waited for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// Those for whom no window waits any more.
    pub inactive: Vec<Seat>,
    /// Those who are away at its deadline.
    pub away: Vec<Seat>,
    /// Those for whom somebody stands in.
    pub stood_in: Vec<Seat>,
    /// By how many windows' lengths it was put off.
    pub put_off: i64,
    /// Whether its deadline has come, and those who are late may still seal.
    pub grace: bool,
    /// Those who are late.
    pub late: Vec<Seat>,
}

impl Presence {
    /// Whether the window waits for a seat that is asked, as far as that is told.
    pub fn waits_for(&self, seat: Seat) -> bool {
        !self.inactive.contains(&seat) && !self.away.contains(&seat)
    }
}

impl Desk {
    /// Who is there in the window that is seen to be open; nobody is missing where none is.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn presence(&self, sight: &Sight, now: i64) -> Result<Presence, StoreError> {
        let Some(play) = sight.play.as_ref().filter(|_| sight.stage == Stage::Playing) else {
            return Ok(Presence::default());
        };
        let mut session = self.store.read().await?;
        let (Some(table), Some(window)) =
            (session.table(&sight.code).await?, session.window(&sight.code, play.number).await?)
        else {
            return Ok(Presence::default());
        };
        let attendance = Attendance::seen(&mut session, &sight.code, &window, now).await?;
        let named = is_named(&table, sight.sealing());
        let late = attendance.late()?;
        let those = |condition: Condition| -> Vec<Seat> {
            let is = |seat: &Seat| attendance.absent(*seat) == Some(condition);
            let people = sight.taken.iter().filter(|seat| !sight.house.contains(seat));
            people.copied().filter(is).collect()
        };
        Ok(Presence {
            inactive: if named { those(Condition::Inactive) } else { Vec::new() },
            away: those(Condition::Away),
            stood_in: those(Condition::Delegated),
            put_off: attendance.lateness.put_off,
            grace: late.is_some(),
            late: if named { late.unwrap_or_default() } else { Vec::new() },
        })
    }
}
